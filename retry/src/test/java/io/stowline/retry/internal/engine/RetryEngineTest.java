package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.Backoff;
import io.stowline.retry.Draws;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.Receiver;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

class RetryEngineTest {

    private static final Verdict BUSY = Verdict.retry("503 ServerBusy");

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults();
    private final Classifier<String> successOrBusy = (result, error) -> error == null ? Verdict.success() : BUSY;

    private Receiver<RetryResult<String>> start(ScriptedCall<String> retryCall) {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(retryCall).subscribe(receiver);
        return receiver.request();
    }

    private ScriptedCall<String> call(Classifier<String> classifier, Function<Attempt, Mono<String>> send) {
        return ScriptedCall.of(settings, Deadline.in(settings.deadline(), timer), classifier, send);
    }

    @Test
    void firstSuccessNeedsNoTimer() {
        RetryResult<String> ended =
                start(call(successOrBusy, attempt -> Mono.just("done"))).value();

        assertThat(ended.succeeded()).isTrue();
        assertThat(ended.value()).isEqualTo("done");
        assertThat(ended.log().attempts()).containsExactly(Verdict.success().entry(1, Duration.ZERO, Duration.ZERO));
        assertThat(timer.started()).isZero();
    }

    @Test
    void readsTheClockOnceForTheBeginAndOnceForTheEndOfAnAttempt() {
        ScriptedCall<String> retryCall = call(successOrBusy, attempt -> Mono.just("done"));
        int before = timer.readings();

        assertThat(start(retryCall).value().succeeded()).isTrue();

        assertThat(timer.readings() - before).isEqualTo(2);
    }

    @Test
    @DisplayName("retries are counted from the last attempt that did a part of the work, at no cost of the quota")
    void progressRenewsTheRetries() {
        AtomicInteger attempts = new AtomicInteger();
        RetryQuota quota = RetryQuota.of(QuotaSettings.defaults(), timer);
        ScriptedCall<String> retryCall = ScriptedCall.<String>of(
                        settings.toBuilder()
                                .retries(2)
                                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                                .build(),
                        Deadline.in(settings.deadline(), timer),
                        (result, error) -> BUSY,
                        attempt -> {
                            attempts.incrementAndGet();
                            return Mono.just("part");
                        })
                .within(quota, RetryQuota.ExhaustedPolicy.REFUSE)
                .renewedBy(() -> attempts.get() <= 5_000);

        Receiver<RetryResult<String>> receiver = start(retryCall);
        timer.advance(Duration.ofSeconds(10));

        assertThat(receiver.value().stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(attempts).hasValue(5_002);
    }

    @Test
    void logTellsWhatEachAttemptTookAndWaited() {
        List<Probe<String>> probes = new ArrayList<>();
        List<AttemptLog> seen = new ArrayList<>();
        Receiver<RetryResult<String>> receiver = start(call(successOrBusy, attempt -> {
            seen.add(attempt.log());
            probes.add(new Probe<>());
            return probes.get(probes.size() - 1);
        }));

        timer.advance(Duration.ofSeconds(1));
        probes.get(0).fail(new Exception("lost"));
        timer.stall(Duration.ofMillis(2_500));
        timer.advance(Duration.ZERO);
        timer.advance(Duration.ofSeconds(3));
        probes.get(1).emit("done");

        AttemptEnd first = BUSY.entry(1, Duration.ofSeconds(1), Duration.ZERO);
        AttemptEnd second = Verdict.success().entry(2, Duration.ofSeconds(3), Duration.ofMillis(2_500));
        assertThat(receiver.value().log().attempts()).containsExactly(first, second);
        assertThat(seen.get(0).attempts()).isEmpty();
        assertThat(seen.get(1).attempts()).containsExactly(first);
    }

    @Test
    void sendsOnlyWhenTheResultIsRequestedAndOnlyOnce() {
        AttemptScript script = AttemptScript.of(Verdict.success());
        Receiver<RetryResult<String>> receiver = new Receiver<>();

        engine.execute(script.call(settings, Deadline.in(settings.deadline(), timer)))
                .subscribe(receiver);
        assertThat(script.sent()).isZero();
        receiver.request();
        receiver.request();

        assertThat(script.sent()).isEqualTo(1);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    void eachSubscriberHasItsOwnOperation() {
        AttemptScript script = AttemptScript.of(Verdict.success());
        Mono<RetryResult<String>> mono = engine.execute(script.call(settings, Deadline.in(settings.deadline(), timer)));

        assertThat(mono.block().value()).isEqualTo("answer 1");
        assertThat(mono.block().log().attempts()).hasSize(1);
        assertThat(script.sent()).isEqualTo(2);
    }

    @Test
    void aThrowOfSendIsTheAttemptsError() {
        IllegalStateException thrown = new IllegalStateException("no transport");
        AtomicInteger sent = new AtomicInteger();
        Receiver<RetryResult<String>> receiver = start(call(successOrBusy, attempt -> {
            if (sent.incrementAndGet() == 1) {
                throw thrown;
            }
            return Mono.just("done");
        }));

        timer.advance(Duration.ofSeconds(2));

        assertThat(receiver.value().value()).isEqualTo("done");
        assertThat(receiver.value().log().attempts().get(0).reason()).isEqualTo("503 ServerBusy");
    }

    @Test
    void aThrowOfSendIsReportedWhenItEndsTheOperation() {
        IllegalStateException thrown = new IllegalStateException("no transport");

        RetryResult<String> ended = start(call((result, error) -> Verdict.never("broken"), attempt -> {
                    throw thrown;
                }))
                .value();

        assertThat(ended.error()).isSameAs(thrown);
        assertThat(ended.stop()).isEqualTo(StopReason.NOT_RETRYABLE);
    }

    @Test
    void aSourceThatThrowsOrIsNullIsTheAttemptsError() {
        Mono<String> throwing = new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super String> actual) {
                throw new IllegalStateException("in subscribe");
            }
        };
        Classifier<String> never = (result, error) -> Verdict.never("broken");

        assertThat(start(call(never, attempt -> throwing)).value().error()).hasMessage("in subscribe");
        assertThat(start(call(never, attempt -> null)).value().error()).hasMessage("send returned null");
    }

