package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.internal.concurrent.Callbacks.CallbackRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.publisher.TestPublisher;

class DeliveredMonoTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Callbacks callbacks = Callbacks.on(tasks::add);
    private final TestPublisher<String> source = TestPublisher.create();
    private final List<String> signals = new ArrayList<>();

    private Disposable subscribed() {
        return callbacks
                .deliver(source.mono())
                .subscribe(
                        value -> signals.add("value " + value),
                        error -> signals.add("error " + error.getMessage()),
                        () -> signals.add("end"));
    }

    private void deliver() {
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
    }

    @Test
    void aValueAndItsEndArriveAsOneCallback() {
        subscribed();

        source.emit("one");

        assertThat(signals).isEmpty();
        deliver();
        assertThat(signals).containsExactly("value one", "end");
    }

    @Test
    void anErrorAndAnEmptyEndArriveAsCallbacks() {
        subscribed();
        source.error(new IllegalStateException("refused"));
        deliver();

        callbacks.deliver(Mono.empty()).subscribe(value -> {}, error -> {}, () -> signals.add("end"));
        deliver();

        assertThat(signals).containsExactly("error refused", "end");
    }

    @Test
    void aCancelReachesTheSource() {
        subscribed().dispose();

        source.assertCancelled();
    }

    @Test
    void aCancelledValueIsDiscardedAndNotDelivered() {
        List<Object> discarded = new ArrayList<>();
        AtomicReference<@Nullable Disposable> subscription = new AtomicReference<>();
        subscription.set(callbacks
                .deliver(source.mono())
                .contextWrite(context -> Operators.enableOnDiscard(context, discarded::add))
                .subscribe(signals::add));
        source.next("late");

        Disposable running = subscription.get();
        assertThat(running).isNotNull();
        running.dispose();
        deliver();

        assertThat(signals).isEmpty();
        assertThat(discarded).containsExactly("late");
    }

    @Test
    void theSourceSeesTheCallbackThatSubscribes() {
        AtomicReference<@Nullable CallbackRun> seen = new AtomicReference<>();
        AtomicReference<@Nullable CallbackRun> running = new AtomicReference<>();
        callbacks.run(() -> {
            running.set(Callbacks.current());
            callbacks
                    .deliver(Mono.deferContextual(context -> {
                        seen.set(context.getOrDefault(CallbackRun.class, null));
                        return Mono.never();
                    }))
                    .subscribe();
        });

        deliver();

        assertThat(seen.get()).isNotNull().isSameAs(running.get());
    }

    @Test
    void aSubscriberThatThrowsIsCounted() {
        callbacks.deliver(Mono.just("one")).subscribe(new ThrowingSubscriber());

        deliver();

        assertThat(callbacks.failures()).isEqualTo(1);
    }

    /** A subscriber that breaks the rules of the signals. */
    private static final class ThrowingSubscriber implements CoreSubscriber<String> {

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(1);
        }

        @Override
        public void onNext(String value) {
            throw new IllegalStateException("thrown by the subscriber");
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }
}
