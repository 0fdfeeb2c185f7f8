package io.stowline.table.internal;

import io.stowline.projection.Keys;
import org.jspecify.annotations.Nullable;

/** Encodes the operations on one table, each as its part of a batch with CRLF line ends. Thread-safe. */
public final class OperationEncoder {

    private static final byte[] NOTHING = new byte[0];

    private final String table;
    private final PartFrame frame;

    /**
     * Makes the encoder of one table.
     *
     * @param table the table's name, for error messages
     * @param tableUrl the table's address, such as {@code https://account.table.core.windows.net/name}
     */
    public OperationEncoder(String table, String tableUrl) {
        this.table = table;
        this.frame = new PartFrame(tableUrl);
    }

    /**
     * Encodes an operation that carries an entity, after checking its keys, sizes and names.
     *
     * @param verb what to do
     * @param value the entity
     * @param codec how it becomes an entity
     * @param ifMatch the ETag that must hold, {@code *} for any, {@code null} for an upsert or insert
     * @param <T> the type of the value
     * @return the operation
     * @throws IllegalArgumentException naming the key or property, its size and the limit
     */
    public <T> EncodedOperation encode(Verb verb, T value, EntityCodec<T> codec, @Nullable String ifMatch) {
        EncodedOperation.Target target = target(verb, codec.partitionKey(value), codec.rowKey(value), ifMatch);
        return EncodingBuffer.use(entity -> {
            WireBytes out = entity.cleared();
            byte[] address = verb == Verb.INSERT ? NOTHING : address(out, target.partitionKey(), target.rowKey());
            int from = out.size();
            entity.begin(target.partitionKey(), target.rowKey());
            codec.writeProperties(value, entity);
            entity.end(() -> TableRequests.resource(table, target.partitionKey(), target.rowKey()));
            return new EncodedOperation(frame, target, address, out.copyFrom(from), entity.hasRoomForMark());
        });
    }

    /**
     * Encodes a deletion.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param ifMatch the ETag that must hold, {@code *} for any
     * @return the operation
     */
    public EncodedOperation delete(String partitionKey, String rowKey, String ifMatch) {
        EncodedOperation.Target target = target(Verb.DELETE, partitionKey, rowKey, ifMatch);
        byte[] address = address(partitionKey, rowKey);
        return new EncodedOperation(frame, target, address, NOTHING, false);
    }

    /** An operation that was encoded before, for this table. */
    EncodedOperation again(EncodedOperation.Target target, byte[] content, boolean markable) {
        byte[] address = target.verb() == Verb.INSERT ? NOTHING : address(target.partitionKey(), target.rowKey());
        return new EncodedOperation(frame, target, address, content, markable);
    }

    private EncodedOperation.Target target(Verb verb, String partitionKey, String rowKey, @Nullable String ifMatch) {
        Keys.check("PartitionKey", partitionKey);
        Keys.check("RowKey", rowKey);
        if (verb.conditional() != (ifMatch != null)) {
            throw new IllegalArgumentException(
                    verb.label() + " of " + TableRequests.resource(table, partitionKey, rowKey) + " "
                            + (verb.conditional() ? "needs an ETag" : "takes no ETag")
                            + ": If-Match is all that tells updates from upserts");
        }
        return new EncodedOperation.Target(verb, partitionKey, rowKey, ifMatch);
    }

    /**
     * The address of an entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the URL
     */
    public String url(String partitionKey, String rowKey) {
        return url(frame, partitionKey, rowKey);
    }

    static String url(PartFrame frame, String partitionKey, String rowKey) {
        return EncodingBuffer.use(entity -> {
            WireBytes out = entity.cleared().ascii(frame.tableUrl());
            write(out, partitionKey, rowKey);
            return out.toString();
        });
    }

    private static byte[] address(String partitionKey, String rowKey) {
        return EncodingBuffer.use(entity -> address(entity.cleared(), partitionKey, rowKey));
    }

    private static byte[] address(WireBytes out, String partitionKey, String rowKey) {
        write(out, partitionKey, rowKey);
        return out.copy();
    }

    private static void write(WireBytes out, String partitionKey, String rowKey) {
        out.ascii("(PartitionKey='")
                .key(partitionKey)
                .ascii("',RowKey='")
                .key(rowKey)
                .ascii("')");
    }
}
