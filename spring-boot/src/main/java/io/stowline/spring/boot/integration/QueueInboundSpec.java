package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.integration.dsl.MessageProducerSpec;

/**
 * The specification of a {@link QueueInboundChannelAdapter} for the Java DSL. Not thread-safe.
 *
 * @param <T> the type of the payloads
 */
public final class QueueInboundSpec<T> extends MessageProducerSpec<QueueInboundSpec<T>, QueueInboundChannelAdapter<T>> {

    private final QueueInboundChannelAdapter<T> adapter;

    QueueInboundSpec(MessageQueue<T> queue) {
        this(new QueueInboundChannelAdapter<>(queue));
    }

    private QueueInboundSpec(QueueInboundChannelAdapter<T> adapter) {
        super(adapter);
        this.adapter = adapter;
    }

    /**
     * Changes the settings of the consumer; see {@link QueueInboundChannelAdapter#setConsumer}.
     *
     * @param settings sets what differs from the defaults
     * @return this specification
     */
    public QueueInboundSpec<T> consumer(UnaryOperator<QueueConsumer.Builder> settings) {
        adapter.setConsumer(settings);
        return this;
    }

    /**
     * Has the flow acknowledge each message; see {@link QueueInboundChannelAdapter#setManualAcknowledgment}.
     *
     * @return this specification
     */
    public QueueInboundSpec<T> manualAcknowledgment() {
        adapter.setManualAcknowledgment(true);
        return this;
    }

    /**
     * Sets how long a stop waits for the flow; see {@link QueueInboundChannelAdapter#setStopTimeout}.
     *
     * @param stopTimeout 1 ms to 24 hours; 20 s by default
     * @return this specification
     * @throws IllegalArgumentException if the time is out of range
     */
    public QueueInboundSpec<T> stopTimeout(Duration stopTimeout) {
        adapter.setStopTimeout(stopTimeout);
        return this;
    }
}
