package io.stowline.batching;

import java.util.List;

/** What one request carries. */
sealed interface Load<K, I, R> permits Chunk, Group {

    List<I> items();

    List<Object> entities();
}
