package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.engine.Classifier;
import io.stowline.retry.internal.engine.Probe;
import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.ScriptedCall;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** R8: cancelling ends what is in flight, whatever it is, and nothing more is sent. */
class RetryCancelTest {

    private static final Verdict BUSY = Verdict.retry("503 ServerBusy");

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults();
    private final List<Probe<String>> probes = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();
    private final Receiver<RetryResult<String>> receiver = new Receiver<>();

    private void start(Classifier<String> classifier) {
        engine.execute(ScriptedCall.<String>of(settings, deadline(), classifier, attempt -> {
                            probes.add(new Probe<>());
                            return probes.get(probes.size() - 1);
                        })
                        .discarding(discarded::add))
                .subscribe(receiver);
    }

    private Deadline deadline() {
        return Deadline.in(settings.deadline(), timer);
    }

    private void expectSilence(int sent) {
        timer.advance(Duration.ofMinutes(10));
        assertThat(probes).hasSize(sent);
        assertThat(receiver.empty()).isTrue();
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-8: a cancel before the request sends nothing")
    void cancelBeforeTheRequest() {
        start((result, error) -> BUSY);
        receiver.cancel();
        receiver.request();

        expectSilence(0);
    }

    @Test
    @DisplayName("RETRY-8: a cancel stops the running attempt")
    void cancelStopsTheAttempt() {
        start((result, error) -> BUSY);
        receiver.request();

        receiver.cancel();

        assertThat(probes.get(0).cancelled()).isTrue();
        probes.get(0).fail(new Exception("aborted"));
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: a cancel stops the delay")
    void cancelStopsTheDelay() {
        start((result, error) -> BUSY);
        receiver.request();
        probes.get(0).emit("busy");
        assertThat(timer.running()).isEqualTo(1);

        receiver.cancel();

        assertThat(timer.running()).isZero();
        expectSilence(1);
        assertThat(discarded).containsExactly("busy");
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and result, the cancel first: the result is discarded")
    void cancelBeforeTheResult() {
        start((result, error) -> Verdict.success());
        receiver.request();

        receiver.cancel();
        probes.get(0).emit("late");

        assertThat(discarded).containsExactly("late");
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and result, the result first: it is delivered and not discarded")
    void resultBeforeTheCancel() {
        start((result, error) -> Verdict.success());
        receiver.request();

        probes.get(0).emit("done");
        receiver.cancel();

        assertThat(receiver.value().value()).isEqualTo("done");
        assertThat(discarded).isEmpty();
        assertThat(probes.get(0).cancelled()).isFalse();
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and result, the cancel between the result and its completion")
    void cancelBetweenResultAndCompletion() {
        start((result, error) -> Verdict.success());
        receiver.request();

        probes.get(0).next("half");
        receiver.cancel();
        probes.get(0).complete();

        assertThat(discarded).containsExactly("half");
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and verdict: cancelled while judged, a success is discarded")
    void cancelWhileJudgedAsSuccess() {
        start((result, error) -> {
            receiver.cancel();
            return Verdict.success();
        });
        receiver.request();

        probes.get(0).emit("done");

        assertThat(discarded).containsExactly("done");
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and verdict: cancelled while judged, no retry follows")
    void cancelWhileJudgedAsBusy() {
        start((result, error) -> {
            receiver.cancel();
            return Verdict.retryNow("refused");
        });
        receiver.request();

        probes.get(0).emit("busy");

        assertThat(discarded).containsExactly("busy");
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and verdict: cancelled while judged, no delay starts")
    void cancelWhileJudgedStartsNoTimer() {
        start((result, error) -> {
            receiver.cancel();
            return BUSY;
        });
        receiver.request();

        probes.get(0).emit("busy");

        assertThat(timer.started()).isZero();
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: race of cancel and timer, the timer first: the new attempt is cancelled")
    void timerBeforeTheCancel() {
        start((result, error) -> BUSY);
        receiver.request();
        probes.get(0).emit("busy");

        timer.advance(Duration.ofSeconds(2));
        receiver.cancel();

        assertThat(probes.get(1).cancelled()).isTrue();
        expectSilence(2);
    }

    @Test
    @DisplayName(
            "RETRY-8: a timer that fires before it has returned its handle does not hide the attempt from a cancel")
    void timerThatFiresAtOnce() {
        timer.fireAtOnce();
        start((result, error) -> BUSY);
        receiver.request();
        probes.get(0).emit("busy");
        assertThat(probes).hasSize(2);

        receiver.cancel();

        assertThat(probes.get(1).cancelled()).isTrue();
        expectSilence(2);
    }

    @Test
    @DisplayName("RETRY-8: a cancel while the timer of the delay is being started stops it")
    void cancelWhileTheTimerStarts() {
        timer.whileStarting(receiver::cancel);
        start((result, error) -> BUSY);
        receiver.request();

        probes.get(0).emit("busy");

        assertThat(timer.started()).isEqualTo(1);
        assertThat(timer.running()).isZero();
        expectSilence(1);
    }

    @Test
    @DisplayName("RETRY-8: cancelled inside send, the attempt is not subscribed to")
    void cancelInsideSend() {
        Probe<String> probe = new Probe<>();
        engine.execute(ScriptedCall.<String>of(settings, deadline(), (result, error) -> BUSY, attempt -> {
                    receiver.cancel();
                    return probe;
                }))
                .subscribe(receiver);
        receiver.request();

        assertThat(probe.subscribed()).isFalse();
        expectSilence(0);
    }

    @Test
    @DisplayName(
            "RETRY-8: cancelled while the source is being subscribed to, the attempt is cancelled and not requested")
    void cancelInsideSubscribe() {
        Probe<String> probe = new Probe<>();
        Mono<String> source = new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super String> actual) {
                receiver.cancel();
                probe.subscribe(actual);
            }
        };
        engine.execute(ScriptedCall.<String>of(settings, deadline(), (result, error) -> BUSY, attempt -> source))
                .subscribe(receiver);
        receiver.request();

        assertThat(probe.cancelled()).isTrue();
        assertThat(probe.requested()).isFalse();
        expectSilence(0);
    }
}
