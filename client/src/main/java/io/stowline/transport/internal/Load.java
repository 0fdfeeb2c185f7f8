package io.stowline.transport.internal;

import org.jspecify.annotations.Nullable;

/**
 * What an attempt of an operation asks of the service's capacity. Immutable.
 *
 * @param partition what the service limits as one: a partition of a table, a queue, a blob; {@code null} if it is not known
 * @param entities how many entities, messages or requests it counts as
 * @param bytes the content that it moves
 * @param pages whether it is known to concern a page blob, which has lower targets than others
 */
public record Load(@Nullable String partition, int entities, long bytes, boolean pages) {

    /** One request to nobody knows which partition. */
    public static final Load ONE = new Load(null, 1, 0);

    /**
     * What concerns no page blob.
     *
     * @param partition what the service limits as one, or {@code null} if it is not known
     * @param entities how many entities, messages or requests it counts as
     * @param bytes the content that it moves
     */
    public Load(@Nullable String partition, int entities, long bytes) {
        this(partition, entities, bytes, false);
    }

    /**
     * One request.
     *
     * @param partition what the service limits as one
     * @return its load
     */
    public static Load of(String partition) {
        return new Load(partition, 1, 0);
    }

    /** Among which attempts the time that it takes can be compared: of one verb, and of about the same size. */
    Object latencyClass(String verb) {
        int size = 64 - Long.numberOfLeadingZeros(entities - 1L) + 64 - Long.numberOfLeadingZeros(bytes >> 14);
        return size == 0 ? verb : new Sized(verb, size);
    }

    private record Sized(String verb, int size) {}
}
