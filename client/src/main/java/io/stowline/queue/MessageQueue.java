package io.stowline.queue;

import com.azure.storage.queue.QueueAsyncClient;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.queue.internal.Timing;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A queue of messages whose bodies are of one Java type.
 *
 * <pre>{@code
 * MessageQueue<Order> orders = storage.queue("orders", Order.class);
 * orders.createIfMissing();
 * orders.send(new Order("A-17", 3), send -> send.delay(Duration.ofSeconds(10)));
 *
 * for (Received<Order> message : orders.receive(32, Duration.ofMinutes(1))) {
 *     if (message.isDecodable()) {
 *         System.out.println(message.body());
 *         orders.delete(message);
 *     }
 * }
 * }</pre>
 *
 * <p><b>Delivery</b> is at least once: a message that is not deleted before its lease ends is received again, a send whose answer was
 * lost may have put it twice ({@link Sent#repeated()}), and the order is only roughly that of the sends. A receive whose answer was lost
 * is tried again; what the lost answer held stays hidden for the lease, and its dequeue count has risen.
 *
 * <p><b>Bodies</b> are written by the codec and then by {@link #encoding(MessageEncoding)}, in Base64 unless it is changed. What others
 * have sent is read as it is: with {@link MessageEncoding#BASE64}, a text that is Base64 (with or without padding and line breaks) is
 * decoded first, and if the codec refuses that, or it is no Base64, the codec gets the text itself. With {@link MessageEncoding#NONE}
 * the codec gets the text itself first, and only if it refuses that, and it is Base64, what it stands for. Text and bytes are never
 * refused in the plain form, so that with {@code NONE} they are always what the message says, and with {@code BASE64} a plain text that
 * happens to be the Base64 of a text is taken for it. {@link Received#raw()} has the text itself. A body that the codec reads in
 * neither form fails alone, see {@link Received#body()}.
 *
 * <p><b>Limits</b> are checked before anything is sent, with an {@link IllegalArgumentException} that names the value and the limit:
 * 65,536 bytes of text (49,152 of body in Base64), 32 messages at once, leases and delays of 7 days. The service counts in seconds; a
 * fraction is rounded up.
 *
 * <p><b>Failures</b>: every operation is tried by the retry settings of this queue until its deadline. What the service refuses is a
 * {@link io.stowline.error.StorageException}, by meaning: {@link NotFoundException} if the queue is not there, and
 * {@link PreconditionFailedException} if a message is not ours any more, because it was deleted or expired, or received or updated since.
 * An interrupt ends a wait at once with {@link io.stowline.error.StorageInterruptedException}.
 *
 * <p><b>Lost answers</b>: a write of which nobody can tell whether it was carried out is an
 * {@link io.stowline.error.OutcomeUnknownException}, whose cause is what the last attempt ended with. A deletion counts as carried out if
 * the message is gone while our lease still runs for certain, for then nobody else can have removed it. A message whose deletion ended as
 * unknown is remembered in this process until it expires (10,000 of them); received again, it is removed and not handed out, so that
 * a receive may give fewer messages than there are.
 *
 * <p>Thread-safe; works on platform and virtual threads, and refuses to block an event loop. {@link #reactive()} has the same verbs
 * without blocking.
 *
 * @param <T> the type of the bodies
 */
public final class MessageQueue<T> {

    private final QueueScope<T> scope;

    MessageQueue(QueueScope<T> scope) {
        this.scope = scope;
    }

    /**
     * The queue's name.
     *
     * @return the name
     */
    public String name() {
        return scope.client().name();
    }

    /**
     * The same verbs without blocking.
     *
     * @return the reactive face of this queue
     */
    public ReactiveMessageQueue<T> reactive() {
        return new ReactiveMessageQueue<>(scope);
    }

    /**
     * The SDK's client of this queue, on the same connections: for what is not offered here. It neither encodes nor decodes Base64, and
     * it fails in the SDK's own way; the client's retry settings hold for it too, but after a lost answer it sends again only what may
     * safely be done twice.
     *
     * @return the SDK's client
     */
    public QueueAsyncClient unwrap() {
        return scope.client().lent();
    }

    /**
     * Makes the queue. While a queue of this name is still being deleted, which takes the service 30 seconds and more, it is tried again
     * within the deadline. The call leaves a mark in the queue's metadata, which {@link #metadata()} does not show, to be known again by
     * after a lost answer.
     *
     * @throws ConflictException if there is one of this name
     * @throws io.stowline.error.OutcomeUnknownException if an answer was lost and the queue that is there has not the mark
     */
    public void create() {
        Await.on(scope.client().create());
    }

    /**
     * Makes the queue unless it is there, with whatever metadata. It leaves no mark, so that other clients may do the same.
     *
     * @return true if it was made by this call; after a lost answer also false where this call may have made the one that is there
     */
    public boolean createIfMissing() {
        return await(scope.client().createIfMissing());
    }

    /**
     * Removes the queue with all its messages.
     *
     * @throws NotFoundException if there is none
     */
    public void deleteQueue() {
        Await.on(scope.client().delete());
    }

    /**
     * Removes the queue with all its messages if it is there.
     *
     * @return false if there was none for certain; true if it was removed, or if after a lost answer it is gone
     */
    public boolean deleteQueueIfExists() {
        return await(scope.client().deleteIfExists());
    }

    /**
     * Asks whether the queue is there.
     *
     * @return whether it is
     */
    public boolean exists() {
        return await(scope.client().exists());
    }

    /**
     * Puts a message into the queue, visible at once, kept for 7 days. A send cannot be checked afterwards: put an id into the body where
     * doing a thing twice would do harm, and let the receiver drop the second one.
     *
     * @param body its body
     * @return the message's id and times, and whether it may be there twice
     */
    public Sent send(T body) {
        return send(body, options -> options);
    }

    /**
     * Puts a message into the queue.
     *
     * @param body its body
     * @param options says when it is visible and how long it is kept
     * @return the message's id and times, and whether it may be there twice
     */
    public Sent send(T body, UnaryOperator<SendOptions> options) {
        return await(scope.send(body, options));
    }

    /**
     * Receives one message, hidden from others for 30 seconds.
     *
     * @return the message, if there is one to be had
     */
    public Optional<Received<T>> receive() {
        return receive(1).stream().findFirst();
    }

    /**
     * Receives messages, hidden from others for 30 seconds.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, none if there are none to be had
     */
    public List<Received<T>> receive(int max) {
        return receive(max, Timing.DEFAULT_LEASE);
    }

    /**
     * Receives messages.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, none if there are none to be had
     */
    public List<Received<T>> receive(int max, Duration lease) {
        return scope.received(await(scope.client().receive(max, lease)));
    }

    /**
     * Looks at messages without receiving them.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, none if none are
     */
    public List<Peeked<T>> peek(int max) {
        return scope.peeked(await(scope.client().peek(max)));
    }

    /**
     * Sets the end of a message's lease anew.
     *
     * @param message the message, as its latest receive or update gave it
     * @param lease how long it is hidden from now on, up to 7 days; zero lets others have it at once
     * @return the message with its new receipt, which the next update or delete needs
     * @throws PreconditionFailedException if the message is not ours any more
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost, and the new receipt with it: the message cannot be
     *     updated or deleted any more, and nobody sees it until the time that the exception names
     */
    public Received<T> update(Received<T> message, Duration lease) {
        return await(scope.update(message, lease));
    }

    /**
     * Replaces a message's body, and sets the end of its lease anew.
     *
     * @param message the message, as its latest receive or update gave it
     * @param newBody its new body
     * @param lease how long it is hidden from now on, up to 7 days; zero lets others have it at once
     * @return the message with its new body and its new receipt, which the next update or delete needs
     * @throws PreconditionFailedException if the message is not ours any more
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost, and the new receipt with it
     */
    public Received<T> update(Received<T> message, T newBody, Duration lease) {
        return await(scope.update(message, newBody, lease));
    }

    /**
     * Removes a message for good, also after its lease if nobody else has received it since. Whatever a deletion fails with, this client
     * remembers the message: if it is received here again, it is removed and not handed out, unless it was updated with a new body, or
     * made visible, in between.
     *
     * @param message the message, as its latest receive or update gave it
     * @throws PreconditionFailedException if the message is not ours any more
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost and it cannot be told whether the message is gone
     */
    public void delete(Received<?> message) {
        Await.on(scope.delete(message));
    }

    /**
     * Removes a message for good if it is ours still; otherwise like {@link #delete(Received)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return false if it is not ours any more: it was removed or has expired, or was received or updated since
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost and it cannot be told whether the message is gone
     */
    public boolean deleteIfOurs(Received<?> message) {
        return await(scope.deleteIfOurs(message));
    }

    /**
     * Takes back a message that was sent, as long as no one has received it. A deletion that fails is not remembered: the message may be
     * received here.
     *
     * @param message what its send gave
     * @throws PreconditionFailedException if it was received or removed, or has expired
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost and it cannot be told whether the message is gone
     */
    public void delete(Sent message) {
        Await.on(scope.delete(message));
    }

    /**
     * Takes back a message that was sent if it was not received; otherwise like {@link #delete(Sent)}.
     *
     * @param message what its send gave
     * @return false if it was received or removed, or has expired
     * @throws io.stowline.error.OutcomeUnknownException if the answer was lost and it cannot be told whether the message is gone
     */
    public boolean deleteIfOurs(Sent message) {
        return await(scope.deleteIfOurs(message));
    }

    /** Removes all messages, hidden ones too; after a lost answer perhaps twice, with what was sent in between. */
    public void clear() {
        Await.on(scope.client().clear());
    }

    /**
     * How many messages there are, hidden ones too.
     *
     * @return about the number, never less than it
     */
    public long approximateCount() {
        return await(scope.client().approximateCount());
    }

    /**
     * The queue's metadata.
     *
     * @return names and values
     */
    public Map<String, String> metadata() {
        return await(scope.client().metadata());
    }

    /**
     * What the service knows of the queue, and where that was read.
     *
     * @return count, metadata and their origin
     */
    public QueueFacts facts() {
        return await(scope.client().facts());
    }

    /**
     * Replaces the queue's metadata.
     *
     * @param metadata all of it: names that are C# identifiers, values in visible ASCII, 8 KiB together
     */
    public void setMetadata(Map<String, String> metadata) {
        Await.on(scope.client().setMetadata(metadata));
    }

    /**
     * The same queue with bodies of another form.
     *
     * @param codec what writes and reads them
     * @param <R> their type
     * @return the queue of that type; making it costs nothing
     */
    public <R> MessageQueue<R> codec(MessageCodec<R> codec) {
        return new MessageQueue<>(scope.codec(codec));
    }

    /**
     * The same queue, writing its bodies in another encoding. What it reads may be in either.
     *
     * @param encoding the encoding
     * @return the narrowed queue; making it costs nothing
     */
    public MessageQueue<T> encoding(MessageEncoding encoding) {
        return new MessageQueue<>(scope.encoding(encoding));
    }

    /**
     * The same queue with one more header on all its requests, all attempts included. Not on those of {@link #unwrap}.
     * It is signed where the service
     * signs headers.
     *
     * @param name its name; not one that the library sets itself, such as {@code Authorization} and {@code x-ms-version}, or that changes
     *     what a request means, such as {@code If-Match} and {@code Content-Type}
     * @param value its value: 1 to 8,192 characters of visible ASCII and spaces
     * @return the narrowed queue; making it costs nothing
     * @throws IllegalArgumentException if the header is not allowed; its value is not shown
     */
    public MessageQueue<T> header(String name, String value) {
        return new MessageQueue<>(scope.header(name, value));
    }

    /**
     * The same queue with other retry settings, for all or for a single call.
     *
     * @param settings changes the settings that this queue has
     * @return the narrowed queue; making it costs nothing
     */
    public MessageQueue<T> retry(UnaryOperator<RetrySettings.Builder> settings) {
        return new MessageQueue<>(scope.retry(settings));
    }

    /**
     * The same queue with reads that may go to the secondary: {@link #facts} and {@link #peek}, whose results say where they came from.
     * Messages are received from the primary only, and all else stays there.
     *
     * @param source where safe reads go, {@link ReadFrom#PRIMARY} unless the client's builder says otherwise
     * @return the narrowed queue; making it costs nothing
     * @throws IllegalArgumentException if no secondary endpoint of the queues is known
     */
    public MessageQueue<T> readFrom(ReadFrom source) {
        return new MessageQueue<>(scope.readFrom(source));
    }

    private static <R> R await(Mono<R> result) {
        @Nullable R value = Await.on(result);
        return Objects.requireNonNull(value, "the operation ended without a result");
    }

    @Override
    public String toString() {
        return "MessageQueue[" + name() + "]";
    }

    /** When a message is visible and how long it is kept. Every setter checks its value at once. Not thread-safe. */
    public static final class SendOptions {

        private @Nullable Duration delay;
        private @Nullable Duration timeToLive;

        SendOptions() {}

        @Nullable
        Duration delay() {
            return delay;
        }

        @Nullable
        Duration timeToLive() {
            return timeToLive;
        }

        /**
         * Hides the message at first.
         *
         * @param delay how long, up to 7 days, less than the time it is kept; the default is not at all
         * @return these options
         */
        public SendOptions delay(Duration delay) {
            this.delay = Timing.delay(delay);
            return this;
        }

        /**
         * Sets how long the service keeps the message.
         *
         * @param timeToLive how long, 1 second or more; the default is 7 days
         * @return these options
         */
        public SendOptions timeToLive(Duration timeToLive) {
            this.timeToLive = Timing.timeToLive(timeToLive);
            return this;
        }

        /**
         * Has the service keep the message until it is deleted.
         *
         * @return these options
         */
        public SendOptions neverExpires() {
            this.timeToLive = Timing.NEVER;
            return this;
        }
    }
}
