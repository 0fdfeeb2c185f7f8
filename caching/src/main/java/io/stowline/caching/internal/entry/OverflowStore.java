package io.stowline.caching.internal.entry;

import io.stowline.caching.ResponseCache;
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
    CacheHit find(ResponseCache.Key key);

    Writing begin(ResponseCache.Key key, EntryHead head) throws IOException;

    /** The service has confirmed the body that is there. Never fails. */
    void validated(ResponseCache.Key key, EntryHead head);

    void remove(ResponseCache.Key key);

    void removeIf(Predicate<ResponseCache.Key> gone);

    /** Names what is there; what has no name that makes sense goes. */
    void forEach(Consumer<ResponseCache.Key> each);

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

        private final Throwable reason;

        public StoreFault(Throwable reason) {
            super("the shelf has failed", reason);
            this.reason = reason;
        }

        /** The failure of the store. */
        public Throwable reason() {
            return reason;
        }
    }
}
