package io.stowline.queue.internal.body;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.error.ClosedException;
import io.stowline.projection.InvalidValueException;
import io.stowline.queue.internal.BodyException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.body.BodyFormat.Base64Text;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.request.RequestIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The form of envelopes, which wrap the bodies of messages. Immutable and thread-safe.
 *
 * @param encoding the encoding of an envelope's text
 * @param type the type of the events
 * @param compressAbove bodies of more bytes are compressed, if that makes them smaller
 * @param maxBody the most bytes of a body, before it is compressed
 * @param bodies the store of bodies that have no room in a message, or {@code null}
 */
public record EnvelopeFormat(
        QueueMessageEncoding encoding,
        String type,
        int compressAbove,
        int maxBody,
        @Nullable ClaimCheckStore bodies) {

    /** The longest checkpoint, in bytes of JSON: it has room in every message. */
    private static final int MAX_CHECKPOINT = 1_000;

    /** The trace context with its names, in bytes of JSON. */
    private static final int MAX_TRACE_CONTEXT = 620;

    /** Bytes that a message keeps free for a checkpoint, the trace context, the counts and the name of a blob. */
    private static final int RESERVE = MAX_CHECKPOINT + MAX_TRACE_CONTEXT + 400;

    /**
     * Checks a checkpoint, whose size is that in the JSON of the envelope.
     *
     * @throws IllegalArgumentException if it is too long, or no text in Unicode
     */
    public static String checkpoint(String text) {
        try {
            TextCodec.check("checkpoint", Objects.requireNonNull(text, "text"));
        } catch (BodyException e) {
            throw new IllegalArgumentException(e.getMessage());
        }
        int bytes = MessageEnvelope.jsonBytes(text);
        if (bytes > MAX_CHECKPOINT) {
            throw new IllegalArgumentException(
                    "the checkpoint has " + bytes + " bytes as JSON writes it; the limit is " + MAX_CHECKPOINT);
        }
        return text;
    }

    /** Leaves room for the notes that are still to come. */
    private int maxText() {
        long reserve = encoding == QueueMessageEncoding.BASE64 ? Base64Text.length(RESERVE) : RESERVE;
        return BodyFormat.MAX_TEXT - (int) reserve;
    }

    EnvelopeFormat with(QueueMessageEncoding other) {
        return new EnvelopeFormat(other, type, compressAbove, maxBody, bodies);
    }

    /** Copies this format with a view of the container for bodies, if there is one. */
    public EnvelopeFormat with(UnaryOperator<ReactiveBlobContainer> view) {
        return bodies == null ? this : new EnvelopeFormat(encoding, type, compressAbove, maxBody, bodies.with(view));
    }

    /**
     * A body ready for an envelope.
     *
     * @param bytes as the codec wrote it, or in compressed form
     * @param json whether the codec writes JSON
     * @param compressed whether it is compressed
     * @param inBlob whether it has no room in a message
     * @param eventId the id of its envelope, or {@code null} for a new one each time
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PackedBody(
            byte[] bytes,
            boolean json,
            boolean compressed,
            boolean inBlob,
            @Nullable String eventId) {

        /** Returns an envelope, without a body that goes to a blob. */
        MessageEnvelope envelope(String source, String type) {
            String id = eventId == null ? RequestIds.next() : eventId;
            return MessageEnvelope.of(id, source, type, inBlob ? null : bytes, json, compressed);
        }
    }

    /**
     * Compresses a body if that helps, and decides where it goes.
     *
     * @param eventId the id of its envelope, or {@code null} for a new one
     * @throws IllegalArgumentException if it has no room anywhere
     */
    PackedBody pack(byte[] bytes, boolean json, @Nullable String eventId) {
        if (bytes.length > maxBody) {
            throw new InvalidValueException("the body has " + bytes.length + " bytes; the limit is " + maxBody
                    + ", see maxBody of the envelope");
        }
        byte[] smaller = bytes.length > compressAbove ? Gzip.compress(bytes) : bytes;
        boolean compressed = smaller.length < bytes.length;
        PackedBody packed = new PackedBody(compressed ? smaller : bytes, json, compressed, false, eventId);
        long size = size(packed);
        if (size <= maxText()) {
            return packed;
        }
        if (bodies == null) {
            throw new InvalidValueException(
                    "the message of " + bytes.length + " bytes has " + size + " bytes in its envelope"
                            + (compressed ? ", compressed" : "") + "; the limit is " + maxText()
                            + ". compressAbove or claimCheck of the envelope make room");
        }
        return new PackedBody(packed.bytes(), json, compressed, true, eventId);
    }

    private long size(PackedBody packed) {
        long inside = packed.json() && !packed.compressed()
                ? packed.bytes().length
                : Base64Text.length(packed.bytes().length);
        if (inside > maxText()) {
            return inside;
        }
        String json = packed.envelope("source-of-the-longest-name-that-a-queue-can-have-of-63-characters", type)
                .json();
        long bytes = json.getBytes(StandardCharsets.UTF_8).length;
        return encoding == QueueMessageEncoding.BASE64 ? Base64Text.length(bytes) : bytes;
    }

    /** Returns the most bytes of the text of a message that has no checkpoint yet. */
    int maxBytes(PackedBody packed, String folder) {
        long bytes = packed.envelope(folder, type).json().getBytes(StandardCharsets.UTF_8).length + (long) RESERVE;
        return (int) Math.min(
                BodyFormat.MAX_TEXT, encoding == QueueMessageEncoding.BASE64 ? Base64Text.length(bytes) : bytes);
    }

    /**
     * Returns the text of a message.
     *
     * @throws IllegalArgumentException if XML cannot carry it or it is too long
     */
    public String text(MessageEnvelope envelope) {
        return BodyFormat.text(encoding, envelope.json().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the envelope in a text, in Base64 or plain, or {@code null} if it is none. */
    public @Nullable MessageEnvelope read(String text) {
        return EventReader.read(text);
    }

    /** Returns the envelope in a text, if the library wrote it and may rewrite it; or {@code null}. */
    public @Nullable MessageEnvelope own(String text) {
        MessageEnvelope envelope = read(text);
        return envelope != null && envelope.isOwn() ? envelope : null;
    }

    /**
     * Returns the blob with the body of a message of the library, also for a queue without envelopes; or {@code null}.
     */
    public static @Nullable Claim claim(String text) {
        MessageEnvelope envelope = EventReader.read(text);
        return envelope == null ? null : envelope.claim();
    }

    /** Returns the store of bodies of a queue, or {@code null} if it has none. */
    public static @Nullable ClaimCheckStore bodiesOf(@Nullable EnvelopeFormat format) {
        return format == null ? null : format.bodies;
    }

    /** Removes the body of a finished message, if a blob of its queue holds it. It does not fail. */
    public static Mono<Void> discard(@Nullable EnvelopeFormat format, @Nullable MessageEnvelope envelope) {
        ClaimCheckStore bodies = bodiesOf(format);
        Claim claim = bodies == null ? null : bodies.claim(envelope);
        return bodies == null || claim == null ? Mono.empty() : bodies.discard(claim);
    }

    /** Opens the envelope of a message, if it has one, but does not read a body in a blob. */
    MessageView opened(MessageView message) {
        MessageEnvelope envelope = read(message.raw());
        if (envelope == null) {
            return message;
        }
        String damage = envelope.damage();
        return message.opened(
                new OpenedEnvelope(envelope, null, damage == null ? null : new BodyException(damage, null)));
    }

    /**
     * Opens the envelope of a message, if it has one, and reads the body from its blob. The failure of a blob is in the
     * result.
     */
    Mono<MessageView> opened(MessageView message, ReadingTime reading) {
        MessageView local = opened(message);
        OpenedEnvelope opened = local.opened();
        Claim claim = opened == null ? null : opened.envelope().claim();
        if (opened == null || claim == null) {
            return Mono.just(local);
        }
        MessageEnvelope envelope = opened.envelope();
        if (bodies == null) {
            return Mono.just(message.opened(new OpenedEnvelope(
                    envelope,
                    null,
                    new IllegalStateException("this queue has no claimCheck for the blob " + claim.name()))));
        }
        if (bodies.claim(envelope) == null) {
            return Mono.just(message.opened(
                    new OpenedEnvelope(envelope, null, new BodyException(MessageEnvelope.FOREIGN_BLOB, null))));
        }
        return reading.limit(bodies.get(claim, maxBody))
                .map(bytes -> message.opened(new OpenedEnvelope(envelope, bytes, null)))
                .onErrorResume(
                        Exception.class,
                        e -> Mono.deferContextual(context -> isCut(e, context)
                                ? Mono.error(e)
                                : Mono.just(message.opened(new OpenedEnvelope(envelope, null, e)))));
    }

    /** True if closing the client has ended the read, and with it the operation. */
    private static boolean isCut(Exception e, ContextView context) {
        InFlightRegistry operations = OperationScope.inFlight(context);
        return e instanceof ClosedException
                || (!(e instanceof BodyException) && operations != null && operations.abandoned());
    }

    /**
     * Returns the bytes that the codec wrote.
     *
     * @throws BodyException if they cannot be had
     */
    byte[] unpacked(OpenedEnvelope opened) {
        Throwable missing = opened.missing();
        if (missing instanceof BodyException known) {
            throw known;
        }
        if (missing != null) {
            throw new BodyException("its body cannot be read from its blob now: " + missing.getMessage(), null);
        }
        MessageEnvelope envelope = opened.envelope();
        byte[] stored = opened.body();
        byte[] bytes = stored == null ? data(envelope) : stored;
        return envelope.isOwn() && envelope.isCompressed() ? expanded(bytes) : bytes;
    }

    private static byte[] data(MessageEnvelope envelope) {
        try {
            byte[] data = envelope.data();
            return data == null ? new byte[0] : data;
        } catch (IllegalArgumentException e) {
            throw new BodyException("its data_base64 is no Base64", null);
        }
    }

    private byte[] expanded(byte[] bytes) {
        byte[] expanded;
        try {
            expanded = Gzip.expand(bytes, maxBody);
        } catch (IOException e) {
            throw new BodyException("its compressed body is damaged", null);
        }
        if (expanded == null) {
            throw new BodyException("it has more than " + maxBody + " bytes, which is maxBody of the envelope", null);
        }
        return expanded;
    }
}
