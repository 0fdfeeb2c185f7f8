package io.stowline.batching;

import java.util.List;

/** What one request carries. */
sealed interface Load<K, I, R> permits Chunk, Group {

    /** The items, not modifiable. */
    List<I> items();

    int size();

    List<Named> entities();
}
