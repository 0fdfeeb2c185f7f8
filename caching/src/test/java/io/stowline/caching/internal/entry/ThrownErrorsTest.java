package io.stowline.caching.internal.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.engine.SharedLoad;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Errors that Reactor throws instead of signalling them, wherever they are thrown: each reaches who waits, and hidden from none. */
class ThrownErrorsTest {

    private static Error error(boolean fatal) {
        return fatal ? new StackOverflowError("deep") : new NoClassDefFoundError("missing");
    }

    private static final class Watching<T> implements CoreSubscriber<T> {

        private final List<Object> seen = new ArrayList<>();
        private final @Nullable Error thrown;

        Watching(@Nullable Error thrown) {
            this.thrown = thrown;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            seen.add("subscribed");
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T value) {
            seen.add(value);
            if (thrown != null) {
                throw thrown;
            }
        }

        @Override
        public void onError(Throwable e) {
            seen.add(e);
        }

        @Override
        public void onComplete() {
            seen.add("complete");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CACHE-2: an error of a source is one signal, and one of the machine is thrown on, too")
    void anErrorOfASourceIsASignal(boolean fatal) {
        Error thrown = error(fatal);
        Watching<String> watching = new Watching<>(null);
        Throwable passedOn = catchThrowable(() -> new SignalledErrors<String>(() -> {
                    throw thrown;
                })
                .subscribe(watching));

        assertThat(watching.seen).containsExactly("subscribed", thrown);
        assertThat(passedOn).isSameAs(fatal ? thrown : null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CACHE-2: an error behind the response of a source is thrown on, and is no second signal")
    void anErrorBehindTheResponseIsThrownOn(boolean fatal) {
        Error thrown = error(fatal);
        Watching<String> watching = new Watching<>(thrown);
        Throwable passedOn = catchThrowable(() -> new SignalledErrors<>(() -> Mono.just("answer")).subscribe(watching));

        assertThat(passedOn).isSameAs(thrown);
        assertThat(watching.seen).containsExactly("subscribed", "answer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "CACHE-2: readers that throw, whatever it is, keep no other one waiting, neither for a response nor for a"
                    + " failure")
    void readersThatThrowKeepNoOneWaiting(boolean fatal) {
        for (Mono<LoadCompletion> load : List.of(
                Mono.just(LoadCompletion.lost(CacheOutcome.MISS)),
                Mono.<LoadCompletion>error(new IllegalStateException("403")))) {
            SharedLoad flight = new SharedLoad(InvalidationStamp.earlier(0), over -> {});
            Watching<LoadShare> good = new Watching<>(null);
            Mono.<LoadShare>create(flight::board).subscribe(new Throwing(error(fatal)));
            Mono.<LoadShare>create(flight::board).subscribe(good);
            flight.start(load, Context.empty());

            assertThat(good.seen).as("%s", load).hasSizeGreaterThan(1);
        }
    }

    /** A reader that throws what the test says. */
    private static final class Throwing implements CoreSubscriber<LoadShare> {

        private final Error thrown;

        Throwing(Error thrown) {
            this.thrown = thrown;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LoadShare ticket) {
            throw thrown;
        }

        @Override
        public void onError(Throwable e) {
            throw thrown;
        }

        @Override
        public void onComplete() {
            throw thrown;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "CACHE-5: a task that throws an error ends as if there were nothing, and one of the machine is thrown on,"
                    + " too")
    void aTaskThatThrowsEnds(boolean fatal) {
        Deque<Runnable> tasks = new ArrayDeque<>();
        CacheCounts counts = new CacheCounts();
        BlockingWorker work = new BlockingWorker(Schedulers.fromExecutor(tasks::add), counts);
        Error thrown = error(fatal);
        Watching<String> watching = new Watching<>(null);
        List<String> unwanted = new ArrayList<>();
        work.<String>call(
                        "could not look",
                        () -> {
                            throw thrown;
                        },
                        unwanted::add)
                .subscribe(watching);
        Throwable passedOn = catchThrowable(() -> tasks.remove().run());

        assertThat(watching.seen).containsExactly("subscribed", "complete");
        assertThat(passedOn == null || passedOn == thrown).isTrue();
        assertThat(counts.faults()).isEqualTo(1);
        assertThat(unwanted).isEmpty();
    }

    @Test
    @DisplayName("CACHE-5: a scheduler that refuses a task costs a miss and no failure")
    void aRefusedTaskIsAMiss() {
        CacheCounts counts = new CacheCounts();
        BlockingWorker work = new BlockingWorker(
                Schedulers.fromExecutor(task -> {
                    throw new RejectedExecutionException("closing");
                }),
                counts);
        Watching<String> watching = new Watching<>(null);
        work.call("could not look", () -> "found", found -> {}).subscribe(watching);

        assertThat(watching.seen).containsExactly("subscribed", "complete");
        assertThat(counts.faults()).isEqualTo(1);
    }
}
