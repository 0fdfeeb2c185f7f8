package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class CuttingTest {

    private static final Duration LINGER = Duration.ofMillis(100);

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();

    private static void submit(Batcher<String, Item, String> batcher, String... entities) {
        for (String entity : entities) {
            batcher.submit("k", Item.of(entity));
        }
    }

    @Test
    @DisplayName("BATCH-2: an idle lane sends at once, and the next batch fills while one is in flight")
    void batchesNaturally() {
        submit(batcher, "a", "b", "c");
        assertThat(rig.next().entities()).containsExactly("a");
        assertThat(rig.isQuiet()).isTrue();
        rig.sent.get(0).done();
        assertThat(rig.next().entities()).containsExactly("b", "c");
    }

    @Test
    @DisplayName("BATCH-3: an item of several operations counts for as many of a batch's items")
    void countsByWeight() {
        submit(batcher, "first");
        for (String entity : List.of("a", "b", "c")) {
            batcher.submit("k", Item.heavy(entity, 2));
        }
        batcher.submit("k", Item.of("d"));
        rig.next().done();
        assertThat(rig.next().entities()).containsExactly("a", "b");
        rig.sent.get(1).done();
        assertThat(rig.next().entities()).containsExactly("c", "d");
    }

    @Test
    @DisplayName("BATCH-2: a lingering lane is full by the weight of its items")
    void fullByWeight() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        slow.submit("k", Item.heavy("a", 3));
        assertThat(rig.isQuiet()).isTrue();
        slow.submit("k", Item.of("b"));
        assertThat(rig.next().entities()).containsExactly("a", "b");
    }

    @Test
    @DisplayName("BATCH-3: a shrunk batch of heavy items grows again although it is never full to the last item")
    void growsAgain() {
        submit(batcher, "first");
        for (String entity : List.of("a", "b", "c", "d", "e", "f")) {
            batcher.submit("k", Item.heavy(entity, 2));
        }
        rig.next().done();
        rig.next().response(new BatchReply.TooLarge<>(new IllegalStateException("too much")));
        for (String alone : List.of("a", "b")) {
            Sent one = rig.next();
            assertThat(one.entities()).containsExactly(alone);
            one.done();
        }
        assertThat(rig.next().entities()).containsExactly("c", "d");
    }

    @Test
    @DisplayName(
            "BATCH-3: an item that is heavier than a shrunk batch goes alone, and one that no batch takes is refused")
    void heavyItems() {
        submit(batcher, "first");
        batcher.submit("k", Item.heavy("a", 3));
        batcher.submit("k", Item.of("b"));
        rig.next().done();
        rig.next().response(new BatchReply.TooLarge<>(new IllegalStateException("too much")));
        assertThat(rig.next().entities()).containsExactly("a");
        rig.sent.get(2).done();
        assertThat(rig.next().entities()).containsExactly("b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batcher.submit("k", Item.heavy("c", 5)))
                .withMessageContaining("weight");
    }

    @Test
    @DisplayName("BATCH-2: the batch is cut when the permit is granted, not when it is asked for")
    void cutsWhenAdmitted() {
        List<Consumer<Disposable>> requested = new ArrayList<>();
        Rig gated = new Rig(given -> given.admission(granted -> {
            requested.add(granted);
            return () -> requested.remove(granted);
        }));
        Batcher<String, Item, String> writer = gated.batcher();
        submit(writer, "a", "b", "c");
        assertThat(requested).hasSize(1);
        assertThat(gated.isQuiet()).isTrue();
        requested.remove(0).accept(() -> {});
        assertThat(gated.next().entities()).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("BATCH-2: a lingering lane waits for its time, counted from the first item")
    void lingersFromTheFirstItem() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        submit(slow, "a");
        rig.pass(Duration.ofMillis(99));
        submit(slow, "b");
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.next().entities()).containsExactly("a", "b");
    }

    @Test
    @DisplayName("BATCH-2: items that came while a batch was in flight linger from the first of them")
    void lingersAfterABatch() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        submit(slow, "a", "b", "c", "d");
        rig.pass(Duration.ofMillis(10));
        submit(slow, "e");
        rig.next().done();
        rig.pass(Duration.ofMillis(99));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.next().entities()).containsExactly("e");
    }

    @Test
    @DisplayName("BATCH-2: what a cut leaves behind lingers from its own first item")
    void lingersAfterACut() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        submit(slow, "a");
        rig.pass(Duration.ofMillis(50));
        submit(slow, "a", "b", "c", "d");
        rig.next().done();
        rig.pass(Duration.ofMillis(99));
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.next().entities()).containsExactly("a");
    }

    @Test
    @DisplayName("BATCH-2: a batch that is full by items does not linger")
    void sendsAFullBatch() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        submit(slow, "a", "b", "c");
        assertThat(rig.isQuiet()).isTrue();
        submit(slow, "d");
        assertThat(rig.next().entities()).hasSize(4);
    }

    @Test
    @DisplayName("BATCH-2: a batch that is full by bytes does not linger")
    void sendsABatchFullByBytes() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        slow.submit("k", new Item("a", 500, 0));
        slow.submit("k", new Item("b", 399, 0));
        assertThat(rig.isQuiet()).isTrue();
        slow.submit("k", new Item("c", 1, 0));
        assertThat(rig.next().entities()).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("BATCH-2: one writer without linger hurries a lane that another one lets linger")
    void hurriesASharedLane() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        submit(slow, "a");
        assertThat(rig.isQuiet()).isTrue();
        submit(batcher, "b");
        assertThat(rig.next().entities()).containsExactly("a", "b");
    }

    @Test
    @DisplayName("BATCH-2: a shorter linger that comes later is kept, whatever was set before")
    void keepsTheShorterLinger() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        Batcher<String, Item, String> quick = rig.batcher(given -> given.linger(Duration.ofMillis(10)));
        slow.submit("slow", Item.of("a"));
        quick.submit("quick", Item.of("a"));
        rig.pass(Duration.ofMillis(10));
        assertThat(rig.next().batch.key()).isEqualTo("quick");
        assertThat(rig.isQuiet()).isTrue();
        rig.pass(Duration.ofMillis(90));
        assertThat(rig.next().batch.key()).isEqualTo("slow");
    }

    @Test
    @DisplayName("BATCH-2: a scheduler that takes no timers ends every linger at once")
    void sendsWithoutATimer() {
        Batcher<String, Item, String> slow = rig.batcher(given -> given.linger(LINGER));
        rig.time.dispose();
        submit(slow, "a");
        assertThat(rig.next().entities()).containsExactly("a");
    }

    @Test
    @DisplayName("BATCH-3: the bytes of a batch are its envelope and its items, up to exactly the limit")
    void cutsByExactBytes() {
        submit(batcher, "first");
        batcher.submit("k", new Item("a", 450, 0));
        batcher.submit("k", new Item("b", 450, 0));
        batcher.submit("k", new Item("c", 450, 0));
        batcher.submit("k", new Item("d", 451, 0));
        rig.next().done();
        Sent exact = rig.next();
        assertThat(exact.entities()).containsExactly("a", "b");
        exact.done();
        assertThat(rig.next().entities()).containsExactly("c");
    }

    @Test
    @DisplayName("BATCH-4: an entity stands once in a batch; its next item keeps its place, others skip ahead")
    void takesAnEntityOnce() {
        submit(batcher, "first");
        batcher.submit("k", Item.of("a", 1));
        batcher.submit("k", Item.of("a", 2));
        batcher.submit("k", Item.of("b", 3));
        batcher.submit("k", Item.of("a", 4));
        batcher.submit("k", Item.of("c", 5));
        batcher.submit("k", Item.of("d", 6));
        batcher.submit("k", Item.of("e", 7));
        rig.next().done();
        Sent second = rig.next();
        assertThat(second.ids()).containsExactly(1, 3, 5, 6);
        second.done();
        Sent third = rig.next();
        assertThat(third.ids()).containsExactly(2, 7);
        third.done();
        assertThat(rig.next().ids()).containsExactly(4);
    }

    @Test
    @DisplayName("BATCH-6: a lane has one batch in flight, other lanes are not held up")
    void sendsOneBatchPerLane() {
        batcher.submit("k", Item.of("a"));
        batcher.submit("k", Item.of("b"));
        batcher.submit("other", Item.of("a"));
        assertThat(rig.sent).hasSize(2);
        assertThat(rig.lanes.batchesInFlight()).isEqualTo(2);
        rig.next().done();
        rig.next().done();
        assertThat(rig.next().entities()).containsExactly("b");
    }

    @Test
    @DisplayName("BATCH-6: writers share the lanes of their engine")
    void sharesLanes() {
        submit(batcher, "first");
        submit(rig.batcher(), "a");
        submit(rig.batcher(), "b");
        rig.next().done();
        assertThat(rig.next().entities()).containsExactly("a", "b");
    }

    @Test
    @DisplayName("BATCH-6: lanes that are ready are served in turn")
    void servesLanesInTurn() {
        Rig narrow = new Rig(given -> given.maxBatchesInFlight(1));
        Batcher<String, Item, String> writer = narrow.batcher();
        for (String key : List.of("one", "one", "two", "three", "one")) {
            writer.submit(key, Item.of("a"));
        }
        List<String> served = new ArrayList<>();
        while (!narrow.isQuiet()) {
            Sent sent = narrow.next();
            served.add(sent.batch.key());
            sent.done();
        }
        assertThat(served).containsExactly("one", "two", "three", "one", "one");
    }
}
