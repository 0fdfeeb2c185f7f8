package io.stowline.table.internal.request;

import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.json.ByteBuilder;
import org.jspecify.annotations.Nullable;

/** An encoder of the operations on one table, each as its part of a batch with CRLF line ends. Thread-safe. */
public final class OperationEncoder {

    private static final byte[] NOTHING = new byte[0];

    private final String table;
    private final BatchPartTemplate frame;

    /**
     * Makes the encoder of one table.
     *
     * @param table the table's name, for error messages
     * @param tableUrl the table's address, such as {@code https://account.table.core.windows.net/name}
     */
    public OperationEncoder(String table, String tableUrl) {
        this.table = table;
        this.frame = new BatchPartTemplate(tableUrl);
    }

    /**
     * Encodes an operation that carries an entity, after checking its keys, sizes and names.
     *
     * @param codec how it becomes an entity
     * @param ifMatch the ETag that must hold, {@code *} for any, {@code null} for an upsert or insert
     * @throws IllegalArgumentException naming the key or property, its size and the limit
     */
    public <T> EncodedOperation encode(EntityVerb verb, T value, EntityCodec<T> codec, @Nullable String ifMatch) {
        String partitionKey = codec.partitionKey(value);
        String rowKey = codec.rowKey(value);
        check(verb, partitionKey, rowKey, ifMatch);
        EntityJsonWriter entity = EncodingBuffer.take();
        try {
            ByteBuilder out = entity.cleared();
            byte[] address = verb == EntityVerb.INSERT ? NOTHING : address(out, partitionKey, rowKey);
            int from = out.size();
            entity.begin(partitionKey, rowKey);
            codec.writeProperties(value, entity);
            entity.end();
            if (entity.isTooLarge()) {
                throw entity.tooLarge(TableRequests.resource(table, partitionKey, rowKey));
            }
            EncodedOperation.OperationTarget target =
                    new EncodedOperation.OperationTarget(verb, partitionKey, rowKey, ifMatch);
            return new EncodedOperation(frame, target, address, out.copyFrom(from), entity.hasRoomForMarker());
        } finally {
            EncodingBuffer.giveBack(entity);
        }
    }

    /**
     * Encodes a deletion.
     *
     * @param partitionKey the entity's partition
     * @param ifMatch the ETag that must hold, {@code *} for any
     */
    public EncodedOperation delete(String partitionKey, String rowKey, String ifMatch) {
        check(EntityVerb.DELETE, partitionKey, rowKey, ifMatch);
        EncodedOperation.OperationTarget target =
                new EncodedOperation.OperationTarget(EntityVerb.DELETE, partitionKey, rowKey, ifMatch);
        byte[] address = address(partitionKey, rowKey);
        return new EncodedOperation(frame, target, address, NOTHING, false);
    }

    /** Returns an operation that was encoded before, for this table. */
    public EncodedOperation again(EncodedOperation.OperationTarget target, byte[] content, boolean markable) {
        byte[] address = target.verb() == EntityVerb.INSERT ? NOTHING : address(target.partitionKey(), target.rowKey());
        return new EncodedOperation(frame, target, address, content, markable);
    }

    private void check(EntityVerb verb, String partitionKey, String rowKey, @Nullable String ifMatch) {
        KeyRules.check("PartitionKey", partitionKey);
        KeyRules.check("RowKey", rowKey);
        if (verb.conditional() != (ifMatch != null)) {
            throw new IllegalArgumentException(
                    verb.label() + " of " + TableRequests.resource(table, partitionKey, rowKey) + " "
                            + (verb.conditional() ? "needs an ETag" : "takes no ETag")
                            + ": If-Match is all that tells updates from upserts");
        }
    }

    /** Returns the address of an entity. */
    public String url(String partitionKey, String rowKey) {
        return url(frame, partitionKey, rowKey);
    }

    static String url(BatchPartTemplate frame, String partitionKey, String rowKey) {
        EntityJsonWriter entity = EncodingBuffer.take();
        try {
            ByteBuilder out = entity.cleared().ascii(frame.tableUrl());
            write(out, partitionKey, rowKey);
            return out.toString();
        } finally {
            EncodingBuffer.giveBack(entity);
        }
    }

    private static byte[] address(String partitionKey, String rowKey) {
        EntityJsonWriter entity = EncodingBuffer.take();
        try {
            return address(entity.cleared(), partitionKey, rowKey);
        } finally {
            EncodingBuffer.giveBack(entity);
        }
    }

    private static byte[] address(ByteBuilder out, String partitionKey, String rowKey) {
        write(out, partitionKey, rowKey);
        return out.copy();
    }

    private static void write(ByteBuilder out, String partitionKey, String rowKey) {
        out.ascii("(PartitionKey='")
                .key(partitionKey)
                .ascii("',RowKey='")
                .key(rowKey)
                .ascii("')");
    }

    /**
     * The thread's buffer for encoding. A converter of the application runs in the middle of an encoding and may use the client itself: the buffer
     * is not there for it while it is in use, and it gets another one.
     */
    private static final class EncodingBuffer {

        private static final ThreadLocal<@Nullable EntityJsonWriter> UNUSED =
                ThreadLocal.withInitial(() -> new EntityJsonWriter(new ByteBuilder()));

        private EncodingBuffer() {}

        /** Returns a buffer for one user, until it is given back. */
        static EntityJsonWriter take() {
            EntityJsonWriter unused = UNUSED.get();
            if (unused == null) {
                return new EntityJsonWriter(new ByteBuilder());
            }
            UNUSED.set(null);
            return unused;
        }

        static void giveBack(EntityJsonWriter taken) {
            UNUSED.set(taken);
        }
    }
}
