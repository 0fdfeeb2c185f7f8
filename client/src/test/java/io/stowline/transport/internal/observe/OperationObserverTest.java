package io.stowline.transport.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.NotFoundException;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationEnd.Kind;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.table.ObservingRecorder;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class OperationObserverTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "text");

    private final ObservingRecorder recorder = new ObservingRecorder();
    private final Bench bench = bench(recorder);
    private final FakeWire wire = bench.wire();

    private static Bench bench(StowlineListener listener) {
        return new Bench(timer -> Bench.limits(4, timer), listener);
    }

    private Mono<String> observed(Bench on) {
        return on.pipeline()
                .observer()
                .operation("put", () -> "people(p, r)", on.pipeline().send(Bench.call(OperationType.WRITE)));
    }

    private Mono<String> observed() {
        return observed(bench);
    }

    @Test
    void anOperationBeginsAndEndsOnce() {
        wire.respondsAfter(Duration.ofSeconds(2), 200, "done");
        var outcome = bench.start(observed());
        assertThat(recorder.only().ends()).isEmpty();
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(recorder.only().operation()).isEqualTo(new OperationInfo("acct", "table", "put", "people(p, r)"));
        assertThat(recorder.only().end())
                .isEqualTo(new OperationEnd(Kind.SUCCEEDED, Duration.ofSeconds(2), null, null));
    }

    @Test
    @DisplayName("a fatal error that the subscription throws ends the operation")
    void aBrokenBeginning() {
        var outcome = bench.start(bench.pipeline().observer().operation("put", () -> "people(p, r)", Mono.defer(() -> {
            throw new NoClassDefFoundError("of the work");
        })));

        assertThat(outcome.error())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("put people(p, r)")
                .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(recorder.only().end().kind()).isEqualTo(Kind.FAILED);
        assertThat(bench.pipeline().observer().inFlight().size()).isZero();
    }

    @Test
    void nothingBeginsBeforeTheSubscriptionAndEachIsAnOperationOfItsOwn() {
        Mono<String> work = Mono.defer(this::observed);
        assertThat(recorder.operations()).isEmpty();
        wire.responds(200, "1").responds(200, "2");
        bench.start(work);
        bench.start(work);

        assertThat(recorder.operations())
                .hasSize(2)
                .allSatisfy(reported -> assertThat(reported.end().kind()).isEqualTo(Kind.SUCCEEDED));
    }

    @Test
    void aFailureIsReported() {
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));
        var outcome = bench.start(observed());

        assertThat(recorder.only().end().kind()).isEqualTo(Kind.FAILED);
        assertThat(recorder.only().end().error()).isSameAs(outcome.error()).isInstanceOf(NotFoundException.class);
    }

    @Test
    void anUnknownOutcomeIsReported() {
        for (int i = 0; i < 5; i++) {
            wire.breaks(new IOException("reset"));
        }
        bench.start(observed());
        bench.pass(Duration.ofMinutes(2));

        assertThat(recorder.only().end().kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(recorder.only().end().error()).isNotNull();
    }

    @Test
    void aCancelIsReported() {
        wire.staysSilent();
        var outcome = bench.start(observed());
        bench.pass(Duration.ofSeconds(1));
        outcome.cancel();

        assertThat(recorder.only().end())
                .isEqualTo(new OperationEnd(Kind.CANCELLED, Duration.ofSeconds(1), null, null));
    }

    @Test
    void anEmptyResultIsASuccess() {
        bench.start(bench.pipeline().observer().operation("find", () -> "x", Mono.empty()));

        assertThat(recorder.only().end().kind()).isEqualTo(Kind.SUCCEEDED);
    }

    @Test
    void theAttemptsOfARequestAreReported() {
        wire.responds(503, BUSY).breaks(new IOException("reset")).responds(200, "done");
        bench.start(observed());
        bench.pass(Duration.ofMinutes(1));

        assertThat(recorder.only().requests()).hasSize(1);
        RequestEnd request = recorder.only().requests().get(0);
        assertThat(request.clientRequestId()).isEqualTo(wire.last().header("x-ms-client-request-id"));
        assertThat(request.stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(request.attempts())
                .extracting(entry -> entry.reason())
                .containsExactly(
                        "503 ServerBusy", "IOException", Verdict.success().reason());
    }

    @Test
    void nestedOperationsArePartsOfTheOutermost() {
        OperationObserver observer = bench.pipeline().observer();
        wire.responds(200, "1").responds(200, "2");
        Mono<String> both = observed().then(Mono.defer(this::observed));
        bench.start(observer.operation("upload", () -> "all", both));

        assertThat(recorder.only().operation().name()).isEqualTo("upload");
        assertThat(recorder.only().requests()).hasSize(2);
        assertThat(recorder.only().end().kind()).isEqualTo(Kind.SUCCEEDED);
    }

    @Test
    void requestsOfAnOperationSeeTheListenersContext() {
        List<Object> seen = new ArrayList<>();
        Mono<String> work = Mono.deferContextual(context -> {
            seen.add(context.getOrDefault(ObservingRecorder.KEY, null));
            return Mono.just("done");
        });
        bench.start(bench.pipeline().observer().operation("put", () -> "x", work));

        assertThat(seen).containsExactly("put");
    }

    @Test
    void theCallersContextIsShownToTheListener() {
        List<ContextView> seen = new ArrayList<>();
        Bench own = bench(new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                seen.add(context);
                return OperationListener.NONE;
            }
        });
        own.wire().responds(200, "done");
        own.start(observed(own).contextWrite(Context.of("tenant", "a")));

        assertThat(seen).hasSize(1);
        assertThat(seen.get(0).<String>get("tenant")).isEqualTo("a");
    }

    @Test
    void aListenerMayFail() {
        Bench own = bench(new Throwing());
        own.wire().responds(200, "done");

        assertThat(own.start(observed(own)).value()).isEqualTo("done");
    }

    private static final class Throwing implements StowlineListener, OperationListener {

        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            return this;
        }

        @Override
        public Context context(Context context) {
            throw new IllegalStateException("context");
        }

        @Override
        public void onRequestEnd(RequestEnd request) {
            throw new IllegalStateException("attempted");
        }

        @Override
        public void onOperationEnd(OperationEnd end) {
            throw new IllegalStateException("ended");
        }
    }

    @Test
    void withoutAListenerTheWorkIsTheSame() {
        Mono<String> work = Mono.just("done");

        assertThat(OperationObserver.none().operation("put", () -> "x", work)).isSameAs(work);
    }

    /** A listener whose operations run application code in their own way. */
    private static ObservedCode running(Consumer<Runnable> way) {
        StowlineListener listener = new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    public void run(Runnable code) {
                        way.accept(code);
                    }
                };
            }
        };
        return bench(listener).pipeline().observer().code("handle", () -> "orders(1)", List::of);
    }

    @Test
    @DisplayName("code of the application runs once, whatever its listener does")
    void code() {
        List<Consumer<Runnable>> ways = List.of(
                Runnable::run,
                code -> {},
                code -> {
                    code.run();
                    code.run();
                },
                code -> {
                    throw new IllegalStateException("before");
                },
                code -> {
                    code.run();
                    throw new AssertionError("after");
                });

        for (Consumer<Runnable> way : ways) {
            AtomicInteger runs = new AtomicInteger();
            running(way).run(runs::incrementAndGet);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    @DisplayName("the headers of a listener that fails are none")
    void headers() {
        StowlineListener listener = new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    public Map<String, String> headers() {
                        throw new IllegalStateException("broken");
                    }
                };
            }
        };
        List<Map<String, String>> seen = new ArrayList<>();
        Mono<String> work = Mono.deferContextual(context -> {
            seen.add(OperationObserver.headers(context));
            return Mono.just("done");
        });

        bench(listener)
                .pipeline()
                .observer()
                .operation("send", () -> "orders", work)
                .block();

        assertThat(seen).containsExactly(Map.of());
    }

    @Test
    @DisplayName("a listener that returns null where it has a result does not reach the operation")
    void nullOfAListener() {
        StowlineListener nothing = new StowlineListener() {
            @Override
            @SuppressWarnings("NullAway") // as code of the application may
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return null;
            }
        };
        StowlineListener incomplete = new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    @SuppressWarnings("NullAway") // as code of the application may
                    public Context context(Context known) {
                        return null;
                    }

                    @Override
                    @SuppressWarnings("NullAway") // as code of the application may
                    public Map<String, String> headers() {
                        return null;
                    }
                };
            }
        };
        for (StowlineListener listener : List.of(nothing, incomplete)) {
            Mono<String> work = Mono.deferContextual(context ->
                    Mono.just("done " + OperationObserver.headers(context).size()));

            assertThat(bench(listener)
                            .pipeline()
                            .observer()
                            .operation("send", () -> "orders", work)
                            .block())
                    .isEqualTo("done 0");
        }
    }
}
