package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The pipeline's verdicts on responses whose status alone decides little. */
class PipelineReadingTest {

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    /** Reads "ok" as a value, "cut" as nonsense and a number as the status of a part. */
    private static ParseResult<String> read(StorageResponse response) {
        String text = response.text();
        if (text.equals("ok")) {
            return new ParseResult.Value<>(text);
        }
        if (text.equals("cut")) {
            return new ParseResult.Unreadable<>("1 of 2 parts");
        }
        int status = Integer.parseInt(text);
        String code = status == 503 ? "ServerBusy" : "OperationTimedOut";
        return new ParseResult.RefusedResponse<>(new ServiceError(status, code, "text", 0, null, null, "inner", null));
    }

    private Outcome<String> start() {
        return bench.start(
                Exchange.of(Bench.request(OperationType.WRITE), RetrySettings.defaults(), PipelineReadingTest::read));
    }

    @Test
    @DisplayName("RETRY-3: a 503 inside a 202 is throttling")
    void subStatusIsClassified() {
        wire.responds(202, "503").responds(202, "ok");
        Outcome<String> outcome = start();
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.value()).isEqualTo("ok");
        assertThat(wire.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("RETRY-3: a 503 inside a 202 that goes on is told as throttling, with the inner status")
    void subStatusThatGoesOn() {
        for (int i = 0; i < 5; i++) {
            wire.responds(202, "503");
        }
        Outcome<String> outcome = start();
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError()).isInstanceOf(ThrottledException.class);
        assertThat(outcome.storageError().failure().status()).isEqualTo(503);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(outcome.storageError().failure().requestId()).isEqualTo("inner");
    }

    @Test
    @DisplayName("RETRY-2: OperationTimedOut inside a 202 counts as unanswered")
    void timedOutInsideIsAmbiguous() {
        for (int i = 0; i < 5; i++) {
            wire.responds(202, "500");
        }
        Outcome<String> outcome = start();
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ThrottledException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(5);
    }

    @Test
    @DisplayName("RETRY-2: a response that is cut is tried again and counts as unanswered")
    void cutResponse() {
        for (int i = 0; i < 5; i++) {
            wire.responds(202, "cut");
        }
        Outcome<String> outcome = start();
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ProtocolException.class)
                .hasMessageContaining("1 of 2 parts");
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(5);
        assertThat(outcome.storageError().failure().status()).isEqualTo(202);
    }

    @Test
    void cutResponseThenSuccess() {
        wire.responds(202, "cut").responds(202, "ok");
        Outcome<String> outcome = start();
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.value()).isEqualTo("ok");
    }

    @Test
    @DisplayName("RETRY-3: XML where JSON was expected is understood")
    void xmlError() {
        wire.responds(
                403,
                "<?xml version=\"1.0\"?><Error><Code>AuthorizationFailure</Code>"
                        + "<Message>This request is not authorized.\nRequestId:1</Message></Error>");

        assertThat(start().storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("403 AuthorizationFailure This request is not authorized.");
    }

    @Test
    @DisplayName("RETRY-3: a proxy's HTML is quoted, and its 502 tried again")
    void htmlError() {
        for (int i = 0; i < 5; i++) {
            wire.responds(502, "<html><body>Bad Gateway</body></html>");
        }
        Outcome<String> outcome = start();
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ServerErrorException.class)
                .hasMessageContaining("Bad Gateway");
        assertThat(outcome.storageError().failure().errorCode()).isNull();
    }

    @Test
    @DisplayName("RETRY-2: a reader that throws is not retried, and leaves open whether the write was made")
    void readerThatThrows() {
        wire.responds(202, "not a number");

        assertThat(start().storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ProtocolException.class)
                .hasRootCauseInstanceOf(NumberFormatException.class);
        assertThat(bench.gate().inUse()).isZero();
        assertThat(wire.sent()).hasSize(1);
    }
}
