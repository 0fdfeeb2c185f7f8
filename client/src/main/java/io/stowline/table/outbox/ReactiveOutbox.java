package io.stowline.table.outbox;

import io.stowline.queue.QueueConsumer;
import reactor.core.publisher.Mono;

/** The non-blocking face of an {@link Outbox}. Thread-safe. */
public interface ReactiveOutbox {

    /**
     * Starts a relay; see {@link Outbox#relay}.
     *
     * @return the consumer of the hints, until it is stopped a part of the client
     * @throws io.stowline.error.ClosedException if the client is closed
     */
    QueueConsumer relay();

    /**
     * Writes the hints of all messages that wait in a table again; see {@link Outbox#recover}.
     *
     * @param table the name of the table
     * @return how many transactions have messages that wait
     */
    Mono<Long> recover(String table);
}
