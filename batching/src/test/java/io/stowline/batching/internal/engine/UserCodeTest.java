package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.TestErrors.DeliveryTimeoutException;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.engine.TestErrors.PredecessorFailedException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Errors of the application's code under the engine's lock, and the threads on which the engine works. */
@Timeout(60)
class UserCodeTest {

    @SuppressWarnings("StaticAssignmentOfThrowable") // known by its identity
    private static final IllegalStateException THROWN = new IllegalStateException("thrown by the application");

    /** Fatal to Reactor, which throws it and signals no subscriber. */
    private final Error fatalError = new StackOverflowError("thrown by the application");

    /** An entity or key whose equals throws when the test says so; all have the same hash. */
    private static final class Odd {

        private final String name;
        private boolean throwing;
        private @Nullable String dreaded;
        private @Nullable Error fatal;

        Odd(String name) {
            this.name = name;
        }

        Odd throwing() {
            throwing = true;
            return this;
        }

        /** Throws only when it is compared with this one. */
        Odd dreading(String other) {
            dreaded = other;
            return this;
        }

        /** Throws an error where the engine asks for its text or its entity. */
        Odd fatal(Error error) {
            fatal = error;
            return this;
        }

        private boolean dreads(@Nullable Object other) {
            return dreaded != null && other instanceof Odd odd && dreaded.equals(odd.name);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (throwing || dreads(other)) {
                throw THROWN;
            }
            return other instanceof Odd odd && odd.name.equals(name);
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public String toString() {
            if (fatal != null) {
                throw fatal;
            }
            return name;
        }
    }

    private static final class Descriptor implements BatchDescriptor<Odd> {

        private boolean endedThrows;
        private boolean entityThrows;

        @Override
        public Object entity(Odd item) {
            if (entityThrows && item.fatal != null) {
                throw item.fatal;
            }
            return item;
        }

        @Override
        public int size(Odd item) {
            return 10;
        }

        @Override
        public void ended(Odd item, @Nullable Throwable failure) {
            if (endedThrows) {
                throw THROWN;
            }
        }
    }

    private final Descriptor descriptor = new Descriptor();
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<CompletableFuture<BatchReply<String>>> sent = new ArrayList<>();
    private final List<DeliveryBatch<Object, Odd>> batches = new ArrayList<>();
    private final BatchingEngine<Object, Odd, String> lanes = TestEngine.<Object, Odd, String>builder(
                    descriptor, this::send)
            .callbacks(TestCallbacks.on(Runnable::run))
            .timer(time)
            .build();
    private final Batcher<Object, Odd, String> batcher =
            lanes.batcher(TestSettings.builder().withoutDeliveryTimeout().build());

    private Mono<BatchReply<String>> send(DeliveryBatch<Object, Odd> batch) {
        CompletableFuture<BatchReply<String>> response = new CompletableFuture<>();
        sent.add(response);
        batches.add(batch);
        return Mono.fromFuture(response);
    }

    private void answerAll() {
        for (int i = 0; i < sent.size(); i++) {
            List<ItemReply<String>> parts = new ArrayList<>();
            batches.get(i).items().forEach(item -> parts.add(new ItemReply.ItemDone<>("done " + item)));
            sent.get(i).complete(new BatchReply.PerItem<>(parts));
        }
    }

    @Test
    @DisplayName("BATCH-12: a descriptor that throws at the end of an item loses no result, and is counted")
    void survivesAThrowingDescriptor() throws InterruptedException {
        List<PendingItem<String>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(batcher.submit("k", new Odd("e" + i)));
        }
        descriptor.endedThrows = true;
        answerAll();
        for (int i = 0; i < 5; i++) {
            assertThat(all.get(i).await()).isEqualTo("done e" + i);
        }
        assertThat(lanes.callbackFailures()).isEqualTo(5);
        assertThat(lanes.laneCount()).isZero();
        batcher.close();
    }

    @Test
    @DisplayName("BATCH-12 BATCH-9: a descriptor that throws for leftovers keeps no close waiting beyond its deadline")
    void closesWithAThrowingDescriptor() {
        PendingItem<String> first = batcher.submit("k", new Odd("a"));
        PendingItem<String> second = batcher.submit("k", new Odd("b"));
        descriptor.endedThrows = true;
        var unused = batcher.closeAsync().subscribe(nothing -> {}, failures -> {});
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(batcher.isClosed()).isTrue();
        assertThatThrownBy(first::await).isInstanceOf(LeftoverException.class);
        assertThatThrownBy(second::await).isInstanceOf(LeftoverException.class);
    }

