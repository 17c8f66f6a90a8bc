import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.time.Instant;
import java.util.*;

/** A client as a team writes one in Java, by the standard library alone. It prints the status and the body of one request. */
class WsseClient {
  public static void main(String[] args) throws Exception {
    var random = new byte[20];
    new SecureRandom().nextBytes(random);
    var nonce = HexFormat.of().formatHex(random);
    // Java writes the time with `Z` and a fraction.
    var created = Instant.now().toString();
    var text = nonce + created + System.getenv("REFERRAL_SECRET");
    var hash = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
    var header = String.format(
        "UsernameToken Username=\"%s\", PasswordDigest=\"%s\", Nonce=\"%s\", Created=\"%s\"",
        System.getenv("REFERRAL_USERNAME"), Base64.getEncoder().encodeToString(hash), nonce, created);
    var request = HttpRequest.newBuilder(URI.create(System.getenv("REFERRAL_BASE_URL") + "/test-authentication"))
        .header("X-WSSE", header).build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.statusCode() + " " + response.body());
  }
}
