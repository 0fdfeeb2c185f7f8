package io.stowline.queue.internal.body;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Bodies in the GZIP format. */
public final class Gzip {

    private Gzip() {}

    /** Returns the bytes in compressed form. */
    public static byte[] compress(byte[] bytes) {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(target)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toByteArray();
    }

    /**
     * Returns the bytes before compression.
     *
     * @param max the most bytes that they may be
     * @return the bytes, or {@code null} if they are more
     * @throws IOException if these are no compressed bytes
     */
    public static byte @Nullable [] expand(byte[] bytes, int max) throws IOException {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] expanded = gzip.readNBytes(max);
            return gzip.read() < 0 ? expanded : null;
        }
    }
}
