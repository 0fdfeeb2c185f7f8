package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
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

/** The attempts by themselves: address, permit, limit and what is known of the sending. The rules of the retry have tests of the pipeline. */
class RequestExecutorTest {

    private static final RetrySettings ONCE = RetrySettings.builder()
            .backoff(Backoff.none())
            .deadline(Duration.ofSeconds(20))
            .build();

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final ServiceLimits limits = Bench.limits(1, timer);
    private final Gate gate = limits.gates().account();
    private final List<String> urls = new ArrayList<>();
    private final OperationObserver observer = OperationObserver.none();

    private CompletableFuture<RetryResult<HttpResponse>> run(
            Exchange<?> exchange, Supplier<WriteTracker> sendings, Supplier<Mono<HttpResponse>> response) {
        TimeSources times = new TimeSources(timer, () -> Long.MIN_VALUE, Clock.fixed(Bench.START, ZoneOffset.UTC));
        RequestExecutor executor =
                new RequestExecutor(times, limits, new ServerClock(times.clock()), sendings, observer, ended -> {});
        return executor.attempts(exchange, (attempt, url) -> {
                    urls.add(url);
                    attempt.handedOver();
                    return response.get();
                })
                .toFuture();
    }

    private static Mono<HttpResponse> ok() {
        return Mono.just(new BufferedResponse(
                new HttpRequest(HttpMethod.GET, Bench.ROOT),
                200,
                new HttpHeaders().set(StorageResponse.REQUEST_ID, "6ca9"),
                new byte[0]));
    }

    private static Exchange<Object> foreign(String url, OperationType effect) {
        Operation operation = Operation.of("op", "thing", effect, ONCE);
        return Exchange.of(
                operation,
                Request.bySdkClient(operation, new HttpRequest(HttpMethod.GET, url), true, true, RequestCost.ONE),
                "id");
    }

    private Permit takeThePermit() {
        AtomicReference<Permit> taken = new AtomicReference<>();
        gate.request(PermitPriority.NORMAL, taken::set);
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
        var ended = run(foreign(url, OperationType.READ), WriteTracker::reporting, RequestExecutorTest::ok);

        assertThat(ended.join().stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(urls).containsExactly(expected);
    }

    @Test
    void answerComesWhenThePermitIsBack() {
        List<Integer> inUse = new ArrayList<>();

        var ended = run(foreign("http://h/a", OperationType.READ), WriteTracker::reporting, () -> {
            inUse.add(gate.inUse());
            return ok();
        });

        assertThat(ended.join().stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(inUse).containsExactly(1);
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-2, PERMIT-4: an attempt that waited for its turn in vain was not sent, whatever the HTTP client"
            + " tells")
    void waitingIsNotSending() {
        takeThePermit();
        Exchange<Object> exchange = foreign("http://h/a", OperationType.WRITE);
        var ended = run(exchange, WriteTracker::silent, RequestExecutorTest::ok);
        assertThat(exchange.unanswered()).isZero();

        timer.advanceTimeBy(Duration.ofSeconds(20));

        assertThat(ended.join().error()).isInstanceOf(GateTimeoutException.class);
        assertThat(ended.join().log().anyAmbiguous()).isFalse();
        assertThat(urls).isEmpty();
    }

    @Test
    @DisplayName("RETRY-2: an attempt under way over another HTTP client may have been carried out")
    void underWayIsOpen() {
        Exchange<Object> exchange = foreign("http://h/a", OperationType.WRITE);
        var ended = run(exchange, WriteTracker::silent, Mono::never);

        assertThat(exchange.unanswered()).isEqualTo(1);
        timer.advanceTimeBy(Duration.ofSeconds(20));
        assertThat(ended.join().log().attempts())
                .extracting(AttemptEnd::ambiguous)
                .containsExactly(true);
    }

    @Test
    @DisplayName(
            "PERMIT-4: a response that comes at the moment at which its time is over is closed, and the permit is back")
    void lateResponseIsClosed() {
        TestPublisher<HttpResponse> careless =
                TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
        StreamResponse late = new StreamResponse(200, Flux.empty());
        var ended = run(
                foreign("http://h/a", OperationType.READ), WriteTracker::reporting, () -> Mono.from(careless.flux()));

        timer.advanceTimeBy(Duration.ofSeconds(20));
        careless.emit(late);

        assertThat(ended.join().value()).isNull();
        assertThat(late.closed()).isTrue();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    void cancelEndsTheAttempt() {
        TestPublisher<HttpResponse> sent = TestPublisher.create();
        var ended = run(foreign("http://h/a", OperationType.READ), WriteTracker::reporting, sent::mono);
        sent.assertWasSubscribed();

        ended.cancel(true);

        sent.assertCancelled();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("nothing more is sent once everything is being ended, and the permit is passed on")
    void abandonedSendsNothing() {
        observer.inFlight().abandon();

        var ended = run(foreign("http://h/a", OperationType.READ), WriteTracker::reporting, RequestExecutorTest::ok);

        assertThat(ended).isNotDone();
        assertThat(urls).isEmpty();
        assertThat(gate.inUse()).isZero();
    }

    @Test
    void firstPermitThatWasGrantedBeforeIsUsed() {
        Exchange<String> exchange = Bench.call(OperationType.READ).forBatch(Bench.BATCH, takeThePermit());

        var ended = run(exchange, WriteTracker::reporting, RequestExecutorTest::ok);

        assertThat(ended.join().stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(gate.inUse()).isZero();
    }
}
