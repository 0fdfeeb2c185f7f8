package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.DeadlineExceededException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

class PipelineDeadlineTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "text");

    private final Bench bench = new Bench(1);
    private final FakeWire wire = bench.wire();

    private static RetrySettings deadline(long seconds) {
        return RetrySettings.builder()
                .retries(2)
                .deadline(Duration.ofSeconds(seconds))
                .reserve(Duration.ZERO)
                .build();
    }

    private List<String> timeouts() {
        return wire.sent().stream()
                .map(sent -> sent.url().replaceAll(".*[?&]timeout=", ""))
                .toList();
    }

    @Test
    @DisplayName("RETRY-5: an attempt tells the server its time, and waits 5 s longer itself")
    void silentAttemptIsCancelled() {
        wire.staysSilent().responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        bench.pass(Duration.ofSeconds(35).minusNanos(1));
        assertThat(wire.cancelled()).isZero();
        bench.pass(Duration.ofNanos(1));
        assertThat(wire.cancelled()).isEqualTo(1);
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(timeouts()).containsExactly("30", "30");
    }

    @Test
    @DisplayName("RETRY-5: timeout= shrinks on the wire as the deadline comes near, and the attempt with it")
    void timeoutShrinks() {
        wire.staysSilent().staysSilent();
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(50)));
        bench.pass(Duration.ofSeconds(50));

        assertThat(timeouts()).containsExactly("30", "8");
        assertThat(wire.cancelled()).isEqualTo(2);
        assertThat(wire.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(37));
        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class)
                .hasMessageContaining("the deadline of PT50S leaves no time");
        assertThat(outcome.storageError().failure().elapsed()).isEqualTo(Duration.ofSeconds(50));
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-5: timeout= stands behind a query that is there already")
    void timeoutJoinsAQuery() {
        wire.responds(200, "done");
        Request query = Request.of(
                "query",
                "people",
                OperationType.READ,
                com.azure.core.http.HttpMethod.GET,
                Bench.ROOT + "/people()?$top=5");
        bench.start(Exchange.of(query, RetrySettings.defaults(), response -> new ParseResult.Value<>("")));

        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/people()?$top=5&timeout=30");
    }

    @Test
    @DisplayName("RETRY-5: no retry starts with too little time to finish")
    void noAttemptWithTooLittleTime() {
        wire.respondsAfter(Duration.ofSeconds(9), 503, BUSY);
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(11)));
        bench.pass(Duration.ofSeconds(9));

        assertThat(outcome.storageError())
                .isInstanceOf(ThrottledException.class)
                .hasMessageContaining("the deadline of PT11S leaves no time");
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-5: who waits for a permit until the deadline has sent nothing")
    void waitsForAPermitUntilTheDeadline() {
        Permit taken = take();
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(20)));
        bench.pass(Duration.ofSeconds(20));

        assertThat(outcome.storageError())
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("no permit before the deadline");
        assertThat(outcome.storageError().failure().attempts()).isZero();
        assertThat(wire.sent()).isEmpty();
        taken.release();
        assertThat(bench.gate().inUse()).isZero();
        assertThat(bench.gate().waiting()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: an operation that was sent before it waited in vain does not say that it never was")
    void waitsInVainAfterAnAttempt() {
        wire.breaks(new java.io.IOException("reset"));
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(20)));
        Permit taken = take();
        bench.pass(Duration.ofSeconds(20));
        taken.release();

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(1);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-5: who was throttled and then waited in vain is told of the throttling")
    void waitsInVainAfterThrottling() {
        wire.responds(503, BUSY);
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(20)));
        Permit taken = take();
        bench.pass(Duration.ofSeconds(20));
        taken.release();

        assertThat(outcome.storageError())
                .isInstanceOf(ThrottledException.class)
                .hasMessageContaining("the deadline of PT20S came while it waited for its turn");
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-5: the time spent waiting for a permit is missing from the attempt's")
    void waitForPermitShortensTheAttempt() {
        Permit taken = take();
        wire.responds(200, "done");
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, deadline(20)));
        bench.pass(Duration.ofSeconds(10));
        taken.release();

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(timeouts()).containsExactly("5");
    }

    @Test
    @DisplayName("RETRY-8: who is cancelled during the back-off sends nothing more")
    void cancelDuringBackoff() {
        wire.responds(503, BUSY);
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(1));
        outcome.cancel();
        bench.pass(Duration.ofMinutes(5));

        assertThat(wire.sent()).hasSize(1);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-8: who is cancelled during an attempt cancels it on the wire")
    void cancelDuringAttempt() {
        wire.staysSilent();
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        outcome.cancel();
        bench.pass(Duration.ofMinutes(5));

        assertThat(wire.cancelled()).isEqualTo(1);
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-8: who is cancelled in the line for a permit leaves it")
    void cancelInTheLine() {
        Permit taken = take();
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        assertThat(bench.gate().waiting()).isEqualTo(1);
        outcome.cancel();

        assertThat(bench.gate().waiting()).isZero();
        taken.release();
        assertThat(wire.sent()).isEmpty();
    }

    private Permit take() {
        List<Permit> granted = new ArrayList<>();
        bench.gate().request(PermitPriority.NORMAL, granted::add);
        return granted.get(0);
    }

    private CompletableFuture<Throwable> interrupted(Mono<String> call, CountDownLatch begun) throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                BlockingAwait.on(call);
                thrown.completeExceptionally(new AssertionError("it succeeded"));
            } catch (RuntimeException e) {
                thrown.complete(e);
            }
        });
        caller.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        return thrown;
    }

    /** Ends when the call has begun to wait. */
    private static Mono<String> telling(Mono<String> call, CountDownLatch begun) {
        return call.mergeWith(Mono.<String>fromRunnable(begun::countDown)).next();
    }

    @Test
    @Timeout(60)
    @DisplayName("RETRY-8: an interrupted write says that its request went out")
    void interruptedAfterSending() throws Exception {
        wire.staysSilent();
        CountDownLatch begun = new CountDownLatch(1);
        Mono<String> call = telling(bench.pipeline().send(Bench.call(OperationType.WRITE)), begun);

        assertThat(interrupted(call, begun).get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(StorageInterruptedException.class, e -> {
                    assertThat(e.failure().orElseThrow().unansweredAttempts()).isEqualTo(1);
                    assertThat(e.failure().orElseThrow().attempts()).isEqualTo(1);
                    assertThat(e).hasMessageContaining("a request had gone out, and may have been applied");
                });
    }

    @Test
    @Timeout(60)
    @DisplayName("RETRY-8: an interrupted write that waited for its turn says that nothing went out")
    void interruptedBeforeSending() throws Exception {
        wire.staysSilent();
        bench.start(OperationType.WRITE);
        CountDownLatch begun = new CountDownLatch(1);
        Mono<String> call = telling(bench.pipeline().send(Bench.call(OperationType.WRITE)), begun);

        assertThat(interrupted(call, begun).get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(StorageInterruptedException.class, e -> {
                    assertThat(e.failure().orElseThrow().unansweredAttempts()).isZero();
                    assertThat(e.failure().orElseThrow().attempts()).isZero();
                    assertThat(e).hasMessageContaining("no request had gone out");
                });
        assertThat(wire.sent()).hasSize(1);
    }
}
