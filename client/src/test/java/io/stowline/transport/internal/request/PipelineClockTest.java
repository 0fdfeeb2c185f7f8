package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.AuthenticationException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R3: a machine whose clock is wrong. */
class PipelineClockTest {

    private static final String REFUSED =
            Bench.jsonError("AuthenticationFailed", "Server failed to authenticate the request.");
    private static final String TRUE_DATE = "Thu, 29 Feb 2024 12:00:00 GMT";
    private static final String WRONG_DATE = "Thu, 29 Feb 2024 12:20:00 GMT";

    private final Bench bench = new Bench(4, Duration.ofMinutes(20));
    private final FakeWire wire = bench.wire();

    private List<String> dates() {
        return wire.sent().stream().map(sent -> sent.header("x-ms-date")).toList();
    }

    @Test
    @DisplayName("RETRY-3: a request refused for its date is signed once more with the service's time, at once")
    void signsOnceMore() {
        wire.responds(403, REFUSED, "Date", TRUE_DATE).responds(200, "done");

        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("done");
        assertThat(dates()).containsExactly(WRONG_DATE, TRUE_DATE);
        assertThat(wire.sent().get(0).header("Authorization"))
                .isNotEqualTo(wire.sent().get(1).header("Authorization"));
    }

    @Test
    @DisplayName("RETRY-3: later requests are dated right from the beginning")
    void remembersTheCorrection() {
        wire.responds(403, REFUSED, "Date", TRUE_DATE).responds(200, "done").responds(200, "next");
        bench.start(OperationType.WRITE);

        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("next");
        assertThat(dates()).containsExactly(WRONG_DATE, TRUE_DATE, TRUE_DATE);
    }

    @Test
    @DisplayName("RETRY-3: when it is refused again, the error tells of the clock")
    void refusedAgain() {
        wire.responds(403, REFUSED, "Date", TRUE_DATE).responds(403, REFUSED, "Date", TRUE_DATE);

        assertThat(bench.start(OperationType.WRITE).storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("this machine's clock is 1200 s ahead")
                .hasMessageContaining("signed once more with the service's time");
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-3: it is signed once more, not as often as the service changes its mind")
    void onlyOnce() {
        wire.responds(403, REFUSED, "Date", TRUE_DATE).responds(403, REFUSED, "Date", "Thu, 29 Feb 2024 18:00:00 GMT");

        assertThat(bench.start(OperationType.WRITE).storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-3: the clock is found out on a later attempt as well")
    void onALaterAttempt() {
        wire.breaksBeforeWriting(new ConnectException("refused"))
                .responds(403, REFUSED, "Date", TRUE_DATE)
                .responds(403, REFUSED, "Date", TRUE_DATE);
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(30));

        assertThat(dates()).startsWith(WRONG_DATE, WRONG_DATE).hasSize(3);
        assertThat(outcome.storageError()).hasMessageContaining("this machine's clock is 1200 s ahead");
    }

    @Test
    @DisplayName("RETRY-3: all requests in flight with the wrong date are signed once more, not only the first")
    void allThatWereInFlight() {
        wire.respondsAfter(Duration.ofMillis(100), 403, REFUSED, "Date", TRUE_DATE)
                .respondsAfter(Duration.ofMillis(200), 403, REFUSED, "Date", TRUE_DATE)
                .responds(200, "first")
                .responds(200, "second");
        Outcome<String> first = bench.start(OperationType.WRITE);
        Outcome<String> second = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(1));

        assertThat(first.value()).isEqualTo("first");
        assertThat(second.value()).isEqualTo("second");
    }

    @Test
    @DisplayName("RETRY-3: a correction that proves wrong is named, and not a clock that is right")
    void wrongCorrection() {
        Bench right = new Bench();
        right.wire()
                .responds(403, REFUSED, "Date", "Thu, 29 Feb 2024 13:00:00 GMT")
                .responds(200, "done")
                .responds(403, REFUSED, "Date", TRUE_DATE)
                .responds(403, REFUSED, "Date", TRUE_DATE);
        right.start(OperationType.WRITE);

        assertThat(right.start(OperationType.WRITE).storageError())
                .hasMessageContaining("the date that an earlier response had corrected was wrong")
                .hasMessageNotContaining("0 s ahead");
        assertThat(right.wire().sent()).hasSize(4);
    }

    @Test
    @DisplayName("RETRY-3: a wrong key is not blamed on a clock that is right")
    void wrongKey() {
        Bench right = new Bench();
        right.wire().responds(403, REFUSED, "Date", TRUE_DATE);

        assertThat(right.start(OperationType.WRITE).storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageNotContaining("clock");
        assertThat(right.wire().sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-3: another 403 is not the clock's")
    void otherRefusal() {
        wire.responds(403, Bench.jsonError("AuthorizationFailure", "text"), "Date", TRUE_DATE);

        assertThat(bench.start(OperationType.WRITE).storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-3: it is signed once more although no retries are configured")
    void worksWithoutRetries() {
        wire.responds(403, REFUSED, "Date", TRUE_DATE).responds(200, "done");
        RetrySettings none = RetrySettings.builder().backoff(Backoff.none()).build();

        assertThat(bench.start(Bench.call(OperationType.WRITE, none)).value()).isEqualTo("done");
        assertThat(dates()).containsExactly(WRONG_DATE, TRUE_DATE);
    }

    @Test
    @DisplayName("RETRY-3: an error names a remedy only if it was tried")
    void namesOnlyWhatWasTried() {
        wire.respondsAfter(Duration.ofMillis(1_500), 403, REFUSED, "Date", TRUE_DATE);
        RetrySettings hasty = RetrySettings.builder()
                .deadline(Duration.ofSeconds(2))
                .minAttempt(Duration.ofSeconds(1))
                .reserve(Duration.ZERO)
                .build();
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, hasty));
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageNotContaining("signed once more");
        assertThat(wire.sent()).hasSize(1);
    }
}
