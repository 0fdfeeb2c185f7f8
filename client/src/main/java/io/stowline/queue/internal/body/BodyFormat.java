package io.stowline.queue.internal.body;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.projection.InvalidValueException;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.BodyException;
import io.stowline.queue.internal.BodyException.RedactedCodecException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.MessageXml;
import io.stowline.transport.StorageLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The way from bodies to the text of messages, and back. Immutable and thread-safe as far as the codec is.
 *
 * @param codec turns values into bytes
 * @param encoding turns bytes into text
 * @param envelope the form of the envelopes, or {@code null} if messages have none
 */
public record BodyFormat<T>(
        MessageCodec<T> codec,
        QueueMessageEncoding encoding,
        @Nullable EnvelopeFormat envelope) {

    /**
     * Bodies without an envelope.
     *
     * @param codec values to bytes
     * @param encoding bytes to text
     */
    public BodyFormat(MessageCodec<T> codec, QueueMessageEncoding encoding) {
        this(codec, encoding, null);
    }

    /** Returns this format with another codec. */
    public <R> BodyFormat<R> with(MessageCodec<R> other) {
        return new BodyFormat<>(other, encoding, envelope);
    }

    /** Returns this format with another encoding. */
    public BodyFormat<T> with(QueueMessageEncoding other) {
        return new BodyFormat<>(codec, other, envelope == null ? null : envelope.with(other));
    }

    /** Copies this format with a view of the container for bodies, if there is one. */
    public BodyFormat<T> with(UnaryOperator<ReactiveBlobContainer> view) {
        return new BodyFormat<>(codec, encoding, envelope == null ? null : envelope.with(view));
    }

    /** The longest text of a message, in bytes of UTF-8 (the service's page "Put Message"). */
    static final int MAX_TEXT = StorageLimits.MESSAGE_MAX_BYTES;

    /** The longest body of a request that carries a message; what the service itself names when it refuses one. */
    static final int MAX_BODY = 131_584;

    private static final int BLOBS_AT_ONCE = 8;

    /** The most bytes of one escaped byte of text. */
    private static final int MAX_ESCAPED = 6;

    /**
     * Writes a body without an envelope.
     *
     * @return the message's text
     * @throws IllegalArgumentException if the codec cannot write it, XML cannot carry it or it is too long
     */
    public String write(T value) {
        return text(encoding, encoded(value));
    }

    /**
     * Writes a body for a message that exists, or has any id.
     *
     * @return what is sent
     * @throws IllegalArgumentException if the codec cannot write it, XML cannot carry it or it is too long
     */
    public OutgoingMessage outgoing(T value) {
        return outgoing(value, null);
    }

    /**
     * Writes a body.
     *
     * @param eventId the id of its envelope, if there is one, or {@code null} for a new one
     * @return what is sent
     * @throws IllegalArgumentException if the codec cannot write it, XML cannot carry it or it is too long
     */
    public OutgoingMessage outgoing(T value, @Nullable String eventId) {
        EnvelopeFormat enveloped = envelope;
        return enveloped == null
                ? OutgoingMessage.plain(write(value))
                : OutgoingMessage.enveloped(
                        enveloped,
                        enveloped.pack(encoded(value), codec instanceof JsonCodec<?> json && json.isJson(), eventId));
    }

    static String text(QueueMessageEncoding encoding, byte[] bytes) {
        return encoding == QueueMessageEncoding.BASE64 ? base64(bytes) : plain(bytes);
    }

    private byte[] encoded(T value) {
        byte @Nullable [] bytes;
        try {
            bytes = codec.encode(value);
        } catch (BodyException e) {
            throw new IllegalArgumentException(e.getMessage(), e.getCause());
        } catch (Exception | Error e) {
            passOn(e);
            throw new IllegalArgumentException(
                    "the codec " + codec + " cannot write the body of type "
                            + value.getClass().getName() + ": "
                            + e.getClass().getName(),
                    RedactedCodecException.copyOf(e));
        }
        if (bytes == null) {
            throw new IllegalArgumentException("the codec " + codec + " wrote null");
        }
        return bytes;
    }

    private static String base64(byte[] bytes) {
        long size = Base64Text.length(bytes.length);
        if (size > MAX_TEXT) {
            throw new InvalidValueException(
                    "the message of " + bytes.length + " bytes has " + size + " bytes in BASE64; the limit is "
                            + MAX_TEXT + ", which is " + MAX_TEXT / 4 * 3 + " before BASE64");
        }
        return Base64Text.of(bytes);
    }

    private static String plain(byte[] bytes) {
        if (bytes.length > MAX_TEXT) {
            throw new InvalidValueException("the message has " + bytes.length
                    + " bytes with QueueMessageEncoding.NONE; the limit is " + MAX_TEXT);
        }
        String text = XmlText.check(utf8(bytes));
        if (bytes.length * MAX_ESCAPED > MAX_BODY) {
            long body = MessageXml.body(text).length();
            if (body > MAX_BODY) {
                throw new InvalidValueException("the message of " + bytes.length + " bytes has " + body
                        + " bytes as XML with QueueMessageEncoding.NONE, where < and & grow; the limit is " + MAX_BODY
                        + "; QueueMessageEncoding.BASE64 takes " + Base64Text.length(bytes.length));
            }
        }
        return text;
    }

    private static String utf8(byte[] bytes) {
        try {
            return TextCodec.INSTANCE.decode(bytes);
        } catch (BodyException e) {
            throw new IllegalArgumentException(
                    e.getMessage()
                            + ", and QueueMessageEncoding.NONE carries only such; QueueMessageEncoding.BASE64 carries"
                            + " any",
                    e.getCause());
        }
    }

    /**
     * Opens the envelopes of messages, and reads bodies from their blobs. It ends within a time: what is not read by then is the failure of its
     * message.
     *
     * @param timer the clock and alarm
     * @param atMost the time for all bodies, from the subscription on
     */
    public Mono<List<MessageView>> opened(List<MessageView> messages, Scheduler timer, Duration atMost) {
        EnvelopeFormat enveloped = envelope;
        return enveloped == null
                ? Mono.just(messages)
                : Mono.defer(() -> {
                    ReadingTime reading = ReadingTime.of(atMost, timer);
                    return Flux.fromIterable(messages)
                            .flatMapSequential(message -> enveloped.opened(message, reading), BLOBS_AT_ONCE)
                            .collectList();
                });
    }

    /** Opens the envelope of a message, but does not read a body in a blob. */
    public MessageView opened(MessageView message) {
        return envelope == null ? message : envelope.opened(message);
    }

    /** Returns the envelope of a text that the library wrote, or {@code null}. */
    public @Nullable MessageEnvelope own(String text) {
        return envelope == null ? null : envelope.own(text);
    }

    /**
     * Reads the body of a message: from its envelope, if that was opened, or else as {@link #read(String)} does.
     *
     * @return the value, or why there is none
     */
    public DecodedBody<T> read(MessageView message) {
        OpenedEnvelope opened = message.opened();
        EnvelopeFormat enveloped = envelope;
        if (opened == null || enveloped == null) {
            return read(message.raw());
        }
        byte[] bytes;
        try {
            bytes = enveloped.unpacked(opened);
        } catch (BodyException e) {
            return DecodedBody.failed(String.valueOf(e.getMessage()), e.getCause());
        }
        return decoded(bytes);
    }

    /**
     * Reads a body in the form that this format writes, or else in the other one.
     *
     * @param text the message's text
     * @return the value, or why there is none
     */
    public DecodedBody<T> read(String text) {
        if (isBroken(text)) {
            return DecodedBody.failed("its text has a half of a character", null);
        }
        if (encoding == QueueMessageEncoding.NONE) {
            DecodedBody<T> asItIs = decoded(bytes(text));
            return asItIs.failed() ? or(asItIs, Base64Text.decode(text)) : asItIs;
        }
        byte[] meant = Base64Text.decode(text);
        // Base64 of nothing is the empty text: blanks and line ends are a text of another sender.
        boolean isBlank = text.isBlank() && !text.isEmpty();
        if (meant == null || isBlank) {
            return decoded(bytes(text));
        }
        DecodedBody<T> unwrapped = decoded(meant);
        return unwrapped.failed() ? or(unwrapped, bytes(text)) : unwrapped;
    }

    /** An encoder would write a question mark for it. */
    private static boolean isBroken(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private DecodedBody<T> or(DecodedBody<T> failed, byte @Nullable [] other) {
        DecodedBody<T> second = other == null ? failed : decoded(other);
        return second.failed() ? failed : second;
    }

    /** An error of the virtual machine is not the failure of one message. */
    private static void passOn(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
    }

    /**
     * Catches all throwables of a codec, a missing class or a failed assertion, too: each is this message's failure
     * alone.
     */
    private DecodedBody<T> decoded(byte[] bytes) {
        String misplaced = codec instanceof JsonCodec<?> json && json.isJson() ? ReceivedText.misplaced(bytes) : null;
        if (misplaced != null) {
            return DecodedBody.failed(misplaced, null);
        }
        try {
            @Nullable T value = codec.decode(bytes);
            return value == null
                    ? DecodedBody.failed("the codec " + codec + " gave null", null)
                    : DecodedBody.of(value);
        } catch (BodyException e) {
            return DecodedBody.failed(String.valueOf(e.getMessage()), e.getCause());
        } catch (Exception | Error e) {
            passOn(e);
            return DecodedBody.failed(
                    "the codec " + codec + " threw " + e.getClass().getName(), RedactedCodecException.copyOf(e));
        }
    }

    /**
     * The result of a codec for a body: a value, or the reason why there is none.
     *
     * @param why the reason, without any part of the body
     * @param cause the cause, without any part of the body
     */
    public record DecodedBody<T>(
            @Nullable T value,
            @Nullable String why,
            @Nullable Throwable cause) {

        static <T> DecodedBody<T> of(T value) {
            return new DecodedBody<>(value, null, null);
        }

        static <T> DecodedBody<T> failed(String why, @Nullable Throwable cause) {
            return new DecodedBody<>(null, why, cause);
        }

        boolean failed() {
            return why != null;
        }
    }

    /** Base64 as it comes: with or without padding, broken into lines, with blanks around. */
    static final class Base64Text {

        private Base64Text() {}

        static String of(byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }

        /** Returns the length of the text of so many bytes. */
        static long length(long bytes) {
            return (bytes + 2) / 3 * 4;
        }

        static byte @Nullable [] decode(String text) {
            String trimmed = text.strip();
            String oneLine = trimmed.indexOf('\n') < 0 && trimmed.indexOf('\r') < 0
                    ? trimmed
                    : trimmed.replace("\r", "").replace("\n", "");
            try {
                return Base64.getDecoder().decode(oneLine);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /** A message's text inside the XML that carries it. */
    static final class XmlText {

        private XmlText() {}

        /** Refuses what XML 1.0 cannot carry, escaped or not (its section 2.2). */
        static String check(String text) {
            for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
                int c = text.codePointAt(i);
                if (!legal(c)) {
                    throw new InvalidValueException(String.format(
                            Locale.ROOT,
                            "the message has U+%04X at index %d, which XML 1.0 cannot carry;"
                                    + " QueueMessageEncoding.BASE64 can",
                            c,
                            i));
                }
            }
            return text;
        }

        private static boolean legal(int c) {
            return c == 0x9
                    || c == 0xA
                    || c == 0xD
                    || (c >= 0x20 && c <= 0xD7FF)
                    || (c >= 0xE000 && c <= 0xFFFD)
                    || c >= 0x10000;
        }
    }
}
