package io.stowline.queue;

import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.QueueService;
import java.util.Objects;

/** Makes queues of the parts that a client holds. Not part of the API: only the entry in {@code io.stowline} has such parts. */
public final class Queues {

    private final QueueService service;

    /**
     * Stands on a queue service.
     *
     * @param service the service
     */
    @SuppressWarnings("exports")
    public Queues(QueueService service) {
        this.service = service;
    }

    /**
     * Returns a queue of text.
     *
     * @param name its name
     * @return the queue
     */
    public MessageQueue<String> queue(String name) {
        return queue(name, MessageCodec.text());
    }

    /**
     * A queue whose bodies are of one type: JSON, but for {@code String} and {@code byte[]}, which are sent as they are.
     *
     * @param name its name
     * @param type the type of the bodies
     * @param <T> that type
     * @return the queue
     */
    public <T> MessageQueue<T> queue(String name, Class<T> type) {
        return queue(name, codec(type));
    }

    /**
     * Returns a queue whose bodies a codec makes.
     *
     * @param name its name
     * @param codec the codec
     * @param <T> the type of the bodies
     * @return the queue
     */
    public <T> MessageQueue<T> queue(String name, MessageCodec<T> codec) {
        return new MessageQueue<>(new QueueContext<>(
                service.queue(name),
                new BodyFormat<>(Objects.requireNonNull(codec, "codec"), MessageEncoding.BASE64),
                service.callbacks()));
    }

    @SuppressWarnings("unchecked") // each codec is chosen for its own type only
    static <T> MessageCodec<T> codec(Class<T> type) {
        if (type == String.class) {
            return (MessageCodec<T>) MessageCodec.text();
        }
        return type == byte[].class ? (MessageCodec<T>) MessageCodec.bytes() : MessageCodec.json(type);
    }
}
