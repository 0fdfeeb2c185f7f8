package io.stowline.table.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One operation on one entity, as the bytes of its part in a batch. The same bytes serve when it travels alone: its body and its
 * address stand in them.
 */
public final class EncodedOperation {

    private final Verb verb;
    private final String partitionKey;
    private final String rowKey;
    private final @Nullable String ifMatch;
    private final byte[] part;
    private final Places places;

    EncodedOperation(
            Verb verb, String partitionKey, String rowKey, @Nullable String ifMatch, byte[] part, Places places) {
        this.verb = verb;
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.ifMatch = ifMatch;
        this.part = part;
        this.places = places;
    }

    /**
     * Where the address and the body stand in a part.
     *
     * @param urlFrom where the address begins
     * @param urlTo where it ends
     * @param bodyFrom where the body begins
     * @param markable whether the entity has room for the mark of a write
     */
    record Places(int urlFrom, int urlTo, int bodyFrom, boolean markable) {}

    /** The same operation, which leaves this mark in the entity. */
    EncodedOperation marked(String id) {
        return new EncodedOperation(verb, partitionKey, rowKey, ifMatch, Mark.in(part, id), places);
    }

    /** Whether it can leave a mark. */
    boolean markable() {
        return places.markable;
    }

    /** Whether it is carried out on a certain version of the entity only. */
    boolean bound() {
        return ifMatch != null && !ifMatch.equals("*");
    }

    /**
     * What is done.
     *
     * @return the verb
     */
    public Verb verb() {
        return verb;
    }

    /**
     * The entity's partition.
     *
     * @return the partition key
     */
    public String partitionKey() {
        return partitionKey;
    }

    /**
     * The entity in its partition.
     *
     * @return the row key
     */
    public String rowKey() {
        return rowKey;
    }

    @Nullable
    String ifMatch() {
        return ifMatch;
    }

    /** The bytes that this operation adds to a batch, the boundary before it not counted. */
    byte[] part() {
        return part;
    }

    String url() {
        return new String(part, places.urlFrom, places.urlTo - places.urlFrom, StandardCharsets.US_ASCII);
    }

    /** The body of the request when the operation travels alone. */
    byte[] body() {
        return Arrays.copyOfRange(part, places.bodyFrom, part.length - 2);
    }
}
