package io.stowline.blob.internal.gzip;

import io.stowline.blob.internal.base.Md5;
import io.stowline.transport.internal.outcome.OriginalContent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A compressor that makes one gzip member (RFC 1952) of content that comes in parts. The same content gives the same bytes, whatever its
 * parts, so that a resumed upload finds its blocks. Thread-safe; after its close it gives no bytes.
 */
public final class GzipEncoder implements AutoCloseable {

    private static final byte[] HEADER = {31, (byte) 139, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 255};

    private static final int TRAILER = 8;

    private static final int PART = 64 << 10;

    /** Below the ratio that downloads refuse, by what the deflater has not given yet. */
    private static final int MAX_RATIO = Expansion.RATIO * 3 / 4;

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final CRC32 checksum = new CRC32();
    private final MessageDigest md5 = Md5.begin();
    private final ByteBuffer input = ByteBuffer.allocate(PART);
    private final ByteBuffer output = ByteBuffer.allocate(PART);
    private long length;
    private long stored;
    private boolean pending;
    private boolean finishing;
    private boolean ended;
    private boolean closed;

    /**
     * Takes content and returns compressed bytes, which are valid until the next call.
     *
     * @param content the content, of which this call takes a part
     * @return some bytes, or {@code null} once all of the content is taken
     */
    public synchronized @Nullable ByteBuffer next(ByteBuffer content) {
        begin();
        while (!closed && output.position() == 0 && (pending || content.hasRemaining())) {
            if (pending) {
                deflate();
            } else {
                take(content);
            }
        }
        return given();
    }

    private void begin() {
        output.clear();
        if (stored == 0) {
            output.put(HEADER);
            stored = HEADER.length;
        }
    }

    /** The deflater gets parts of one size, by which its output may differ. */
    private void take(ByteBuffer content) {
        int count = Math.min(input.remaining(), content.remaining());
        input.put(content.duplicate().limit(content.position() + count));
        content.position(content.position() + count);
        if (!input.hasRemaining()) {
            pass();
        }
    }

    private void pass() {
        int count = input.position();
        checksum.update(input.array(), 0, count);
        md5.update(input.array(), 0, count);
        length += count;
        // Content that repeats itself looks like a bomb to its readers.
        boolean bomb = length > Expansion.ALWAYS / 2 && length / MAX_RATIO > stored;
        deflater.setLevel(bomb ? Deflater.NO_COMPRESSION : Deflater.DEFAULT_COMPRESSION);
        deflater.setInput(input.array(), 0, count);
        input.clear();
        pending = true;
    }

    private void deflate() {
        int count = deflater.deflate(output.array(), output.position(), output.remaining());
        output.position(output.position() + count);
        stored += count;
        pending = !deflater.needsInput();
    }

    private @Nullable ByteBuffer given() {
        return closed || output.position() == 0 ? null : output.flip();
    }

    /**
     * Returns compressed bytes after the end of the content, which are valid until the next call.
     *
     * @return some bytes, or {@code null} once the member is complete
     */
    public synchronized @Nullable ByteBuffer last() {
        begin();
        if (closed || ended) {
            return null;
        }
        if (!finishing) {
            pass();
            deflater.finish();
            finishing = true;
        }
        while (output.remaining() > TRAILER && !deflater.finished()) {
            deflate();
        }
        if (deflater.finished() && output.remaining() >= TRAILER) {
            output.order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) checksum.getValue())
                    .putInt((int) length);
            stored += TRAILER;
            ended = true;
        }
        return given();
    }

    /** Returns the facts of the content that it has compressed, after the last bytes. */
    public synchronized OriginalContent original() {
        return new OriginalContent(length, stored, Base64.getEncoder().encodeToString(md5.digest()));
    }

    @Override
    public synchronized void close() {
        closed = true;
        deflater.end();
    }
}
