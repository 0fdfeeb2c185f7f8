package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.queue.models.QueueStorageException;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Errors of the SDK clients that {@code unwrap()} gives: they are the SDK's, with no secret in them. */
class UnwrappedErrorsTest {

    private static final String REFUSAL = "<?xml version=\"1.0\"?><Error><Code>AuthenticationFailed</Code><Message>No."
            + "</Message><AuthenticationErrorDetail>The MAC signature found in the HTTP request 'TOPSECRET' is not the"
            + " same</AuthenticationErrorDetail></Error>";

    private static Stowline client(HttpClient http) {
        return Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=a2V5")
                .httpClient(http)
                .retry(retry -> retry.retries(0))
                .build();
    }

    private static String whole(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static List<Throwable> errors(Stowline storage) {
        return List.of(
                catchThrowable(() ->
                        storage.container("photos").unwrap().getProperties().block()),
                catchThrowable(() -> storage.container("photos")
                        .unwrap()
                        .getBlobAsyncClient("a")
                        .downloadContent()
                        .block()),
                catchThrowable(
                        () -> storage.queue("orders").unwrap().getProperties().block()));
    }

    @Test
    @DisplayName("RETRY-7: a refusal keeps its type, status and code, and loses the signature that the service quotes")
    void refusals() {
        try (Stowline storage = client(request -> Mono.just(SimulatedConnection.response(
                request,
                403,
                new HttpHeaders()
                        .set(HttpHeaderName.fromString("x-ms-error-code"), "AuthenticationFailed")
                        .set(HttpHeaderName.CONTENT_TYPE, "application/xml"),
                REFUSAL.getBytes(StandardCharsets.UTF_8))))) {
            List<Throwable> errors = errors(storage);

            assertThat(errors)
                    .allSatisfy(error ->
                            assertThat(whole(error)).doesNotContain("TOPSECRET").contains("***"));
            assertThat(errors.get(0)).isInstanceOfSatisfying(BlobStorageException.class, error -> {
                assertThat(error.getStatusCode()).isEqualTo(403);
                assertThat(error.getErrorCode()).hasToString("AuthenticationFailed");
            });
            assertThat(errors.get(2)).isInstanceOf(QueueStorageException.class);
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: the id of another response is shown only if it is one")
    @ValueSource(strings = {"SharedKey acct:TOPSECRET=", "https://acct.test/?sig=TOPSECRET", "TOPSECRET"})
    void strayResponses(String echoed) {
        try (Stowline storage = client(request -> Mono.just(SimulatedConnection.response(
                request,
                200,
                new HttpHeaders().set(HttpHeaderName.fromString("x-ms-client-request-id"), echoed),
                new byte[0])))) {
            assertThat(errors(storage)).allSatisfy(error -> assertThat(whole(error))
                    .doesNotContain("TOPSECRET")
                    .contains("the response is to another request: its x-ms-client-request-id is a text that is"
                            + " no id (not shown)"));
        }
    }

    @Test
    @DisplayName("RETRY-7: nor does the error of an HTTP client show a signature")
    void clientErrors() {
        try (Stowline storage =
                client(request -> Mono.error(new IOException("cannot reach https://acct.test/a?sv=1&sig=TOPSECRET")))) {
            assertThat(errors(storage))
                    .allSatisfy(error ->
                            assertThat(whole(error)).doesNotContain("TOPSECRET").contains("sig=***"));
        }
    }
}
