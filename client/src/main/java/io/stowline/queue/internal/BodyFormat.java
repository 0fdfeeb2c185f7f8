package io.stowline.queue.internal;

import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageEncoding;
import io.stowline.transport.StorageLimits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How bodies become a message's text and come back. Immutable and thread-safe as far as the codec is.
 *
 * @param codec values to bytes
 * @param encoding bytes to text
 * @param <T> the type of the values
 */
public record BodyFormat<T>(MessageCodec<T> codec, MessageEncoding encoding) {

    /** The longest text of a message, in bytes of UTF-8 (the service's page "Put Message"). */
    static final int MAX_TEXT = StorageLimits.MESSAGE_MAX_BYTES;

    /** The longest body of a request that carries a message; what the service itself names when it refuses one. */
    static final int MAX_BODY = 131_584;

    /** What one byte of text becomes at most, when it is escaped. */
    private static final int MOST_ESCAPED = 6;

    /**
     * Writes a body.
     *
     * @param value the value
     * @return the message's text
     * @throws IllegalArgumentException if the codec cannot write it, XML cannot carry it or it is too long
     */
    public String write(T value) {
        byte[] bytes = encoded(value);
        return encoding == MessageEncoding.BASE64 ? base64(bytes) : plain(bytes);
    }

    private byte[] encoded(T value) {
        byte @Nullable [] bytes;
        try {
            bytes = codec.encode(value);
        } catch (BodyException e) {
            throw new IllegalArgumentException(e.getMessage(), e.getCause());
        } catch (Exception | StackOverflowError | LinkageError e) {
            throw new IllegalArgumentException(
                    "the codec " + codec + " cannot write the body: "
                            + e.getClass().getName(),
                    Silenced.copyOf(e));
        }
        if (bytes == null) {
            throw new IllegalArgumentException("the codec " + codec + " wrote null");
        }
        return bytes;
    }

    private static String base64(byte[] bytes) {
        long size = Base64Text.length(bytes.length);
        if (size > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "the message of " + bytes.length + " bytes has " + size + " bytes in BASE64; the limit is "
                            + MAX_TEXT + ", which is " + MAX_TEXT / 4 * 3 + " before BASE64");
        }
        return Base64Text.of(bytes);
    }

    private static String plain(byte[] bytes) {
        if (bytes.length > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "the message has " + bytes.length + " bytes with MessageEncoding.NONE; the limit is " + MAX_TEXT);
        }
        String text = XmlText.check(utf8(bytes));
        if (bytes.length * MOST_ESCAPED > MAX_BODY) {
            long body = XmlText.bodySize(text);
            if (body > MAX_BODY) {
                throw new IllegalArgumentException("the message of " + bytes.length + " bytes has " + body
                        + " bytes as XML with MessageEncoding.NONE, where < and & grow; the limit is " + MAX_BODY
                        + "; MessageEncoding.BASE64 takes " + Base64Text.length(bytes.length));
            }
        }
        return text;
    }

    private static String utf8(byte[] bytes) {
        try {
            return TextCodec.INSTANCE.decode(bytes);
        } catch (BodyException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ", and MessageEncoding.NONE carries only such; MessageEncoding.BASE64 carries any",
                    e.getCause());
        }
    }

    /**
     * Reads a body in the form that this format writes, or else in the other one.
     *
     * @param text the message's text
     * @return the value, or why there is none
     */
    public Decoded<T> read(String text) {
        if (encoding == MessageEncoding.NONE) {
            Decoded<T> asItIs = decoded(bytes(text));
            return asItIs.failed() ? or(asItIs, Base64Text.decode(text)) : asItIs;
        }
        byte[] meant = Base64Text.decode(text);
        if (meant == null) {
            return decoded(bytes(text));
        }
        Decoded<T> unwrapped = decoded(meant);
        return unwrapped.failed() ? or(unwrapped, bytes(text)) : unwrapped;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Decoded<T> or(Decoded<T> failed, byte @Nullable [] other) {
        Decoded<T> second = other == null ? failed : decoded(other);
        return second.failed() ? failed : second;
    }

    /** Whatever a codec throws is this message's own failure, also when one of its classes cannot be loaded. */
    private Decoded<T> decoded(byte[] bytes) {
        try {
            @Nullable T value = codec.decode(bytes);
            return value == null ? Decoded.failed("the codec " + codec + " gave null", null) : Decoded.of(value);
        } catch (BodyException e) {
            return Decoded.failed(String.valueOf(e.getMessage()), e.getCause());
        } catch (Exception | StackOverflowError | LinkageError e) {
            return Decoded.failed(
                    "the codec " + codec + " threw " + e.getClass().getName(), Silenced.copyOf(e));
        }
    }
}
