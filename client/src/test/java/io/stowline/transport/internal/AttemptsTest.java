package io.stowline.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.AttemptLog;
import io.stowline.retry.Backoff;
import io.stowline.retry.Ended;
import io.stowline.retry.Gate;
import io.stowline.retry.GateTimeoutException;
import io.stowline.retry.Permit;
import io.stowline.retry.Priority;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Stop;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The engine by itself: address, permit, limit and what is known of the sending. The rules of the retry have tests of the pipeline. */
class AttemptsTest {

    private static final RetrySettings ONCE = RetrySettings.builder()
            .backoff(Backoff.none())
            .deadline(Duration.ofSeconds(20))
            .build();

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final Limits limits = Bench.limits(1, timer);
    private final Gate gate = limits.gates().account();
    private final List<String> urls = new ArrayList<>();
    private boolean abandoned;

    private CompletableFuture<Ended<HttpResponse>> run(
            Call<?> call, Supplier<Sending> sendings, Supplier<Mono<HttpResponse>> answer) {
        Times times = new Times(timer, () -> Long.MIN_VALUE, Clock.fixed(Bench.START, ZoneOffset.UTC));
        Attempts attempts = new Attempts(times, limits, new ServerClock(times.clock()), sendings, () -> abandoned);
        return attempts.run(call, url -> {
                    urls.add(url.toString());
                    return answer.get();
                })
                .toFuture();
    }

    private static Mono<HttpResponse> ok() {
        return Mono.just(
                new BufferedAnswer(new HttpRequest(HttpMethod.GET, Bench.ROOT), 200, new HttpHeaders(), new byte[0]));
    }

    private static Call<Object> foreign(String url, Effect effect) {
        return Call.of(
                Operation.of("op", "thing", effect, ONCE),
                Asked.bySdkClient(new HttpRequest(HttpMethod.GET, url), true, true, Load.ONE),
                "id");
    }

    private Permit takeThePermit() {
        AtomicReference<Permit> taken = new AtomicReference<>();
        gate.request(Priority.NORMAL, taken::set);
        return taken.get();
    }

    @ParameterizedTest
    @DisplayName("RETRY-5: every attempt asks the service to end in time; a limit that the client has asked for stays")
    @CsvSource({
        "http://h/a, http://h/a?timeout=15",
        "http://h/a?b=c, http://h/a?b=c&timeout=15",
        "http://h/a?visibilitytimeout=9, http://h/a?visibilitytimeout=9&timeout=15",
        "http://h/a?timeout=3, http://h/a?timeout=3",
        "http://h/a?b=c&timeout=3&d=e, http://h/a?b=c&timeout=3&d=e",
    })
    void limitsAtTheService(String url, String expected) {
        var ended = run(foreign(url, Effect.READ), Sending::told, AttemptsTest::ok);

        assertThat(ended.join().stop()).isEqualTo(Stop.SUCCEEDED);
        assertThat(urls).containsExactly(expected);
    }

    @Test
    void answerComesWhenThePermitIsBack() {
        List<Integer> inUse = new ArrayList<>();

        var ended = run(foreign("http://h/a", Effect.READ), Sending::told, () -> {
            inUse.add(gate.inUse());
            return ok();
        });

        assertThat(ended.join().stop()).isEqualTo(Stop.SUCCEEDED);
        assertThat(inUse).containsExactly(1);
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName(
            "RETRY-2, PERMIT-4: an attempt that waited for its turn in vain was not sent, whatever the HTTP client tells")
    void waitingIsNotSending() {
        takeThePermit();
        Call<Object> call = foreign("http://h/a", Effect.WRITE);
        var ended = run(call, Sending::untold, AttemptsTest::ok);
        assertThat(call.unanswered()).isZero();

        timer.advanceTimeBy(Duration.ofSeconds(20));

        assertThat(ended.join().error()).isInstanceOf(GateTimeoutException.class);
        assertThat(ended.join().log().anyAmbiguous()).isFalse();
        assertThat(urls).isEmpty();
    }

    @Test
    @DisplayName("RETRY-2: an attempt under way over another HTTP client may have been carried out")
    void underWayIsOpen() {
        Call<Object> call = foreign("http://h/a", Effect.WRITE);
        var ended = run(call, Sending::untold, Mono::never);

        assertThat(call.unanswered()).isEqualTo(1);
        timer.advanceTimeBy(Duration.ofSeconds(20));
        assertThat(ended.join().log().attempts())
                .extracting(AttemptLog.Entry::ambiguous)
                .containsExactly(true);
    }

    @Test
    @DisplayName(
            "PERMIT-4: an answer that comes at the moment at which its time is over is closed, and the permit is back")
    void lateAnswerIsClosed() {
        TestPublisher<HttpResponse> careless =
                TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
        StreamAnswer late = new StreamAnswer(200, Flux.empty());
        var ended = run(foreign("http://h/a", Effect.READ), Sending::told, () -> Mono.from(careless.flux()));

        timer.advanceTimeBy(Duration.ofSeconds(20));
        careless.emit(late);

        assertThat(ended.join().value()).isNull();
        assertThat(late.closed()).isTrue();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    void cancelEndsTheAttempt() {
        TestPublisher<HttpResponse> sent = TestPublisher.create();
        var ended = run(foreign("http://h/a", Effect.READ), Sending::told, sent::mono);
        sent.assertWasSubscribed();

        ended.cancel(true);

        sent.assertCancelled();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("nothing more is sent once everything is being ended, and the permit is passed on")
    void abandonedSendsNothing() {
        abandoned = true;

        var ended = run(foreign("http://h/a", Effect.READ), Sending::told, AttemptsTest::ok);

        assertThat(ended).isNotDone();
        assertThat(urls).isEmpty();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    void firstPermitThatWasGrantedBeforeIsUsed() {
        Call<String> call = Bench.call(Effect.READ).admittedBy(takeThePermit());

        var ended = run(call, Sending::told, AttemptsTest::ok);

        assertThat(ended.join().stop()).isEqualTo(Stop.SUCCEEDED);
        assertThat(gate.inUse()).isZero();
    }
}
