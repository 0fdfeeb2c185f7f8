package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.load.CacheKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A tier for responses that are too large for memory. All calls block. Thread-safe. */
public interface OverflowStore extends AutoCloseable {

    /** Returns the bound of its bytes. */
    long capacity();

    /** Returns an intact entry. Never fails. */
    @Nullable
    CacheHit find(CacheKey key);

    Writing begin(CacheKey key, EntryHead head) throws IOException;

    /** Replaces the head of a body that the service has confirmed. Never fails. */
    void validated(CacheKey key, EntryHead head);

    void remove(CacheKey key);

    void removeIf(Predicate<CacheKey> gone);

    /** Visits the keys of all entries; removes entries without a readable key. */
    void forEach(Consumer<CacheKey> each);

    @Override
    void close();

    /** A response that is being written. Not thread-safe. */
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

        /** Returns the failure of the store. */
        public Throwable reason() {
            return reason;
        }
    }
}
