package io.stowline.table.outbox;

import io.stowline.queue.QueueConsumer;

/**
 * The outbox of a client: messages that {@link io.stowline.table.Transaction#send} has stored beside entities, and the relay that sends them.
 *
 * <p>A message waits as a row of its transaction's partition. Before the commit a hint goes to the queue {@code stowline-outbox}, hidden for as
 * long as a transaction can take. After the commit the same client sends the message, and removes its row and the hint. A hint that becomes
 * visible shows that this has failed, or that the process has ended: the relay then sends what it finds. So no table is scanned.
 *
 * <p>Rows whose keys begin with {@code ~stowline-outbox~} are no results of queries. Thread-safe.
 */
public interface Outbox {

    /**
     * Starts a relay, which reads hints and sends the messages that still wait. One instance needs one; several share the work. While a queue is
     * missing or refuses messages, they wait, and each hint comes again after 10 s to 5 minutes.
     *
     * @return the consumer of the hints, until it is stopped a part of the client
     * @throws io.stowline.error.ClosedException if the client is closed
     */
    QueueConsumer relay();

    /**
     * Writes the hints of all messages that wait in a table again, for a queue of hints that was cleared or removed. This scans the table.
     *
     * @param table the name of the table
     * @return how many transactions have messages that wait
     */
    long recover(String table);

    /**
     * Returns the non-blocking form of this outbox.
     *
     * @return its reactive face
     */
    ReactiveOutbox reactive();
}