    @Test
    void anEmptySourceIsTheAttemptsError() {
        RetryResult<String> ended = start(call((result, error) -> Verdict.never("empty"), attempt -> Mono.empty()))
                .value();

        assertThat(ended.error())
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("attempt 1 completed without a result");
    }

    @Test
    void aThrowOfTheClassifierEndsTheOperationAsNotRetryable() {
        IllegalArgumentException thrown = new IllegalArgumentException("unknown status");
        List<String> discarded = new ArrayList<>();

        RetryResult<String> ended = start(call(
                                (result, error) -> {
                                    throw thrown;
                                },
                                attempt -> Mono.just("answer"))
                        .discarding(discarded::add))
                .value();

        assertThat(ended.error()).isSameAs(thrown);
        assertThat(ended.stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(ended.verdict().reason())
                .isEqualTo("judging the attempt failed: java.lang.IllegalArgumentException");
        assertThat(ended.log().anyAmbiguous()).isTrue();
        assertThat(discarded).containsExactly("answer");
    }

    @Test
    void aThrowOfTheClassifierKeepsTheAttemptsError() {
        Exception lost = new Exception("lost");

        RetryResult<String> ended = start(call(
                        (result, error) -> {
                            throw new IllegalArgumentException("unknown error");
                        },
                        attempt -> Mono.error(lost)))
                .value();

        assertThat(ended.error()).hasMessage("unknown error").hasSuppressedException(lost);
    }

    @Test
    void aClassifierThatRethrowsTheAttemptsErrorIsNotItsOwnSuppressedOne() {
        IllegalStateException lost = new IllegalStateException("lost");

        RetryResult<String> ended = start(call(
                        (result, error) -> {
                            throw lost;
                        },
                        attempt -> Mono.error(lost)))
                .value();

        assertThat(ended.error()).isSameAs(lost).hasNoSuppressedExceptions();
    }

    @Test
    void aNullVerdictAndAThrowAboutTheBodyEndItToo() {
        assertThat(start(call((result, error) -> null, attempt -> Mono.just("answer")))
                        .value()
                        .error())
                .isInstanceOf(NullPointerException.class)
                .hasMessage("classifier returned null");
        assertThat(start(call((result, error) -> BUSY, attempt -> Mono.just("answer"))
                                .replayableWhile(() -> {
                                    throw new IllegalStateException("body is gone");
                                }))
                        .value()
                        .error())
                .hasMessage("body is gone");
    }

    @Test
    void aTimerThatRefusesEndsTheOperationWithBothErrors() {
        timer.refuse();
        Exception lost = new Exception("lost");

        RetryResult<String> ended =
                start(call(successOrBusy, attempt -> Mono.error(lost))).value();

        assertThat(ended.error()).hasMessage("the timer is shut down").hasSuppressedException(lost);
        assertThat(ended.stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(ended.verdict()).isEqualTo(BUSY);
    }

    @Test
    void aThrowOfDiscardDoesNotStopTheOperation() {
        AttemptScript script = AttemptScript.of(Verdict.retryNow("refused"), Verdict.success());
        ScriptedCall<String> retryCall = script.call(settings, Deadline.in(settings.deadline(), timer))
                .discarding(result -> {
                    throw new IllegalStateException("cannot close");
                });

        assertThat(start(retryCall).value().value()).isEqualTo("answer 2");
    }

    @Test
    void attemptsSeeTheSubscribersContext() {
        List<Probe<String>> probes = new ArrayList<>();
        Receiver<RetryResult<String>> receiver = new Receiver<>(Context.of("trace", "t-1"));
        engine.execute(call(successOrBusy, attempt -> {
                    probes.add(new Probe<>());
                    return probes.get(probes.size() - 1);
                }))
                .subscribe(receiver);
        receiver.request();

        probes.get(0).fail(new Exception("lost"));
        timer.advance(Duration.ofSeconds(2));
        probes.get(1).emit("done");

        assertThat(probes).allSatisfy(probe -> assertThat(probe.context().<String>get("trace"))
                .isEqualTo("t-1"));
    }

    @Test
    void aThousandRetriesAtOnceDoNotGrowTheStack() {
        RetrySettings many = RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ZERO))
                .retries(1_000)
                .build();
        AtomicInteger deepest = new AtomicInteger();
        ScriptedCall<String> retryCall =
                ScriptedCall.of(many, Deadline.in(many.deadline(), timer), (result, error) -> BUSY, attempt -> {
                    deepest.accumulateAndGet(
                            StackWalker.getInstance().walk(Stream::count).intValue(), Math::max);
                    return Mono.just("busy");
                });

        RetryResult<String> ended = start(retryCall).value();

        assertThat(ended.log().attempts()).hasSize(1_001);
        assertThat(deepest.get()).isLessThan(200);
    }

