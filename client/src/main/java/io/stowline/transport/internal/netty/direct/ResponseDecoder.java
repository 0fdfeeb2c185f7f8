package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.response.BodyFeed;
import io.stowline.transport.internal.http.response.BoundedBody;
import io.stowline.transport.internal.http.response.ResponseBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of the responses of one connection, one after the other: a {@link HeadDecoder} reads the head, and this the
 * body. It takes no byte behind the end of a response. Any breach of HTTP is an error, since a guess could make one
 * response out of two. Not thread-safe.
 */
final class ResponseDecoder {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int MAX_LINE = 8 << 10;
    private static final int MAX_DIGITS = 15;
    private static final int MAX_KEPT_LINE = 256;

    /** The part of the response that the next byte belongs to. */
    private enum Part {
        HEAD,
        SIZED_BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER,
        BODY_TO_END_OF_STREAM,
        NOTHING
    }

    private final MessageFraming framing = new MessageFraming();
    private final HeadDecoder head = new HeadDecoder(framing);
    private Part part = Part.NOTHING;
    private boolean bodiless;
    private boolean persistent;
    private long left;
    private long announced;
    /** An incomplete line: the size of a chunk, its end, or a trailer. */
    private final StringBuilder line = new StringBuilder();

    /** The characters of trailers and extensions so far: bounded. */
    private int besides;

    private @Nullable ResponseHead responded;
    private @Nullable BodyFeed feed;
    private int maxBody;
    private @Nullable ResponseBody body;

    /**
     * Expects the response to the next request.
     *
     * @param bodiless whether its response has no body, as to {@code HEAD}
     * @param feed the way of the body of a success, or {@code null} if it is read as an array
     * @param maxBody the limit of that array in bytes
     */
    void begin(boolean bodiless, @Nullable BodyFeed feed, int maxBody) {
        this.bodiless = bodiless;
        this.maxBody = maxBody;
        this.feed = feed;
        part = Part.HEAD;
        head.begin();
        line.setLength(0);
        besides = 0;
        responded = null;
        body = null;
    }

    /** Drops what it has read, since the connection may be idle for long. Whether it {@linkplain #persistent() goes on} stays known. */
    void forget() {
        part = Part.NOTHING;
        responded = null;
        body = null;
        feed = null;
        head.forget();
        line.setLength(0);
        if (line.capacity() > MAX_KEPT_LINE) {
            line.trimToSize();
        }
    }

    /** Returns whether the head has been read. */
    boolean pastHead() {
        return part != Part.HEAD;
    }

    /**
     * Continues the head; announcements of the real response, such as {@code 103}, are skipped.
     *
     * @return the head once it is whole
     */
    @Nullable
    ResponseHead readHead(ByteBuf in) throws IOException {
        ResponseHead whole = head.read(in);
        if (whole != null) {
            responded = whole;
            enterBody(whole.status());
        }
        return whole;
    }

    private void enterBody(int status) {
        long length = framing.contentLength();
        boolean chunked = framing.chunked();
        persistent = framing.persistent();
        if (bodiless || status == NO_CONTENT || status == NOT_MODIFIED) {
            // What a 204 announces would follow, and nothing reads it as its body.
            persistent &= status != NO_CONTENT || (length <= 0 && !chunked);
            part = Part.NOTHING;
            body = receiver(status, 0);
            return;
        }
        body = receiver(status, chunked ? -1 : length);
        if (chunked) {
            // two lengths contradict each other: the chunks count, and no other response comes after
            persistent &= length < 0;
            part = Part.CHUNK_SIZE;
        } else if (length >= 0) {
            left = length;
            part = length == 0 ? Part.NOTHING : Part.SIZED_BODY;
        } else {
            persistent = false;
            left = Long.MAX_VALUE;
            part = Part.BODY_TO_END_OF_STREAM;
        }
    }

    private ResponseBody receiver(int status, long length) {
        announced = length;
        return feed != null && ResponseBounds.success(status) ? feed : BoundedBody.of(status, maxBody);
    }

    /** Accepts the head, which has been checked and belongs to the request. */
    void accept() throws IOException {
        Objects.requireNonNull(body, "past the head").begin(head().status(), head(), announced);
    }

