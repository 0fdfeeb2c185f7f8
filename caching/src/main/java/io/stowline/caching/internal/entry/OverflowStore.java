package io.stowline.caching.internal.entry;

import io.stowline.caching.CacheKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The tier for answers that are too large for memory. All of it blocks. Thread-safe. */
public interface OverflowStore extends AutoCloseable {

    /** How many bytes it may hold at the most. */
    long capacity();

    /** What is there and intact. Never fails. */
    @Nullable
    CacheHit find(CacheKey key);

    Writing begin(CacheKey key, EntryHead head) throws IOException;

    /** The service has confirmed the body that is there. Never fails. */
    void validated(CacheKey key, EntryHead head);

    void remove(CacheKey key);

    void removeIf(Predicate<CacheKey> gone);

    /** Names what is there; what has no name that makes sense goes. */
    void forEach(Consumer<CacheKey> each);

    @Override
    void close();

    /** An answer that is being written. Not thread-safe. */
    interface Writing {

        void write(ByteBuffer buffer) throws IOException;

        CacheHit commit() throws IOException;

        void abort();
    }

    /** The store has failed, and not the transfer. */
    public static final class StoreFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public StoreFault(Throwable cause) {
            super("the shelf has failed", cause);
        }
    }
}
