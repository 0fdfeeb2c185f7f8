package io.stowline.blob.internal.gzip;

import io.stowline.blob.internal.gzip.Expansion.ExpandedTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An output of stored bytes, which expands them on their way to its target if they are compressed. Used by one thread at a time. */
public final class ExpandedOutput implements AutoCloseable {

    private final @Nullable Expansion expansion;
    private final ExpandedTarget target;

    /**
     * An output to a target.
     *
     * @param expansion closed with this, or {@code null} if the bytes stay as they are
     */
    public ExpandedOutput(@Nullable Expansion expansion, ExpandedTarget target) {
        this.expansion = expansion;
        this.target = target;
    }

    /** Writes all bytes of an array. */
    public void write(byte[] stored) throws IOException {
        if (expansion != null) {
            expansion.add(ByteBuffer.wrap(stored), target);
        } else {
            target.take(stored, stored.length);
        }
    }

    /** Writes all bytes of a buffer. */
    public void write(ByteBuffer stored) throws IOException {
        byte[] bytes = new byte[stored.remaining()];
        stored.get(bytes);
        write(bytes);
    }

    /** Checks that the stored bytes are complete. */
    public void finish() {
        if (expansion != null) {
            expansion.finish();
        }
    }

    @Override
    public void close() {
        if (expansion != null) {
            expansion.close();
        }
    }
}
