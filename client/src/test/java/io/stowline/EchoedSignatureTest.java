package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.http.BufferedResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Responses that repeat the signature of their request, without the words around it. */
class EchoedSignatureTest {

    private static final String PLAIN = "TOPSECRETxyz0123456789";
    private static final String SIGNATURE = "aB3+/x" + PLAIN + "abcdefghijklmno=";
    private static final String ENCODED = "aB3%2B%2Fx" + PLAIN + "abcdefghijklmno%3D";

    private static Throwable refused(int status) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.fromString("x-ms-request-id"), "r-1")
                .set(HttpHeaderName.fromString("x-ms-error-code"), "AuthenticationFailed");
        byte[] body = ("<Error><Message>found '" + SIGNATURE + "' in " + ENCODED + "</Message></Error>")
                .getBytes(StandardCharsets.UTF_8);
        try (Stowline storage = Stowline.builder()
                .accountName("acct")
                .tableEndpoint("https://acct.table.core.windows.net")
                .credential(new AzureSasCredential("sv=2020-01-01&ss=t&sig=" + ENCODED))
                .httpClient(request -> Mono.just(new BufferedResponse(request, status, headers, body)))
                .retry(retry -> retry.retries(0))
                .closeTimeout(Duration.ofSeconds(5))
                .build()) {
            return catchThrowable(() -> storage.table("people").find("p", "r"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 409, 503})
    @DisplayName("RETRY-7: a refusal that repeats the shared access signature of its request shows none of it")
    void refusal(int status) {
        assertThat(refused(status)).hasMessageContaining("found '***' in ***").hasMessageNotContaining(PLAIN);
    }
}
