// ClientTest.java
import static org.junit.jupiter.api.Assertions.*;

import java.net.URI;
import java.net.http.*;
import java.util.List;
import java.util.regex.*;
import org.junit.jupiter.api.*;

class ClientTest {
    // Or start the command of conftest.py by ProcessBuilder, and take url and account from the first line of its
    // inputReader(). It ends when this process does.
    static final String URL = System.getenv("REFERRAL_BASE_URL");

    static String emulator(String method, String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(URL + "/__emulator/" + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body)).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertTrue(response.statusCode() < 300, response.body());
        return response.body();
    }

    static String run() throws Exception {
        return Client.hello(URL, System.getenv("REFERRAL_USERNAME"), System.getenv("REFERRAL_SECRET"), 3);
    }

    @BeforeEach
    void afresh() throws Exception {
        emulator("DELETE", "answers", "");
        emulator("DELETE", "requests", "");
    }

    @Test
    void recoversAfterTwoFailures() throws Exception {
        emulator("PUT", "answers", "[{\"status\": 503, \"times\": 2}]");
        assertTrue(run().contains("authenticated"));
        var statuses = Pattern.compile("\"status\":(\\d+)").matcher(emulator("GET", "requests", ""));
        assertEquals(List.of("503", "503", "200"), statuses.results().map(found -> found.group(1)).toList());
    }

    @Test
    void reportsALockedAccount() throws Exception {
        emulator("PUT", "answers", "[{\"status\": 423, \"body\": {\"message\": \"Locked\"}, \"account\": 0}]");
        String message = assertThrows(IllegalStateException.class, ClientTest::run).getMessage();
        assertTrue(message.startsWith("423 ") && message.contains("Locked"), message);
    }

    @Test
    void makesAHeaderThatIsAccepted() throws Exception {
        try {
            run();
        } finally {
            String requests = emulator("GET", "requests", "");
            assertTrue(requests.contains("\"accepted\":true"), requests);
        }
    }
}
