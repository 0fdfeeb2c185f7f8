package io.stowline.queue.internal.shard;

import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.poison.PoisonNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Several queues as a consumer uses them. Each is polled by itself; what concerns a message goes to the queue that it is in. Immutable. */
public final class ShardedChannel implements MessageChannel {

    private final String name;
    private final List<MessageChannel> parts;
    private final Map<String, MessageChannel> byQueue;

    /**
     * Makes a channel of these queues.
     *
     * @param name their common name
     */
    public ShardedChannel(String name, List<MessageChannel> parts) {
        this.name = name;
        this.parts = List.copyOf(parts);
        this.byQueue = parts.stream().collect(Collectors.toMap(MessageChannel::queue, Function.identity()));
    }

    @Override
    public String queue() {
        return name;
    }

    @Override
    public List<MessageChannel> parts() {
        return parts;
    }

    private MessageChannel of(MessageHeader message) {
        return Objects.requireNonNull(byQueue.get(message.queue()), "the message is in none of these queues");
    }

    @Override
    public Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        throw new UnsupportedOperationException("each queue is polled by itself");
    }

    @Override
    public Mono<LeaseReceipt> renew(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration lease, Duration within) {
        return of(message).renew(message, receipt, text, lease, within);
    }

    @Override
    public Mono<Void> giveBack(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration delay, Duration within) {
        return of(message).giveBack(message, receipt, text, delay, within);
    }

    @Override
    public Mono<Void> delete(MessageHeader message, LeaseReceipt receipt, Duration within) {
        return of(message).delete(message, receipt, within);
    }

    @Override
    public Mono<SendResult> copyToPoison(PoisonNote note) {
        return of(note.message().header()).copyToPoison(note);
    }

    @Override
    public Mono<Void> asOperation(String verb, MessageHeader message, Mono<Void> work) {
        return of(message).asOperation(verb, message, work);
    }

    @Override
    public Mono<Long> count() {
        throw new UnsupportedOperationException("each queue is counted by itself");
    }
}