    @Test
    @DisplayName("BATCH-12: an entity whose equals throws fails its own item and no other")
    void failsAnItemWhoseEqualsThrows() throws InterruptedException {
        PendingItem<String> first = batcher.submit("k", new Odd("first"));
        PendingItem<String> second = batcher.submit("k", new Odd("a"));
        PendingItem<String> odd = batcher.submit("k", new Odd("b").throwing());
        PendingItem<String> third = batcher.submit("k", new Odd("c"));
        assertThatThrownBy(odd::await)
                .isInstanceOf(IllegalArgumentException.class)
                .hasRootCause(THROWN);
        answerAll();
        answerAll();
        assertThat(first.await()).isEqualTo("done first");
        assertThat(second.await()).isEqualTo("done a");
        assertThat(third.await()).isEqualTo("done c");
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-12: an entity whose equals begins to throw while it is queued stops nothing")
    void survivesAnEqualsThatBeginsToThrow() throws InterruptedException {
        Odd turning = new Odd("a");
        PendingItem<String> first = batcher.submit("k", new Odd("first"));
        PendingItem<String> earlier = batcher.submit("k", turning);
        PendingItem<String> later = batcher.submit("k", new Odd("a"));
        PendingItem<String> latest = batcher.submit("k", new Odd("a"));
        turning.throwing();
        assertThat(later.cancel()).isTrue();
        for (int i = 0; i < 4; i++) {
            answerAll();
        }
        assertThat(first.await()).isEqualTo("done first");
        assertThat(earlier.await()).isEqualTo("done a");
        assertThat(latest.await()).isEqualTo("done a");
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-12: a lane's key whose equals throws is refused, and leaves nothing behind")
    void refusesAKeyWhoseEqualsThrows() {
        batcher.submit(new Odd("one"), new Odd("a"));
        assertThatThrownBy(() -> batcher.submit(new Odd("two").throwing(), new Odd("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasRootCause(THROWN);
        answerAll();
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-12 BATCH-4: a key whose equals throws leaves the reserved entities of another lane reserved")
    void keepsAReservationWhenAKeyThrows() {
        batcher.submit(new Odd("rests"), new Odd("a"));
        sent.get(0)
                .complete(new BatchReply.PerItem<>(List.<ItemReply<String>>of(new ItemReply.ItemDone<>("done")))
                        .reservedFor(Duration.ofSeconds(35)));
        batcher.submit(new Odd("busy"), new Odd("b"));
        assertThatThrownBy(() -> batcher.submit(new Odd("rests").dreading("busy"), new Odd("c")))
                .hasRootCause(THROWN);
        batcher.submit(new Odd("rests"), new Odd("a"));
        assertThat(sent).as("the entity is reserved").hasSize(2);
        time.advanceTimeBy(Duration.ofSeconds(35));
        assertThat(sent).hasSize(3);
    }

    @Test
    @DisplayName("BATCH-1 BATCH-12: an error thrown for one item of a stream is its result, whatever error it is")
    void anErrorIsAResultOfTheStream() {
        descriptor.entityThrows = true;
        List<TaggedResult<String, String>> results = new ArrayList<>();
        List<String> ends = new ArrayList<>();
        WriteFlux.writeAll(
                        batcher,
                        Flux.just("a", "odd", "b")
                                .map(name -> TaggedItem.of(
                                        "k",
                                        name.equals("odd") ? new Odd(name).fatal(fatalError) : new Odd(name),
                                        name)))
                .subscribe(results::add, failure -> ends.add("failed"), () -> ends.add("complete"));
        answerAll();
        answerAll();
        assertThat(results).extracting(TaggedResult::tag).containsExactlyInAnyOrder("a", "odd", "b");
        assertThat(results.stream()
                        .filter(each -> each.tag().equals("odd"))
                        .findFirst()
                        .orElseThrow()
                        .failure())
                .contains(fatalError);
        assertThat(ends).containsExactly("complete");
    }

    @Test
    @DisplayName("BATCH-1 BATCH-12: an error that a stream's source throws when it is asked comes after its results")
    void anErrorOfTheSourceIsReported() {
        List<String> results = new ArrayList<>();
        List<Throwable> ends = new ArrayList<>();
        WriteFlux.writeAll(batcher, Flux.just("a", "odd").map(name -> {
                    if (name.equals("odd")) {
                        throw fatalError;
                    }
                    return TaggedItem.<Object, Odd, String>of("k", new Odd(name), name);
                }))
                .subscribe(result -> results.add(result.tag()), ends::add);
        answerAll();
        assertThat(results).containsExactly("a");
        assertThat(ends).containsExactly(fatalError);
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-1 BATCH-12: an error thrown for an item is the result of the write that was subscribed to")
    void anErrorIsTheResultOfAWrite() {
        descriptor.entityThrows = true;
        List<Throwable> ends = new ArrayList<>();
        batcher.write("k", new Odd("odd").fatal(fatalError)).subscribe(value -> {}, ends::add);
        assertThat(ends).containsExactly(fatalError);
    }

    @Test
    @DisplayName("BATCH-12 BATCH-16: an entity whose toString throws an error has its end, and so have those behind it")
    void survivesAToStringThatThrows() {
        Batcher<Object, Odd, String> strict = lanes.batcher(TestSettings.builder()
                .deliveryTimeout(Duration.ofSeconds(10))
                .stopEntityOnFailure(true)
                .build());
        strict.submit("k", new Odd("first"));
        PendingItem<String> earlier = strict.submit("k", new Odd("a").fatal(fatalError));
        PendingItem<String> later = strict.submit("k", new Odd("a").fatal(fatalError));
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThatThrownBy(earlier::await).isInstanceOf(DeliveryTimeoutException.class);
        assertThatThrownBy(later::await)
                .isInstanceOf(PredecessorFailedException.class)
                .hasMessageContaining("toString threw");
        answerAll();
        assertThat(strict.bufferedItems()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-13 BATCH-2: what lingered is not sent on the thread of the timer")
    void sendsOffTheTimer() throws Exception {
        Scheduler timer = Schedulers.newParallel("the-timer", 1, true);
        try {
            CompletableFuture<String> thread = new CompletableFuture<>();
            BatchingEngine<String, Item, String> real = TestEngine.<String, Item, String>builder(
                            new Item.Descriptor(), batch -> {
                                thread.complete(Thread.currentThread().getName());
                                return Mono.just(Sent.allDone(batch));
                            })
                    .timer(timer)
                    .build();
            real.batcher(TestSettings.builder().linger(Duration.ofMillis(1)).build())
                    .submit("k", Item.of("a"));
            assertThat(thread.get(20, TimeUnit.SECONDS)).doesNotContain("the-timer");
        } finally {
            timer.dispose();
        }
    }
}