    /**
     * Continues the body.
     *
     * @return true if the response has ended
     */
    boolean readBody(ByteBuf in) throws IOException {
        while (part != Part.NOTHING && in.isReadable()) {
            switch (part) {
                case SIZED_BODY, CHUNK, BODY_TO_END_OF_STREAM -> take(in);
                default -> {
                    if (readLine(in)) {
                        endOfLine();
                    }
                }
            }
        }
        return part == Part.NOTHING;
    }

    private void take(ByteBuf in) throws IOException {
        int length = (int) Math.min(left, in.readableBytes());
        left -= length;
        if (!Objects.requireNonNull(body, "past the head").add(in, length)) {
            part = Part.NOTHING;
            persistent = false;
        } else if (left == 0) {
            part = part == Part.CHUNK ? Part.CHUNK_END : Part.NOTHING;
        }
    }

    private boolean readLine(ByteBuf in) throws IOException {
        int feed = in.bytesBefore((byte) '\n');
        int length = feed < 0 ? in.readableBytes() : feed;
        if (line.length() + length > MAX_LINE) {
            throw new MalformedResponseException("a line of its chunks is too long");
        }
        line.append(in.readCharSequence(length, StandardCharsets.ISO_8859_1));
        if (feed < 0) {
            return false;
        }
        in.skipBytes(1);
        int end = line.length() - 1;
        if (end < 0 || line.charAt(end) != '\r') {
            throw new MalformedResponseException("a line of its chunks does not end with CR LF");
        }
        line.setLength(end);
        for (int i = 0; i < end; i++) {
            if (HeadDecoder.control(line.charAt(i))) {
                throw new MalformedResponseException("a line of its chunks has a control character");
            }
        }
        return true;
    }

    private void endOfLine() throws IOException {
        switch (part) {
            case CHUNK_SIZE -> {
                left = chunkSize();
                part = left == 0 ? Part.TRAILER : Part.CHUNK;
            }
            case CHUNK_END -> {
                if (line.length() > 0) {
                    throw new MalformedResponseException("a chunk is longer than its size");
                }
                part = Part.CHUNK_SIZE;
            }
            default -> {
                besides(line.length());
                part = line.length() == 0 ? Part.NOTHING : Part.TRAILER;
            }
        }
        line.setLength(0);
    }

    /** Skips trailers and extensions of chunks, which are bounded as headers are. */
    private void besides(int length) throws IOException {
        besides += length;
        if (besides > HeadDecoder.MAX) {
            throw ResponseTooLongException.head();
        }
    }

    private long chunkSize() throws IOException {
        int digits = 0;
        while (digits < line.length() && Character.digit(line.charAt(digits), 16) >= 0) {
            digits++;
        }
        int rest = digits;
        while (rest < line.length() && (line.charAt(rest) == ' ' || line.charAt(rest) == '\t')) {
            rest++;
        }
        if (digits > MAX_DIGITS) {
            throw new MalformedResponseException("the size of a chunk is too long");
        }
        if (digits == 0 || !(rest == line.length() || line.charAt(rest) == ';')) {
            throw new MalformedResponseException("the size of a chunk is no number");
        }
        besides(line.length() - digits);
        return Long.parseLong(line, 0, digits, 16);
    }

    /**
     * Ends at the end of the connection; true if that is the end of the body.
     *
     * @return true if the response has ended with it, since its length was left open
     */
    boolean endOfStream() {
        if (part != Part.BODY_TO_END_OF_STREAM) {
            return false;
        }
        part = Part.NOTHING;
        return true;
    }

    /** Returns the bytes that it keeps beside the body. */
    int memory() {
        return head.memory() + 2 * line.capacity();
    }

    /** Returns the bytes of heads that were read so far. */
    long work() {
        return head.work();
    }

    /** Returns whether it keeps a response. */
    boolean keepsResponse() {
        return responded != null || body != null;
    }

    /** Returns whether the next request may use the connection. */
    boolean persistent() {
        return persistent;
    }

    /** Returns the head, once it has been read. */
    ResponseHead head() {
        return Objects.requireNonNull(responded, "past the head");
    }

    /** Returns the body, once it has been read; empty if it went elsewhere. */
    byte[] body() {
        return Objects.requireNonNull(body, "past the head").bytes();
    }
}
