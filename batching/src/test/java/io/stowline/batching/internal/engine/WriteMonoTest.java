package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteMono;
import io.stowline.batching.internal.writer.Batcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

@Timeout(60)
class WriteMonoTest {

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final List<String> signals = new ArrayList<>();

    private Mono<String> write(Supplier<TaggedItem<String, Item, ?>> item) {
        return WriteMono.write(batcher, item);
    }

    private static TaggedItem<String, Item, ?> item(String entity) {
        return TaggedItem.of("k", Item.of(entity), null);
    }

    @Test
    @DisplayName("BATCH-1: each subscription makes and submits an item")
    void submitsForEachSubscription() {
        AtomicInteger made = new AtomicInteger();
        Mono<String> mono = write(() -> item("e" + made.incrementAndGet()));
        assertThat(made).hasValue(0);

        var first = mono.subscribe(signals::add);
        var second = mono.subscribe(signals::add);
        rig.finishAll();

        assertThat(made).hasValue(2);
        assertThat(signals).containsExactly("done e1 0", "done e2 0");
        assertThat(List.of(first, second)).allMatch(reactor.core.Disposable::isDisposed);
    }

    @Test
    @DisplayName("BATCH-1: a result waits for the demand")
    void waitsForDemand() {
        Recorded subscriber = new Recorded();
        write(() -> item("a")).subscribe(subscriber);
        rig.finishAll();
        assertThat(signals).isEmpty();

        subscriber.request(1);
        subscriber.request(1);

        assertThat(signals).containsExactly("done a 0", "complete");
        assertThat(batcher.undeliveredItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-1: demand before the result is remembered")
    void remembersDemand() {
        Recorded subscriber = new Recorded();
        write(() -> item("a")).subscribe(subscriber);
        subscriber.request(1);
        assertThat(signals).isEmpty();

        rig.finishAll();

        assertThat(signals).containsExactly("done a 0", "complete");
    }

    @Test
    @DisplayName("BATCH-10: a result that was not requested is not delivered after a cancel")
    void deliversNothingAfterCancel() {
        Recorded subscriber = new Recorded();
        write(() -> item("a")).subscribe(subscriber);
        rig.finishAll();

        subscriber.cancel();
        subscriber.request(1);

        assertThat(signals).isEmpty();
    }

    @Test
    @DisplayName("BATCH-10: a cancel while the item is made submits nothing")
    void isCancelledWhileItsItemIsMade() {
        Recorded subscriber = new Recorded();
        write(() -> {
                    subscriber.cancel();
                    return item("a");
                })
                .subscribe(subscriber);

        assertThat(rig.isQuiet()).isTrue();
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(signals).isEmpty();
    }

    @Test
    @DisplayName("BATCH-10: a cancel removes a queued item and reports no error")
    void cancelsQuietly() {
        StepVerifier.create(write(() -> item("a")))
                .then(() -> {
                    Recorded queued = new Recorded();
                    write(() -> item("b")).subscribe(queued);
                    queued.cancel();
                    rig.finishAll();
                })
                .expectNext("done a 0")
                .expectComplete()
                .verifyThenAssertThat()
                .hasNotDroppedErrors()
                .hasNotDroppedElements();
        assertThat(rig.sent).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-1: what the making of an item throws is the result, also a fatal error")
    void emitsWhatTheMakingThrows() {
        LinkageError fatal = new LinkageError("fatal");

        StepVerifier.create(write(() -> {
                    throw fatal;
                }))
                .verifyErrorSatisfies(error -> assertThat(error).isSameAs(fatal));
    }

    @Test
    @DisplayName("BATCH-1: the refusal of an item is the result")
    void emitsRefusal() {
        IllegalArgumentException refusal = new IllegalArgumentException("too large");

        StepVerifier.create(write(() -> TaggedItem.refused(refusal, null)))
                .verifyErrorSatisfies(error -> assertThat(error).isSameAs(refusal));
    }

    @Test
    @DisplayName("BATCH-13: a subscriber that throws gets its error, and the engine goes on")
    void survivesSubscriberThatThrows() {
        write(() -> item("a")).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnNext(String value) {
                throw new IllegalStateException("broken");
            }

            @Override
            protected void hookOnError(Throwable error) {
                signals.add(error.getMessage());
            }
        });
        var next = write(() -> item("b")).subscribe(signals::add);
        rig.finishAll();

        assertThat(signals).containsExactly("broken", "done b 0");
        assertThat(next.isDisposed()).isTrue();
        assertThat(batcher.isIdle()).isTrue();
    }

    /** A subscriber that requests nothing by itself, and records its signals. */
    private final class Recorded extends BaseSubscriber<String> {

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // The test requests.
        }

        @Override
        protected void hookOnNext(String value) {
            signals.add(value);
        }

        @Override
        protected void hookOnComplete() {
            signals.add("complete");
        }

        @Override
        protected void hookOnError(Throwable error) {
            signals.add(error.toString());
        }
    }
}
