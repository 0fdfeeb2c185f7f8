package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchProtocolException;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.TestErrors.OversizeItemException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class AcceptanceTest {

    private final IllegalStateException bad = new IllegalStateException("bad");

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();

    @Test
    @DisplayName("BATCH-1: an accepted item gets the result of its part")
    void completesWithTheResult() throws InterruptedException {
        PendingItem<String> submission = batcher.submit("k", Item.of("a", 7));
        assertThat(submission.isDone()).isFalse();
        rig.next().done();
        assertThat(submission.isDone()).isTrue();
        assertThat(submission.await()).isEqualTo("done a 7");
        assertThat(submission.result().block()).isEqualTo("done a 7");
        assertThat(submission.toFuture()).isCompletedWithValue("done a 7");
    }

    @Test
    @DisplayName("BATCH-1: a client has submissions of its type, each of which is the engine's object")
    void makesSubmissionsOfTheClientsType() {
        Rig own = new Rig(given -> given.submissions(OwnSubmission::new));
        Batcher<String, Item, String> writer = own.batcher();
        PendingItem<String> done = writer.submit("k", Item.of("a", 7));
        PendingItem<String> failed = writer.offer("k", Item.of("b", 8));
        assertThat(done).isInstanceOf(OwnSubmission.class);
        assertThat(failed).isInstanceOf(OwnSubmission.class);
        own.next().done();
        own.next().error(bad);
        assertThat(done.toFuture()).isCompletedWithValue("done a 7");
        assertThatThrownBy(failed::await).isSameAs(bad);
        assertThat(writer.takeFailures()).isEmpty();
    }

    private static final class OwnSubmission extends EngineSubmission<String> {

        OwnSubmission(Batcher<?, ?, String> writer) {
            super(writer);
        }
    }

    @Test
    @DisplayName("BATCH-11: an oversize item is refused alone, with its size and the limit")
    void refusesAnOversizeItem() {
        batcher.submit("k", new Item("fits", 900, 0));
        assertThatThrownBy(() -> batcher.submit("k", new Item("large", 901, 0)))
                .isInstanceOfSatisfying(OversizeItemException.class, refused -> {
                    assertThat(refused.size()).isEqualTo(1_001);
                    assertThat(refused.limit()).isEqualTo(1_000);
                })
                .hasMessageContaining("1001")
                .hasMessageContaining("1000");
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-11: write refuses an oversize item through its Mono")
    void refusesAnOversizeWrite() {
        assertThatThrownBy(() -> batcher.write("k", new Item("large", 901, 0)).block())
                .isInstanceOf(OversizeItemException.class);
    }

    @Test
    @DisplayName("BATCH-12 MAP-1: a missing part fails its item, and only that, as a protocol error")
    void failsTheItemWithoutAPart() {
        batcher.submit("k", Item.of("first"));
        PendingItem<String> present = batcher.submit("k", Item.of("a"));
        PendingItem<String> absent = batcher.submit("k", Item.of("b"));
        rig.next().done();
        rig.next().parts(List.of(new ItemReply.ItemDone<>("here")));
        assertThat(present.toFuture()).isCompletedWithValue("here");
        assertThatThrownBy(absent::await).isInstanceOf(BatchProtocolException.class);
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-12 M7: a null part fails its item, and a flush ends")
    void failsTheItemWithANullPart() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        rig.next().parts(nothing());
        assertThatThrownBy(submission::await).isInstanceOf(BatchProtocolException.class);
        assertThat(reports).containsExactly(new FlushCounts(0, 1));
    }

    @SuppressWarnings("NullAway") // what a faulty sender does
    private static List<ItemReply<String>> nothing() {
        return Arrays.asList((@Nullable ItemReply<String>) null);
    }

    @Test
    @DisplayName("BATCH-12: parts beyond the items are counted")
    void countsUnknownParts() {
        batcher.submit("k", Item.of("a"));
        rig.next()
                .parts(List.of(new ItemReply.ItemDone<>("a"), new ItemReply.ItemDone<>("b"), new ItemReply.Unsent<>()));
        assertThat(rig.lanes.unknownParts()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "BATCH-12: of results without parts, a missing one fails its item, and those beyond the items are counted")
    void countsResults() throws InterruptedException {
        PendingItem<String> first = batcher.submit("k", Item.of("a"));
        rig.next().response(new BatchReply.AllDone<>(List.of("a", "b")));
        PendingItem<String> second = batcher.submit("k", Item.of("c"));
        rig.next().response(new BatchReply.AllDone<>(List.of()));

        assertThat(first.await()).isEqualTo("a");
        assertThatThrownBy(second::await).isInstanceOf(BatchProtocolException.class);
        assertThat(rig.lanes.unknownParts()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-12: a reply of unsent items only makes no progress and fails them")
    void failsAReplyWithoutProgress() {
        PendingItem<String> submission = batcher.submit("k", Item.of("a"));
        rig.next().parts(List.of(new ItemReply.Unsent<>()));
        assertThatThrownBy(submission::await).isInstanceOf(BatchProtocolException.class);
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-12 MAP-2: a sender that throws, errs or ends empty fails its items, and the engine goes on")
    void survivesAFaultySender() {
        List<Mono<BatchReply<String>>> responses = new ArrayList<>(List.of(Mono.error(bad), Mono.empty()));
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            if (responses.isEmpty()) {
                                throw bad;
                            }
                            return responses.remove(0);
                        })
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        assertThatThrownBy(() -> writer.submit("k", Item.of("a")).await()).isSameAs(bad);
        assertThatThrownBy(() -> writer.submit("k", Item.of("a")).await()).isInstanceOf(BatchProtocolException.class);
        assertThatThrownBy(() -> writer.submit("k", Item.of("a")).await()).isSameAs(bad);
        assertThat(lanes.batchesInFlight()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-12 MAP-2: a sender that throws on the timer's thread does not kill the timer")
    void survivesAThrowOnTheTimer() {
        AtomicInteger calls = new AtomicInteger();
        Rig clock = new Rig();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            calls.incrementAndGet();
                            throw bad;
                        })
                .timer(clock.time)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(
                TestSettings.builder().linger(Duration.ofMillis(10)).build());
        PendingItem<String> first = writer.submit("k", Item.of("a"));
        clock.pass(Duration.ofMillis(10));
        PendingItem<String> second = writer.submit("k", Item.of("a"));
        clock.pass(Duration.ofMillis(10));
        assertThat(first.isDone()).isTrue();
        assertThat(second.isDone()).isTrue();
        assertThat(calls).hasValue(2);
    }

    @Test
    @DisplayName("BATCH-12: what a descriptor throws is thrown by the submit, and nothing is accepted")
    void refusesWhenTheDescriptorThrows() {
        BatchDescriptor<Item> faulty = new BatchDescriptor<>() {
            @Override
            public Object entity(Item item) {
                throw bad;
            }

            @Override
            public int size(Item item) {
                return 1;
            }
        };
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        faulty, batch -> Mono.empty())
                .build();
        Batcher<String, Item, String> writer = lanes.batcher(TestSettings.defaults());
        assertThatThrownBy(() -> writer.submit("k", Item.of("a"))).isSameAs(bad);
        assertThatThrownBy(() -> writer.write("k", Item.of("a")).block()).isSameAs(bad);
        assertThat(writer.bufferedItems()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-12: an admission that throws fails a batch, and the engine goes on")
    void survivesAFaultyAdmission() {
        AtomicInteger requests = new AtomicInteger();
        Rig faulty = new Rig(given -> given.admission(granted -> {
            if (requests.incrementAndGet() == 1) {
                throw bad;
            }
            return Admission.atOnce().request(granted);
        }));
        Batcher<String, Item, String> writer = faulty.batcher();
        assertThatThrownBy(() -> writer.submit("k", Item.of("a")).await()).isSameAs(bad);
        PendingItem<String> second = writer.submit("k", Item.of("a"));
        faulty.next().done();
        assertThat(second.isDone()).isTrue();
    }

    @Test
    @DisplayName("BATCH-1: thousands of batches that are answered synchronously do not recurse")
    void doesNotRecurse() {
        CompletableFuture<BatchReply<String>> first = new CompletableFuture<>();
        AtomicInteger batches = new AtomicInteger();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(),
                        batch -> batches.getAndIncrement() == 0
                                ? Mono.fromFuture(first)
                                : Mono.just(Sent.allDone(batch)))
                .callbacks(TestCallbacks.on(Runnable::run))
                .limits(1, 1_000, 0)
                .build();
        Batcher<String, Item, String> writer =
                lanes.batcher(TestSettings.builder().bufferItems(100_000).build());
        for (int i = 0; i < 10_000; i++) {
            writer.submit("k", Item.of("a", i));
        }
        first.complete(new BatchReply.BatchFailed<>(bad));
        assertThat(batches).hasValue(10_000);
        assertThat(writer.bufferedItems()).isZero();
        assertThat(lanes.laneCount()).isZero();
    }
}
