// Client.java: the client under test
import java.net.URI;
import java.net.http.*;
import java.security.*;
import java.time.*;
import java.time.temporal.ChronoUnit;
import java.util.*;

class Client {
    static String hello(String url, String username, String secret, int tries) throws Exception {
        byte[] bytes = new byte[20];
        new SecureRandom().nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        String created = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", "+00:00");
        byte[] hash = MessageDigest.getInstance("SHA-1").digest((nonce + created + secret).getBytes("UTF-8"));
        String digest = Base64.getEncoder().encodeToString(hash);
        String wsse = "UsernameToken Username=\"%s\", PasswordDigest=\"%s\", Nonce=\"%s\", Created=\"%s\"";
        var request = HttpRequest.newBuilder(URI.create(url + "/test-authentication"))
            .header("X-WSSE", wsse.formatted(username, digest, nonce, created)).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 500 && tries > 1) return hello(url, username, secret, tries - 1);
        if (response.statusCode() != 200) throw new IllegalStateException(response.statusCode() + " " + response.body());
        return response.body();
    }
}
