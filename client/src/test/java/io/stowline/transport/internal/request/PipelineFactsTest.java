package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R7: what an operation sends about itself and what its failure tells. */
class PipelineFactsTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "Ingress is over the account limit.");

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    @Test
    @DisplayName("RETRY-7: all attempts of an operation carry one client request id, another operation another")
    void oneClientRequestId() {
        wire.responds(503, BUSY)
                .breaks(new IOException("reset"))
                .responds(200, "done")
                .responds(200, "next");
        bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(1));
        bench.start(OperationType.WRITE);

        assertThat(wire.sent()).hasSize(4);
        assertThat(wire.sent().subList(0, 3))
                .extracting(sent -> sent.header("x-ms-client-request-id"))
                .doesNotContainNull()
                .containsOnly(wire.sent().get(0).header("x-ms-client-request-id"));
        assertThat(wire.last().header("x-ms-client-request-id"))
                .isNotEqualTo(wire.sent().get(0).header("x-ms-client-request-id"));
    }

    @Test
    @DisplayName("RETRY-7: two operations that share a request at the same time keep their own ids")
    void sharedRequest() {
        Request shared = Bench.request(OperationType.WRITE);
        wire.responds(503, BUSY).responds(503, BUSY).responds(200, "1").responds(200, "2");
        bench.start(call(shared));
        bench.start(call(shared));
        bench.pass(Duration.ofSeconds(2));

        assertThat(wire.sent())
                .extracting(sent -> sent.header("x-ms-client-request-id"))
                .containsExactly(id(0), id(1), id(0), id(1));
        assertThat(id(0)).isNotEqualTo(id(1));
    }

    private String id(int attempt) {
        return wire.sent().get(attempt).header("x-ms-client-request-id");
    }

    private static Exchange<String> call(Request request) {
        return Exchange.of(request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()));
    }

    @Test
    @DisplayName("RETRY-7: a failure tells everything that is known")
    void fullFailure() {
        wire.breaks(new IOException("reset"))
                .respondsAfter(Duration.ofSeconds(1), 503, BUSY, "x-ms-request-id", "srv-2", "Retry-After", "300");
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(3));

        assertThat(outcome.storageError().failure())
                .isEqualTo(new FailureDetails(
                        "insertOrReplace",
                        "people(p, r)",
                        503,
                        "ServerBusy",
                        "Ingress is over the account limit.",
                        2,
                        1,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(300),
                        wire.last().header("x-ms-client-request-id"),
                        "srv-2",
                        "the wait that the service requested (PT5M) is longer than what is left of the"
                                + " deadline of PT2M"));
        assertThat(outcome.storageError())
                .hasMessage(
                        "outcome unknown: " + outcome.storageError().failure().describe() + "; nothing was read back");
    }

    @Test
    @DisplayName("RETRY-7: a failure without a response tells the transport's words and no status")
    void failureWithoutResponse() {
        wire.responds(503, BUSY);
        for (int i = 0; i < 4; i++) {
            wire.breaks(new IOException("Connection reset by peer"));
        }
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(2));
        FailureDetails failure = outcome.storageError().failure();

        assertThat(failure.status()).isZero();
        assertThat(failure.errorCode()).isNull();
        assertThat(failure.requestId()).isNull();
        assertThat(failure.message()).contains("Connection reset by peer");
        assertThat(failure.attempts()).isEqualTo(5);
        assertThat(failure.unansweredAttempts()).isEqualTo(4);
        assertThat(failure.stopReason()).isEqualTo("4 retries used up");
    }

    @Test
    @DisplayName("RETRY-7: what broke in the HTTP client after the request was sent is told with all its facts")
    void undecodableResponse() {
        for (int i = 0; i < 5; i++) {
            wire.breaks(new IllegalArgumentException("invalid version format: JUNK"));
        }
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError().failure().unansweredAttempts())
                .isEqualTo(outcome.storageError().failure().attempts());
        assertThat(outcome.storageError()).hasMessageContaining("invalid version format: JUNK");
    }

    @Test
    @DisplayName("RETRY-7: neither key nor signature stands in a failure or its causes")
    void noSecrets() {
        wire.responds(
                403,
                "<Error><Code>AuthenticationFailed</Code><Message>refused</Message><AuthenticationErrorDetail>The MAC"
                        + " signature found is not the same: 'PUT topsecret'</AuthenticationErrorDetail></Error>");
        StorageException error = bench.start(OperationType.WRITE).storageError();
        StringWriter everything = new StringWriter();
        error.printStackTrace(new PrintWriter(everything));
        String signature = wire.last().header("Authorization").replaceAll(".*:", "");

        assertThat(signature).isNotEmpty();
        assertThat(everything.toString())
                .contains("AuthenticationFailed")
                .doesNotContain(Bench.KEY, signature, "topsecret");
    }
}