    @Test
    void lateSignalsOfAnEndedAttemptDoNotReachTheNextOne() {
        List<Probe<String>> probes = new ArrayList<>();
        List<String> discarded = new ArrayList<>();
        Receiver<RetryResult<String>> receiver = start(call(successOrBusy, attempt -> {
                    probes.add(new Probe<>());
                    return probes.get(probes.size() - 1);
                })
                .discarding(discarded::add));
        probes.get(0).fail(new Exception("lost"));
        timer.advance(Duration.ofSeconds(2));

        probes.get(0).emit("late");
        probes.get(0).fail(new Exception("late"));

        assertThat(receiver.empty()).isTrue();
        assertThat(discarded).containsExactly("late");
        probes.get(1).emit("done");
        assertThat(receiver.value().value()).isEqualTo("done");
        assertThat(receiver.value().log().attempts()).hasSize(2);
    }

    @Test
    void aResultBeforeAnErrorIsDiscarded() {
        Probe<String> probe = new Probe<>();
        List<String> discarded = new ArrayList<>();
        Receiver<RetryResult<String>> receiver = start(
                call((result, error) -> Verdict.never("cut"), attempt -> probe).discarding(discarded::add));

        probe.next("half");
        probe.fail(new Exception("cut off"));

        assertThat(receiver.value().error()).hasMessage("cut off");
        assertThat(discarded).containsExactly("half");
    }

    @Test
    @DisplayName("RETRY-2: the whole ladder in Reactor's virtual time")
    void runsOnAReactorScheduler() {
        VirtualTimeScheduler virtual = VirtualTimeScheduler.create();
        RetryEngine reactive = new RetryEngine(virtual, new Draws(0.5));
        AttemptScript script = AttemptScript.of(BUSY);
        Mono<RetryResult<String>> mono =
                reactive.execute(script.call(settings, Deadline.in(settings.deadline(), virtual)));

        StepVerifier.create(
                        mono.map(ended -> ended.stop() + " after " + ended.log().elapsed()))
                .then(() -> virtual.advanceTimeBy(Duration.ofSeconds(52)))
                .expectNext("RETRIES_EXHAUSTED after PT52S")
                .verifyComplete();
        virtual.dispose();
    }

    @Test
    @DisplayName("PERMIT-1: a result that is replaced by another one of the same attempt is discarded")
    void aReplacedResultIsDiscarded() {
        Probe<String> probe = new Probe<>();
        List<String> discarded = new ArrayList<>();
        Receiver<RetryResult<String>> receiver =
                start(call(successOrBusy, attempt -> probe).discarding(discarded::add));

        probe.next("first");
        probe.next("second");
        probe.complete();

        assertThat(receiver.value().value()).isEqualTo("second");
        assertThat(discarded).containsExactly("first");
    }
}
