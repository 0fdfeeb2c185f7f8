package io.stowline.table.simulation;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** A subscriber that takes the results of a stream as the dice fall, and may have enough before the end. */
final class Stream extends BaseSubscriber<ItemResult<SimulatedOperation, WriteResult>> {

    private final Play play;
    private final Producer producer;
    private final List<SimulatedOperation> given = new ArrayList<>();
    private final int enough;
    private int taken;

    Stream(Play play, Producer producer, int count) {
        this.play = play;
        this.producer = producer;
        this.enough = play.random.nextInt(4) == 0 ? play.random.nextInt(count) : count;
    }

    void given(SimulatedOperation op) {
        given.add(op);
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        play.stream(1);
        request(1 + play.random.nextInt(5));
    }

    @Override
    protected void hookOnNext(ItemResult<SimulatedOperation, WriteResult> result) {
        SimulatedOperation op = result.item();
        if (result.error() != null) {
            producer.ended(op, result.error());
        } else {
            play.ended(op, result.get(), null);
        }
        if (++taken > enough) {
            cancel();
        } else {
            play.service.after(play.service.millis(30), () -> request(1));
        }
    }

    @Override
    protected void hookOnCancel() {
        play.trace.note("a stream was cancelled");
        given.stream().filter(op -> op.results == 0 && !op.refused).forEach(op -> op.detached = true);
        play.stream(-1);
    }

    @Override
    protected void hookOnComplete() {
        play.trace.expect(taken == given.size(), "BATCH-1: a stream ended with other than a result for each operation");
        play.stream(-1);
    }

    @Override
    protected void hookOnError(Throwable error) {
        play.trace.violate("BATCH-12: a stream failed with " + error);
        play.stream(-1);
    }
}
