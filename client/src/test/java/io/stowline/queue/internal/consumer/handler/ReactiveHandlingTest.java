package io.stowline.queue.internal.consumer.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.observe.OperationObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class ReactiveHandlingTest {

    private final List<String> events = new ArrayList<>();
    private final OperationObserver observer = new OperationObserver(
            new StowlineListener() {
                @Override
                public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                    events.add(operation.service() + " " + operation.name() + " " + operation.resource());
                    return new OperationListener() {
                        @Override
                        public Context context(Context known) {
                            return known.put("parent", operation.name());
                        }

                        @Override
                        public void onOperationEnd(OperationEnd end) {
                            events.add(end.kind().name());
                        }
                    };
                }
            },
            Schedulers.immediate(),
            "acct",
            "queue",
            null,
            new InFlightRegistry());

    private final class Recorded implements MessageHandling.Progress {

        @Override
        public void began() {
            events.add("began");
        }

        @Override
        public void ended(@Nullable Throwable error) {
            events.add(error == null ? "ended" : "ended by " + error.getMessage());
        }

        @Override
        public void refused(Throwable error) {
            events.add("refused");
        }
    }

    private MessageHandling.HandlerCall start(Function<List<LeaseKeeper>, Publisher<?>> code) {
        return new ReactiveHandling(
                        Runnable::run, messages -> observer.code("handle", () -> "orders(1)", List::of), code)
                .start(List.of(), new Recorded());
    }

    @Test
    @DisplayName(
            "QUEUE-4: the end of the publisher is the end of the handling, an observed operation that is the parent of"
                    + " others")
    void ends() {
        start(messages -> Mono.deferContextual(seen -> {
            events.add("parent " + seen.get("parent"));
            return Mono.just(1);
        }));

        assertThat(events).containsExactly("began", "queue handle orders(1)", "parent handle", "SUCCEEDED", "ended");
    }

    @Test
    @DisplayName("QUEUE-3: an error of the publisher, or of the code that makes it, is a failure")
    void fails() {
        start(messages -> Flux.just(1, 2).concatWith(Mono.error(new IllegalStateException("late"))));
        start(messages -> {
            throw new IllegalStateException("early");
        });
        start(messages -> null);

        assertThat(events).contains("ended by late", "ended by early").hasSize(12);
        assertThat(events).filteredOn("FAILED"::equals).hasSize(3);
    }

    @Test
    @DisplayName("QUEUE-2: cancelling cancels the publisher, and ends the handling once")
    void cancels() {
        Sinks.Empty<Void> never = Sinks.empty();
        MessageHandling.HandlerCall call = start(messages -> never.asMono().doOnCancel(() -> events.add("cancelled")));
        assertThat(events).doesNotContain("ended");
        call.cancel();
        call.cancel();

        assertThat(events).contains("cancelled", "CANCELLED").endsWith("ended");
        assertThat(events).filteredOn("ended"::equals).hasSize(1);
    }

    @Test
    @DisplayName(
            "QUEUE-3: an error that Reactor throws out of the subscription is a failure, and the handling ends once")
    void failsByFatalErrors() {
        List<Error> fatal = List.of(
                new NoClassDefFoundError("Missing"),
                new ExceptionInInitializerError("static"),
                new StackOverflowError("deep"),
                new OutOfMemoryError("heap"));
        for (Error error : fatal) {
            events.clear();
            start(messages -> Mono.fromRunnable(() -> {
                throw error;
            }));
            assertThat(events).contains("FAILED", "ended by " + error.getMessage());
            assertThat(events).filteredOn(event -> event.startsWith("ended")).hasSize(1);
        }
    }

    @Test
    @DisplayName("QUEUE-3: a fatal error in a step behind a value of another thread of the library is a failure")
    void failsByLaterFatalErrors() {
        Sinks.One<Integer> response = Sinks.one();
        start(messages -> FatalErrors.ending(FatalErrors.handingOver(response.asMono()))
                .flatMap(value -> Mono.defer(() -> {
                    throw new NoClassDefFoundError("Missing");
                }))
                .doOnCancel(() -> events.add("cancelled")));
        assertThat(events).filteredOn(event -> event.startsWith("ended")).isEmpty();
        response.tryEmitValue(1);

        assertThat(events).contains("FAILED", "cancelled");
        assertThat(events)
                .filteredOn(event -> event.startsWith("ended"))
                .singleElement()
                .asString()
                .contains("NoClassDefFoundError");
    }

    @Test
    @DisplayName("QUEUE-3: a fatal error in a step behind a result that is delivered as a callback is a failure")
    void failsByFatalErrorsBehindDeliveries() {
        Callbacks callbacks = Callbacks.on(Runnable::run, Runnable::run);
        Function<Object, Publisher<?>> missing = value -> {
            throw new NoClassDefFoundError("Missing");
        };
        Sinks.One<Integer> response = Sinks.one();
        CompletableFuture<Integer> batched = new CompletableFuture<>();
        List<Publisher<?>> chains = List.of(
                callbacks.deliver(response.asMono()).flux().concatMap(missing),
                callbacks.deliver(response.asMono().flux(), 1).concatMap(missing),
                callbacks.deliver(response.asMono().then()).then(Mono.defer(() -> Mono.from(missing.apply(1)))),
                callbacks
                        .deliver(response.asMono().then(Mono.error(new IllegalStateException("refused"))))
                        .onErrorResume(error -> Mono.from(missing.apply(error))),
                callbacks.deliver(batched).flux().concatMap(missing));
        chains.forEach(chain -> start(messages -> chain));
        assertThat(events).filteredOn(event -> event.startsWith("ended")).isEmpty();
        response.tryEmitValue(1);
        batched.complete(1);

        assertThat(events).filteredOn("FAILED"::equals).hasSameSizeAs(chains);
        assertThat(events)
                .filteredOn(event -> event.startsWith("ended"))
                .hasSameSizeAs(chains)
                .allMatch(event -> event.endsWith("Missing"));
    }

    static Stream<UnaryOperator<Flux<Object>>> steps() {
        return Stream.of(
                values -> values.map(ReactiveHandlingTest::missing),
                values -> values.filter(value -> missing(value) == null),
                values -> values.doOnNext(ReactiveHandlingTest::missing),
                values -> values.handle((value, sink) -> sink.next(missing(value))),
                values -> values.flatMap(value -> Mono.just(missing(value))),
                values -> values.concatMap(value -> Mono.just(missing(value))),
                values -> values.next().map(ReactiveHandlingTest::missing).flux());
    }

    private static Object missing(Object value) {
        throw new NoClassDefFoundError("Missing");
    }

    @ParameterizedTest
    @MethodSource("steps")
    @DisplayName("QUEUE-3: a fatal error in a step that gets a value on a thread of another library is a failure")
    void failsByFatalErrorsOfOtherThreads(UnaryOperator<Flux<Object>> step) {
        VirtualTimeScheduler other = VirtualTimeScheduler.create();
        start(messages -> step.apply(Flux.<Object>just(1).delayElements(Duration.ofSeconds(1), other)));
        assertThat(events).filteredOn(event -> event.startsWith("ended")).isEmpty();
        other.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(events).contains("FAILED");
        assertThat(events)
                .filteredOn(event -> event.startsWith("ended"))
                .singleElement()
                .asString()
                .contains("NoClassDefFoundError: Missing");
    }

    @Test
    @DisplayName("QUEUE-3: a publisher whose subscription throws is a failure")
    void failsBySubscribing() {
        start(messages -> subscriber -> {
            throw new NoClassDefFoundError("subscribe");
        });

        assertThat(events).contains("FAILED", "ended by subscribe");
        assertThat(events).filteredOn(event -> event.startsWith("ended")).hasSize(1);
    }

    @Test
    @DisplayName("QUEUE-2: a handler that is cancelled before it began does not run")
    void cancelledBeforeItBegan() {
        List<Runnable> tasks = new ArrayList<>();
        MessageHandling.HandlerCall call = new ReactiveHandling(
                        tasks::add, messages -> observer.code("handle", () -> "orders(1)", List::of), messages -> {
                            throw new AssertionError("it ran");
                        })
                .start(List.of(), new Recorded());
        call.cancel();
        tasks.get(0).run();

        assertThat(events).containsExactly("ended by cancelled before it began");
    }

    @Test
    @DisplayName("QUEUE-2: a handler that is cancelled before its publisher is subscribed to has ended")
    void cancelledBeforeItsSubscription() {
        List<Runnable> cancelling = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        MessageHandling.HandlerCall call = new ReactiveHandling(
                        tasks::add, messages -> observer.code("handle", () -> "orders(1)", List::of), messages -> {
                            cancelling.forEach(Runnable::run);
                            return Mono.never();
                        })
                .start(List.of(), new Recorded());
        cancelling.add(call::cancel);
        tasks.get(0).run();

        assertThat(events).filteredOn(event -> event.startsWith("ended")).hasSize(1);
    }

    @Test
    void reportsARefusal() {
        new ReactiveHandling(
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        messages -> OperationObserver.none().code("handle", () -> "orders", List::of),
                        messages -> Mono.empty())
                .start(List.of(), new Recorded());

        assertThat(events).containsExactly("refused");
        new ReactiveHandling(
                        task -> {
                            throw new OutOfMemoryError("unable to create native thread");
                        },
                        messages -> OperationObserver.none().code("handle", () -> "orders", List::of),
                        messages -> Mono.empty())
                .start(List.of(), new Recorded());

        assertThat(events).containsExactly("refused", "refused");
    }
}
