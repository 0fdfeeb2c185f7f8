package io.stowline.table.internal;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The thread's buffer for encoding. A converter of the application runs in the middle of an encoding and may use the client itself: the buffer
 * is not there for it while it is in use, and it gets another one.
 */
final class EncodingBuffer {

    private static final ThreadLocal<@Nullable EntityOut> UNUSED =
            ThreadLocal.withInitial(() -> new EntityOut(new WireBytes()));

    private EncodingBuffer() {}

    /** Encodes with a buffer that nothing else uses until the end. */
    static <R> R use(Function<EntityOut, R> encoding) {
        EntityOut unused = UNUSED.get();
        EntityOut out = unused == null ? new EntityOut(new WireBytes()) : unused;
        UNUSED.set(null);
        try {
            return encoding.apply(out);
        } finally {
            UNUSED.set(out);
        }
    }
}
