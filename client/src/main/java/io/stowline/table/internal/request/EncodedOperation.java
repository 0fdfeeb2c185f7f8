package io.stowline.table.internal.request;

import io.stowline.outcome.Evidence;
import io.stowline.table.internal.codec.EntityJsonWriter.WriteMarker;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One operation on one entity, with the entity's JSON and the end of its address as bytes. The same bytes serve in a batch and when it
 * travels alone. Immutable.
 */
public final class EncodedOperation {

    private final BatchPartTemplate frame;
    private final EntityVerb verb;
    private final String partitionKey;
    private final String rowKey;
    private final @Nullable String ifMatch;
    private final byte[] address;
    private final byte[] content;
    private final boolean markable;
    private final @Nullable String marker;

    /** Kept, so that a batch is measured without its operations' arrays, which have left the cache. */
    private final int partSize;

    /**
     * Makes an operation that leaves no marker.
     *
     * @param frame what the parts of its table have in common
     * @param target what is done to which entity
     * @param address what follows the table in its address
     * @param content its JSON; empty if it has none
     * @param markable whether the entity has room for the marker of a write
     */
    EncodedOperation(
            BatchPartTemplate frame, OperationTarget target, byte[] address, byte[] content, boolean markable) {
        this.frame = frame;
        this.verb = target.verb;
        this.partitionKey = target.partitionKey;
        this.rowKey = target.rowKey;
        this.ifMatch = target.ifMatch;
        this.address = address;
        this.content = content;
        this.markable = markable;
        this.marker = null;
        this.partSize = frame.size(this);
    }

    /** Makes an operation with another marker, or with none. */
    private EncodedOperation(EncodedOperation given, @Nullable String marker) {
        this.frame = given.frame;
        this.verb = given.verb;
        this.partitionKey = given.partitionKey;
        this.rowKey = given.rowKey;
        this.ifMatch = given.ifMatch;
        this.address = given.address;
        this.content = given.content;
        this.markable = given.markable;
        this.marker = marker;
        this.partSize = frame.size(this);
    }

    /**
     * The target of an operation: its verb and its entity.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param ifMatch the required ETag, or {@code null} for none
     */
    public record OperationTarget(
            EntityVerb verb,
            String partitionKey,
            String rowKey,
            @Nullable String ifMatch) {}

    /** Returns the operation with this marker in the entity. */
    public EncodedOperation marked(String id) {
        return new EncodedOperation(this, id);
    }

    /** Returns the operation without a marker. */
    public EncodedOperation unmarked() {
        return marker == null ? this : new EncodedOperation(this, null);
    }

    /**
     * Returns whether it merges its marker into an entity, which may have no room for it: the entity's other properties
     * are not known (OUTCOME-8).
     */
    public boolean mergesMarker() {
        return marker != null && (verb() == EntityVerb.MERGE || verb() == EntityVerb.INSERT_OR_MERGE);
    }

    /** Returns whether it can leave a marker. */
    public boolean markable() {
        return markable;
    }

    /** Returns whether it is carried out on a certain version of the entity only. */
    public boolean bound() {
        return ifMatch != null && !ifMatch.equals("*");
    }

    /**
     * Returns whether it may have taken effect twice, or may yet: a bound one cannot, as a version is replaced once
     * only (OUTCOME-9).
     */
    public boolean mayRepeat(UnresolvedAttempts unresolved, Evidence evidence) {
        return !bound() && unresolved.mayRepeat(evidence);
    }

    /** Returns its verb. */
    public EntityVerb verb() {
        return verb;
    }

    /** Returns the entity's partition. */
    public String partitionKey() {
        return partitionKey;
    }

    /** Returns the entity in its partition. */
    public String rowKey() {
        return rowKey;
    }

    public @Nullable String ifMatch() {
        return ifMatch;
    }

    byte[] address() {
        return address;
    }

    public byte[] content() {
        return content;
    }

    public @Nullable String marker() {
        return marker;
    }

    /** Returns the bytes that this operation adds to a batch, without the boundary before it. */
    int partSize() {
        return partSize;
    }

    /** Writes those bytes, and gives where they end. */
    int writePart(byte[] batch, int from) {
        return frame.write(this, batch, from);
    }

    public String url() {
        return frame.tableUrl() + new String(address, StandardCharsets.US_ASCII);
    }

    /** Returns the address of the entity, which is not that of the request if the entity is to be created. */
    String entityUrl() {
        return address.length > 0 ? url() : OperationEncoder.url(frame, partitionKey, rowKey);
    }

    /** Returns the body of a request with this operation alone; not to be changed. */
    public byte[] body() {
        if (marker == null) {
            return content;
        }
        byte[] marked = Arrays.copyOf(content, content.length + WriteMarker.LENGTH);
        WriteMarker.write(marker, marked, content.length);
        return marked;
    }
}
