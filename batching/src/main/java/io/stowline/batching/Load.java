package io.stowline.batching;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one request carries. */
sealed interface Load<K, I, R> permits Chunk, Group {

    /** The items, not modifiable. */
    List<I> items();

    int size();

    List<Named> entities();

    /** Whose time is over first; null when there is no such time. */
    @Nullable
    Expiry<K, I, R> firstDue();

    /** The writers that it is of, each once. */
    List<Batcher<K, I, R>> writers();

    /** Whether any of it needs an end. */
    boolean isWanted();
}
