package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PipelineRetryTest {

    private static final String BUSY =
            Bench.jsonError("ServerBusy", "Operations per second is over the account limit.");

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    private static List<Duration> seconds(long... values) {
        return java.util.Arrays.stream(values).mapToObj(Duration::ofSeconds).toList();
    }

    @Test
    void successNeedsOneAttempt() {
        wire.responds(200, "done");

        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("done");
        assertThat(wire.sent()).hasSize(1);
        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().body()).isEqualTo("{}");
        assertThat(wire.last().header("Content-Length")).isEqualTo("2");
        assertThat(wire.last().header("x-ms-version")).isEqualTo("2022-11-02");
        assertThat(wire.last().header("User-Agent")).startsWith("stowline/");
    }

    @Test
    @DisplayName("RETRY-1, RETRY-2: throttling waits 2, 6, 14 and 30 s, the formula's middle")
    void throttlingBacksOff() {
        for (int i = 0; i < 4; i++) {
            wire.responds(503, BUSY);
        }
        wire.responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        bench.pass(Duration.ofSeconds(52).minusNanos(1));
        assertThat(outcome.ended()).isFalse();
        bench.pass(Duration.ofNanos(1));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.times()).isEqualTo(seconds(0, 2, 8, 22, 52));
    }

    @Test
    @DisplayName("RETRY-1: the retries end, and the last response is told")
    void retriesEnd() {
        for (int i = 0; i < 5; i++) {
            wire.responds(500, Bench.jsonError("InternalError", "Server encountered an internal error."));
        }
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ServerErrorException.class);
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(5);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(5);
        assertThat(outcome.storageError()).hasMessageContaining("4 retries used up");
    }

    @Test
    @DisplayName("RETRY-2: a connection that could not be opened is tried again at once, then by the formula")
    void connectionThatCouldNotBeOpened() {
        wire.breaksBeforeWriting(new ConnectException("refused"))
                .breaksBeforeWriting(new ConnectException("refused"))
                .responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        assertThat(wire.sent()).hasSize(2);
        bench.pass(Duration.ofSeconds(6));
        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.times()).isEqualTo(seconds(0, 0, 6));
    }

    @Test
    @DisplayName("RETRY-2: nothing of a connection that could not be opened was carried out")
    void refusedConnectionIsNotAmbiguous() {
        for (int i = 0; i < 5; i++) {
            wire.breaksBeforeWriting(new ConnectException("Connection refused"));
        }
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError())
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("Connection refused")
                .hasCauseInstanceOf(ConnectException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("RETRY-2: a reset after writing backs off, and counts as unanswered")
    void resetAfterWriting() {
        wire.breaks(new IOException("Connection reset by peer"))
                .responds(409, Bench.jsonError("EntityAlreadyExists", "The specified entity already exists."));
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        assertThat(wire.sent()).hasSize(1);
        bench.pass(Duration.ofSeconds(2));
        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ConflictException.class);
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(2);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(1);
        assertThat(outcome.storageError()).hasMessageContaining("1 may have been applied without a response");
    }

    @Test
    @DisplayName("RETRY-2: a read whose response was lost leaves nothing open")
    void lostReadIsNotAmbiguous() {
        for (int i = 0; i < 5; i++) {
            wire.breaks(new IOException("Connection reset by peer"));
        }
        Outcome<String> outcome = bench.start(OperationType.READ);
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.storageError()).isInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("RETRY-3: what a retry cannot help is sent once")
    void badRequestIsSentOnce() {
        wire.responds(400, Bench.jsonError("InvalidInput", "One of the request inputs is not valid."));

        assertThat(bench.start(OperationType.WRITE).storageError())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("a retry cannot help");
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-4: the server's hint is a floor for the wait")
    void hintIsAFloor() {
        wire.responds(503, BUSY, "Retry-After", "5")
                .responds(503, BUSY, "x-ms-retry-after-ms", "10")
                .responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(11));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.times()).isEqualTo(seconds(0, 5, 11));
    }

    @Test
    @DisplayName("RETRY-4: a hint beyond the deadline fails now and is shown")
    void hintBeyondTheDeadline() {
        wire.responds(503, BUSY, "Retry-After", "120");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        assertThat(outcome.storageError())
                .isInstanceOf(ThrottledException.class)
                .hasMessageContaining("PT2M")
                .hasMessageContaining("the service requested a wait of 120000 ms");
        assertThat(outcome.storageError().failure().retryAfter()).isEqualTo(Duration.ofMinutes(2));
        assertThat(bench.now()).isZero();
    }

    @Test
    @DisplayName("RETRY-4: a date as a hint is counted from now")
    void hintAsDate() {
        wire.responds(503, BUSY, "Retry-After", "Thu, 29 Feb 2024 12:00:09 GMT").responds(200, "done");
        bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(10));

        assertThat(wire.times()).isEqualTo(seconds(0, 9));
    }

    @Test
    @DisplayName("RETRY-1: the settings of the call decide")
    void settingsDecide() {
        RetrySettings none = RetrySettings.builder().backoff(Backoff.none()).build();
        wire.responds(503, BUSY);

        assertThat(bench.start(Bench.call(OperationType.WRITE, none)).storageError())
                .isInstanceOf(ThrottledException.class)
                .hasMessageContaining("0 retries used up");
    }

    @Test
    @DisplayName("RETRY-9: the body of a retry is the body of the first attempt")
    void bodyIsReplayed() {
        wire.responds(503, BUSY).responds(200, "done");
        bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(2));

        assertThat(wire.sent()).extracting(FakeWire.Sent::body).containsExactly("{}", "{}");
    }
}
