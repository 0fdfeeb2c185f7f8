package io.stowline.table.internal.outbox;

import io.stowline.queue.QueueConsumer;
import io.stowline.table.outbox.Outbox;
import io.stowline.table.outbox.ReactiveOutbox;
import io.stowline.transport.internal.concurrent.BlockingAwait;

/** {@link Outbox} that waits for its reactive face. */
public final class DefaultOutbox implements Outbox {

    private final DefaultReactiveOutbox reactive;

    public DefaultOutbox(DefaultReactiveOutbox reactive) {
        this.reactive = reactive;
    }

    @Override
    public QueueConsumer relay() {
        return reactive.relay();
    }

    @Override
    public long recover(String table) {
        return BlockingAwait.result(reactive.recovered(table));
    }

    @Override
    public ReactiveOutbox reactive() {
        return reactive;
    }
}
