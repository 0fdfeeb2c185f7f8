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
    private final int urlFrom;
    private final int urlTo;
    private final int bodyFrom;

    EncodedOperation(
            Verb verb, String partitionKey, String rowKey, @Nullable String ifMatch, byte[] part, Marks marks) {
        this.verb = verb;
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.ifMatch = ifMatch;
        this.part = part;
        this.urlFrom = marks.urlFrom;
        this.urlTo = marks.urlTo;
        this.bodyFrom = marks.bodyFrom;
    }

    /** Where the address and the body stand in a part. */
    record Marks(int urlFrom, int urlTo, int bodyFrom) {}

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
        return new String(part, urlFrom, urlTo - urlFrom, StandardCharsets.US_ASCII);
    }

    /** The body of the request when the operation travels alone. */
    byte[] body() {
        return Arrays.copyOfRange(part, bodyFrom, part.length - 2);
    }
}
