package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SizeTest {

    private final IllegalStateException bad = new IllegalStateException("bad");
    private final Rig rig = new Rig(given -> given.limits(8, 10_000, 100));
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private int ids;

    private void submit(String key, int count) {
        for (int i = 0; i < count; i++) {
            batcher.submit(key, Item.of("e" + ids++));
        }
    }

    /** The next batch, which has this many items. */
    private Sent batchOf(String key, int items) {
        submit(key, 1);
        Sent first = rig.next();
        submit(key, items);
        first.done();
        Sent batch = rig.next();
        assertThat(batch.batch.items()).hasSize(items);
        return batch;
    }

    private List<Integer> finish(UnaryOperator<BatchReply<String>> how) {
        List<Integer> sizes = new ArrayList<>();
        while (!rig.isQuiet()) {
            Sent sent = rig.next();
            sizes.add(sent.batch.items().size());
            sent.response(how.apply(Sent.allDone(sent.batch)));
        }
        return sizes;
    }

    @Test
    @DisplayName("BATCH-3: the number of items shrinks after a request that is too large, and recovers")
    void shrinksAndRecovers() {
        batchOf("k", 8).response(new BatchReply.TooLarge<>(bad));
        rig.next().response(new BatchReply.TooLarge<>(bad));
        submit("k", 30);
        assertThat(finish(done -> done)).containsExactly(2, 2, 4, 4, 5, 6, 7, 8);
    }

    @Test
    @DisplayName("BATCH-3: a batch that is too much at every size is halved down to one item, which fails")
    void endsAtOneItem() {
        batchOf("k", 8);
        rig.sent.get(1).response(new BatchReply.TooLarge<>(bad));
        int requests = 1;
        while (!rig.isQuiet()) {
            rig.next().response(new BatchReply.TooLarge<>(bad));
            requests++;
        }
        assertThat(requests).isEqualTo(15);
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-3: one lane that is in trouble leaves the others as they are")
    void shrinksOneLane() {
        batchOf("k", 8).response(new BatchReply.TooLarge<>(bad));
        finish(done -> done);
        batchOf("other", 8).done();
        submit("k", 9);
        assertThat(finish(done -> done)).containsExactly(1, 5, 3);
    }

    @Test
    @DisplayName("BATCH-3 BATCH-6: the size of a lane survives the lane")
    void outlivesTheLane() {
        batchOf("k", 8).response(new BatchReply.TooLarge<String>(bad).strained());
        finish(BatchReply::strained);
        assertThat(rig.lanes.laneCount()).isZero();
        submit("k", 9);
        assertThat(finish(done -> done)).containsExactly(1, 2, 3, 3);
    }

    @Test
    @DisplayName("BATCH-3: a success that came with difficulty makes the next batches smaller, and counts as one")
    void easesAfterDifficulty() {
        PendingItem<String> first = batcher.submit("k", Item.of("first"));
        submit("k", 20);
        assertThat(finish(BatchReply::strained)).containsExactly(1, 6, 5, 4, 3, 2);
        assertThat(first.toFuture()).isCompleted();
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-3: a single item that the service could not do in time halves nothing")
    void oneItemHalvesNothing() {
        submit("k", 1);
        Sent first = rig.next();
        submit("k", 9);
        first.response(new BatchReply.TooLarge<>(bad));
        assertThat(finish(done -> done)).containsExactly(8, 1);
    }

    @Test
    @DisplayName("BATCH-3 BATCH-4: what is strained and held is both, in whatever order it was said")
    void isStrainedAndHeld() {
        submit("k", 1);
        Sent first = rig.next();
        submit("k", 9);
        BatchReply<String> done = Sent.allDone(first.batch);
        first.response(
                done.strained().reservedFor(Duration.ofSeconds(1)).strained().reservedFor(Duration.ofSeconds(2)));
        assertThat(rig.lanes.reservedEntities()).isEqualTo(1);
        assertThat(finish(each -> each)).containsExactly(6, 3);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.lanes.reservedEntities()).isEqualTo(1);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.lanes.reservedEntities()).isZero();
    }
}
