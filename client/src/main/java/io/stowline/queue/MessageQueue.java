package io.stowline.queue;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.access.AccessPolicies;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A queue of messages whose bodies are of one Java type.
 *
 * <pre>{@code
 * MessageQueue<Order> orders = storage.queue("orders", Order.class);
 * orders.createIfMissing();
 * orders.send(new Order("A-17", 3), send -> send.delay(Duration.ofSeconds(10)));
 *
 * for (ReceivedMessage<Order> message : orders.receive(32, Duration.ofMinutes(1))) {
 *     if (message.isDecodable()) {
 *         System.out.println(message.body());
 *         orders.delete(message);
 *     }
 * }
 * }</pre>
 *
 * <p><b>Delivery</b> is at least once: a message that is not deleted before its lease ends is received again. A send whose response was
 * lost may have put it twice ({@link SendResult#mayHaveRepeated()}). The order is only roughly FIFO. A receive whose response was lost is
 * tried again; what the lost response held stays hidden for the lease, and its dequeue count has risen.
 *
 * <p><b>Bodies</b> are written by the codec and then by {@link #withEncoding(QueueMessageEncoding)}, in Base64 unless it is changed. What others
 * have sent is read as it is: with {@link QueueMessageEncoding#BASE64}, a text that is Base64 (with or without padding and line breaks) is
 * decoded first. If the codec refuses that, or the text is no Base64, the codec gets the text itself. With {@link QueueMessageEncoding#NONE} the
 * codec gets the text itself first, and only if it refuses that, and it is Base64, what it stands for. Codecs of text and bytes never
 * refuse the plain form: with {@code NONE} they always give the text of the message. With {@code BASE64} a plain text that happens to be
 * valid Base64 of a text is decoded. {@link ReceivedMessage#raw()} has the text itself. A body that the codec reads in neither form fails
 * alone, see {@link ReceivedMessage#body()}.
 *
 * <p><b>Limits</b> are checked before anything is sent, with an {@link IllegalArgumentException} that names the value and the limit:
 * 65,536 bytes of text (49,152 of body in Base64; less in {@linkplain #withEnvelope an envelope}), 32 messages at once, leases and delays of 7 days. The service counts in seconds; a
 * fraction is rounded up.
 *
 * <p><b>Failures</b>: every operation is tried by the retry settings of this queue until its deadline. What the service refuses is a
 * {@link io.stowline.error.StorageException}, by meaning: {@link NotFoundException} if the queue is not there, and
 * {@link PreconditionFailedException} if a message is no longer ours, because it was deleted or expired, or received or updated since. An
 * interrupt ends a wait at once with {@link io.stowline.error.StorageInterruptedException}.
 *
 * <p><b>Lost responses</b>: a write whose outcome stays unknown is an {@link io.stowline.error.OutcomeUnknownException}, whose cause is the
 * end of the last attempt. A deletion counts as executed if the message is gone while our lease certainly still runs, for then no other
 * client can have removed it. A message whose deletion ended as unknown is remembered in this process until it expires (10,000 of them);
 * received again, it is removed and not returned, so that a receive may return fewer messages than there are.
 *
 * <p>Thread-safe; works on platform and virtual threads, and refuses to block an event loop. {@link #reactive()} has the same methods
 * without blocking.
 *
 * @param <T> the type of the bodies
 */
public interface MessageQueue<T> {

    /**
     * Returns the queue's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this queue
     */
    ReactiveMessageQueue<T> reactive();

    /**
     * Returns the SDK's client of this queue, on the same connections: for what is not offered here. It neither encodes nor decodes Base64,
     * and it fails in the SDK's own way; the client's retry settings hold for it too, but after a lost response it sends again only what
     * may safely be done twice. What a view sets is not in it, neither a header nor retry settings.
     *
     * @return the SDK's client
     */
    QueueAsyncClient unwrap();

    /**
     * Creates the queue. While a queue of this name is still being deleted, which takes the service 30 seconds and more, it is tried again
     * within the deadline. The call leaves a marker in the queue's metadata, which {@link #info()} does not show, to be known again by
     * after a lost response.
     *
     * @throws ConflictException if there is one of this name
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and the existing queue lacks the marker
     */
    void create();

    /**
     * Creates the queue unless it exists, with whatever metadata. It leaves no marker, so that other clients may do the same.
     *
     * @return true if it was made by this call; after a lost response also false where this call may have made the one that is there
     */
    boolean createIfMissing();

    /**
     * Removes the queue with all its messages.
     *
     * @throws NotFoundException if there is none
     */
    void drop();

    /**
     * Removes the queue with all its messages if it is there.
     *
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    boolean dropIfExists();

    /**
     * Begins a signature that opens this queue for others.
     *
     * <pre>{@code
     * String token = orders.sas().canSend().validFor(Duration.ofHours(1)).sign().token();
     * }</pre>
     *
     * @return its builder
     */
    QueueSasBuilder<SharedAccessSignature> sas();

    /**
     * Returns the stored access policies of this queue, by which signatures are taken back.
     *
     * @return its policies; making them costs nothing
     */
    AccessPolicies<QueueSasBuilder<?>> policies();

    /**
     * Returns whether the queue is there.
     *
     * @return whether it is
     */
    boolean exists();

    /**
     * Puts a message into the queue, visible at once, kept for 7 days. A send cannot be checked afterwards: put an id into the body where
     * doing a thing twice would do harm, and let the receiver drop the second one.
     *
     * @param body its body
     * @return the message's id and times, and whether it may be stored twice
     */
    default SendResult send(T body) {
        return send(body, settings -> settings);
    }

    /**
     * Puts a message into the queue.
     *
     * @param body its body
     * @param settings sets when it is visible and how long it is kept
     * @return the message's id and times, and whether it may be stored twice
     */
    SendResult send(T body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts many messages into the queue, visible at once, kept for 7 days; see {@link #sendAll(Iterable, UnaryOperator)}.
     *
     * @param bodies their bodies
     * @return what became of each, in the order of the bodies
     */
    default List<ItemResult<T, SendResult>> sendAll(Iterable<? extends T> bodies) {
        return sendAll(bodies, settings -> settings);
    }

    /**
     * Puts many messages into the queue: up to 64 requests at a time, as far as the client's parallelism allows. Each message is sent, tried again
     * and fails alone. All bodies are encoded first. The service may receive the messages in another order.
     *
     * @param bodies their bodies
     * @param settings sets when they are visible and how long they are kept
     * @return the end of each, in the order of the bodies: a failed send is an outcome, and not thrown. It is a
     *     {@link io.stowline.error.StorageException}, an {@link IllegalArgumentException} for a body that cannot be encoded or is too long, or
     *     a {@link io.stowline.error.ClosedException} if its send had not begun when the client was closed
     * @throws NullPointerException if a body is {@code null}; nothing was sent then
     */
    List<ItemResult<T, SendResult>> sendAll(Iterable<? extends T> bodies, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Receives one message, hidden from others for 30 seconds.
     *
     * @return the message, if there is one to be had
     */
    default Optional<ReceivedMessage<T>> receive() {
        return receive(1).stream().findFirst();
    }

    /**
     * Receives messages, hidden from others for 30 seconds.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, none if there are none to be had
     */
    List<ReceivedMessage<T>> receive(int max);

    /**
     * Receives messages. Bodies in blobs are read within a third of the lease. A message whose body is not read by then is returned with a
     * {@link ReceivedMessage#failure failure}.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, none if there are none to be had
     */
    List<ReceivedMessage<T>> receive(int max, Duration lease);

    /**
     * Looks at messages without receiving them.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, none if none are
     */
    List<PeekedMessage<T>> peek(int max);

    /**
     * Renews a message's lease: the new lease begins now.
     *
     * @param message the message, as its latest receive or update gave it
     * @param lease how long it is hidden from now on, up to 7 days; zero lets others have it at once
     * @return the message with its new receipt, which the next update or delete needs
     * @throws PreconditionFailedException if the message is no longer ours
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost, and the new receipt with it: the message can no longer be
     *     updated or deleted, and it stays hidden until the time that the exception names
     */
    ReceivedMessage<T> update(ReceivedMessage<T> message, Duration lease);

    /**
     * Replaces a message's body, and renews its lease.
     *
     * @param message the message, as its latest receive or update gave it
     * @param newBody its new body
     * @param lease how long it is hidden from now on, up to 7 days; zero lets others have it at once
     * @return the message with its new body and its new receipt, which the next update or delete needs
     * @throws PreconditionFailedException if the message is no longer ours
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost, and the new receipt with it
     */
    ReceivedMessage<T> update(ReceivedMessage<T> message, T newBody, Duration lease);

    /**
     * Removes a message for good, also after its lease if no other client has received it since. After a failed deletion this client
     * remembers the message. Received here again, it is removed and not returned, unless it was updated with a new body, or made visible,
     * in between.
     *
     * @param message the message, as its latest receive or update gave it
     * @return its result
     * @throws PreconditionFailedException if the message is no longer ours
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the message is gone
     */
    WriteResult delete(ReceivedMessage<?> message);

    /**
     * Removes a message for good if it is ours still; otherwise like {@link #delete(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return false if it is no longer ours: it was removed or has expired, or was received or updated since
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the message is gone
     */
    boolean deleteIfOurs(ReceivedMessage<?> message);

    /**
     * Takes back a message that was sent, as long as no one has received it. A deletion that fails is not remembered: the message may be
     * received here. A body in a blob is left to {@link #sweepBodies}.
     *
     * @param message what its send gave
     * @return its result
     * @throws PreconditionFailedException if it was received or removed, or has expired
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the message is gone
     */
    WriteResult delete(SendResult message);

    /**
     * Takes back a message that was sent if it was not received; otherwise like {@link #delete(SendResult)}.
     *
     * @param message what its send gave
     * @return false if it was received or removed, or has expired
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the message is gone
     */
    boolean deleteIfOurs(SendResult message);

    /** Removes all messages, hidden ones too; after a lost response perhaps twice, with what was sent in between. */
    void clear();

    /**
     * Returns how many messages there are, hidden ones too.
     *
     * @return about the number, never less than it
     */
    long approximateCount();

    /**
     * Returns the properties of the queue.
     *
     * @return message count, metadata, and where they were read
     */
    QueueInfo info();

    /**
     * Replaces the queue's metadata.
     *
     * @param metadata all of it: names that are C# identifiers, values in visible ASCII, 8 KiB together
     * @return its result
     */
    WriteResult setMetadata(Map<String, String> metadata);

    /**
     * Prepares a consumer of this queue, whose blocking handler gets one message at a time.
     *
     * <pre>{@code
     * QueueConsumer consumer = orders.consume(m -> ship(m.body())).concurrency(16).start();
     * }</pre>
     *
     * @param handler handles a message; its return completes the message, an exception has it received again
     * @return the consumer's settings; it runs after {@link QueueConsumer.Builder#start}
     */
    QueueConsumer.Builder consume(QueueConsumer.Handler<MessageLease<T>> handler);

    /**
     * Prepares a consumer of this queue, whose blocking handler gets several messages at a time.
     *
     * @param size how many at most, 1 to 32; a handler starts with fewer when there are no more
     * @param handler handles messages; each has a separate result, see {@link QueueConsumer.Batch#fail}
     * @return the consumer's settings; its concurrency is the number of batches at a time
     * @throws IllegalArgumentException if the number is out of range
     */
    QueueConsumer.Builder consumeBatches(int size, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler);

    /**
     * Holds a received message: renews its lease, 30 seconds each time, until it is ended or lost. A lease of less than 1.5 seconds, or one that
     * has ended, is renewed at once by one attempt, which fails if another client has received the message.
     *
     * <pre>{@code
     * for (ReceivedMessage<Order> message : orders.receive(1)) {
     *     try (MessageLease<Order> held = orders.hold(message)) {
     *         ship(held.body());
     *         held.complete();
     *     }
     * }
     * }</pre>
     *
     * @param message the message, as its latest receive or update gave it; it must not be updated or deleted beside the hold
     * @return the held message; to be closed
     * @throws io.stowline.error.ClosedException if the client is closed
     */
    MessageLease<T> hold(ReceivedMessage<T> message);

    /**
     * Holds a received message: renews its lease until it is ended or lost, for 7 days at most.
     *
     * @param message the message, as its latest receive or update gave it; it must not be updated or deleted beside the hold
     * @param lease how long each renewal hides it, 10 s to 7 days
     * @return the held message; to be closed
     * @throws IllegalArgumentException if the lease is out of range
     * @throws io.stowline.error.ClosedException if the client is closed
     */
    MessageLease<T> hold(ReceivedMessage<T> message, Duration lease);

    /**
     * Returns the queue {@code <name>-poison}, where consumers put what they could not handle.
     *
     * @return the poison queue, which exists once it has got a message
     */
    PoisonQueue<T> poison();

    /**
     * Returns the same queue with bodies of another form.
     *
     * @param codec what writes and reads them
     * @param <R> their type
     * @return the queue of that type; making it costs nothing
     */
    <R> MessageQueue<R> withCodec(MessageCodec<R> codec);

    /**
     * Returns the same queue, writing its bodies in another encoding. What it reads may be in either.
     *
     * @param encoding the encoding
     * @return the narrowed queue; making it costs nothing
     */
    MessageQueue<T> withEncoding(QueueMessageEncoding encoding);

    /**
     * Returns the same queue with bodies in envelopes: each message is a CloudEvent 1.0 in JSON. An envelope has an id, the trace of the sender,
     * and room for a checkpoint and for the counts of a consumer, which then hold across restarts and processes. It can be compressed, and its
     * body can be in a blob.
     *
     * <pre>{@code
     * MessageQueue<Order> enveloped = storage.queue("orders", Order.class)
     *         .withEnvelope(e -> e.compressAbove(8_192).claimCheck(storage.container("bodies")));
     * }</pre>
     *
     * <p>This queue also reads plain messages, and CloudEvents of other programs. It rewrites neither. Let all receivers have an envelope before
     * the first sender has: without one, the JSON of a message is read as a body.
     *
     * @param settings sets what is compressed, and where large bodies go
     * @return the narrowed queue; making it costs nothing
     */
    MessageQueue<T> withEnvelope(UnaryOperator<EnvelopeSettings.Builder> settings);

    /**
     * Removes blobs with bodies that no message of this queue needs: those whose messages have expired, and all if this queue has no
     * message. Such blobs stay after crashes, lost responses, {@link #clear}, {@link #delete(SendResult)} and the end of a time to live. Blobs of messages
     * that moved to or from the poison queue stay as long as that has any message. Safe beside senders and consumers.
     *
     * @param olderThan the least age of a blob, 1 hour to 10 years; it must be longer than a send can take, retries included
     * @return how many were removed
     * @throws IllegalStateException if the queue has no envelope with a {@link EnvelopeSettings.Builder#claimCheck claim check}
     * @throws IllegalArgumentException if the time is out of range
     */
    long sweepBodies(Duration olderThan);

    /**
     * Returns the same queue with one more header on all its requests, those of its poison queue and those for bodies in blobs, all attempts
     * included. Not on those of {@link #unwrap}. It is signed where the service signs headers.
     *
     * @param name its name; not one that the library sets itself, such as {@code Authorization} and {@code x-ms-version}, or that changes
     *     what a request means, such as {@code If-Match} and {@code Content-Type}
     * @param value its value: 1 to 8,192 characters of visible ASCII and spaces
     * @return the narrowed queue; making it costs nothing
     * @throws IllegalArgumentException if the header is not allowed; its value is not shown
     */
    MessageQueue<T> withHeader(String name, String value);

    /**
     * Returns the same queue with other retry settings, for all or for a single call. A queue with a claim check changes the settings of its
     * container likewise for the requests for bodies, so that each of them ends by the deadline, too.
     *
     * @param settings changes the settings that this queue has
     * @return the narrowed queue; making it costs nothing
     */
    MessageQueue<T> withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same queue with reads that may go to the secondary: {@link #info} and {@link #peek}, whose results name where they came
     * from. Messages are received from the primary only, and all else stays there.
     *
     * @param source where safe reads go, {@link ReadFrom#PRIMARY} unless the client's builder sets another
     * @return the narrowed queue; making it costs nothing
     * @throws IllegalArgumentException if no secondary endpoint of the queues is known
     */
    MessageQueue<T> withReadPreference(ReadFrom source);
}
