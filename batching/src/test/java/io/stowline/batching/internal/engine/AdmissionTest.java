package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.writer.Batcher;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class AdmissionTest {

    private final Deque<Consumer<Disposable>> requested = new ArrayDeque<>();
    private final Rig rig = new Rig(given -> given.admission(this::request).maxBatchesInFlight(2));
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private int released;

    private Admission.Waiting request(Consumer<Disposable> granted) {
        requested.add(granted);
        return () -> requested.remove(granted);
    }

    private void grant() {
        requested.remove().accept(() -> released++);
    }

    @Test
    @DisplayName("PERMIT-4: there are never more requests than ready lanes and free slots")
    void requestsWhatItNeeds() {
        batcher.submit("one", Item.of("a"));
        batcher.submit("one", Item.of("b"));
        assertThat(requested).hasSize(1);
        batcher.submit("two", Item.of("a"));
        batcher.submit("three", Item.of("a"));
        assertThat(requested).hasSize(2);
        grant();
        assertThat(requested).hasSize(1);
        grant();
        assertThat(requested).isEmpty();
        rig.next().done();
        assertThat(requested).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-2 PERMIT-4: a granted permit takes the lane that has been ready longest")
    void servesTheFirstLane() {
        batcher.submit("one", Item.of("a"));
        batcher.submit("two", Item.of("a"));
        requested.removeLast().accept(() -> released++);
        assertThat(rig.next().batch.key()).isEqualTo("one");
    }

    @Test
    @DisplayName("PERMIT-4: a permit that the sender did not take is released when the batch ends")
    void releasesAnUntakenPermit() {
        batcher.submit("one", Item.of("a"));
        grant();
        assertThat(released).isZero();
        rig.next().done();
        assertThat(released).isEqualTo(1);
    }

    @Test
    @DisplayName("PERMIT-4: a permit that the sender took is the sender's to release")
    void leavesATakenPermitAlone() {
        batcher.submit("one", Item.of("a"));
        grant();
        Sent sent = rig.next();
        Disposable permit = sent.batch.takePermit(Disposable.class);
        assertThat(sent.batch.takePermit(Disposable.class)).isNull();
        sent.done();
        assertThat(released).isZero();
        permit.dispose();
        assertThat(released).isEqualTo(1);
    }

    @Test
    @DisplayName("PERMIT-4: a permit of another type than the sender's is not taken, and released when the batch ends")
    void refusesAPermitOfAnotherType() {
        batcher.submit("one", Item.of("a"));
        grant();
        Sent sent = rig.next();
        assertThatThrownBy(() -> sent.batch.takePermit(Disposable.Swap.class)).isInstanceOf(ClassCastException.class);
        sent.done();
        assertThat(released).isEqualTo(1);
    }

    @Test
    @DisplayName("PERMIT-4: the permit of an ended batch can no longer be taken")
    void refusesThePermitOfAnEndedBatch() {
        batcher.submit("one", Item.of("a"));
        grant();
        Sent sent = rig.next();
        sent.done();
        assertThat(sent.batch.takePermit(Disposable.class)).isNull();
    }

    @Test
    @DisplayName("PERMIT-4 BATCH-12: the permit of a sender that throws is released")
    void releasesThePermitOfAThrowingSender() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            throw new IllegalStateException("thrown");
                        })
                .admission(this::request)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        lanes.batcher(TestSettings.defaults()).submit("one", Item.of("a"));
        grant();
        assertThat(released).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-2: the items of a batch cannot be changed by the sender")
    void protectsTheItems() {
        batcher.submit("one", Item.of("a"));
        grant();
        Sent sent = rig.next();
        assertThatThrownBy(() -> sent.batch.items().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("PERMIT-4: a permit granted while the request is being made is used")
    void usesAPermitGrantedAtOnce() {
        AtomicReference<String> key = new AtomicReference<>();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            key.set(batch.key());
                            return Mono.just(Sent.allDone(batch));
                        })
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        lanes.batcher(TestSettings.defaults()).submit("one", Item.of("a"));
        assertThat(key).hasValue("one");
        assertThat(lanes.batchesInFlight()).isZero();
    }
}
