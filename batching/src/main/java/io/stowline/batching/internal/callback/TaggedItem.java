package io.stowline.batching.internal.callback;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An item on its way into {@link WriteFlux#writeAll}, with what its sender wants back beside the result, such as a message
 * to acknowledge. Immutable.
 */
public final class TaggedItem<K, I, C> {

    final @Nullable K key;
    final @Nullable I item;
    final @Nullable Throwable refusal;
    private final C tag;

    private TaggedItem(@Nullable K key, @Nullable I item, C tag, @Nullable Throwable refusal) {
        this.key = key;
        this.item = item;
        this.tag = tag;
        this.refusal = refusal;
    }

    /**
     * Returns an item to be written.
     *
     * @param key its lane
     * @param tag what the result is to carry, or null
     */
    public static <K, I, C> TaggedItem<K, I, C> of(K key, I item, C tag) {
        return new TaggedItem<>(Objects.requireNonNull(key, "key"), Objects.requireNonNull(item, "item"), tag, null);
    }

    /**
     * Returns what could not be made an item; nothing is sent, and the error comes back as its result.
     *
     * @param error why there is no item
     * @param tag what the result is to carry, or null
     */
    public static <K, I, C> TaggedItem<K, I, C> refused(Throwable error, C tag) {
        return new TaggedItem<>(null, null, tag, Objects.requireNonNull(error, "error"));
    }

    /** Returns what the result is to carry. */
    public C tag() {
        return tag;
    }
}
