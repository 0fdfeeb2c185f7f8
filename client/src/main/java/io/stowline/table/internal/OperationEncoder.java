package io.stowline.table.internal;

import io.stowline.projection.Keys;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Encodes the operations on one table, each as its part of a batch with CRLF line ends. Thread-safe. */
public final class OperationEncoder {

    private static final byte[] PART_HEADERS =
            ascii("Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n");
    private static final byte[] COMMON_HEADERS =
            ascii(" HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\nDataServiceVersion: 3.0\r\n");
    private static final byte[] BODY_TYPE = ascii("Content-Type: application/json\r\n");
    private static final byte[] NO_CONTENT = ascii("Prefer: return-no-content\r\n");
    private static final byte[] CRLF = ascii("\r\n");

    private static final ThreadLocal<WireBytes> BUFFER = ThreadLocal.withInitial(WireBytes::new);

    private final String table;
    private final byte[] tableUrl;

    /**
     * Makes the encoder of one table.
     *
     * @param table the table's name, for error messages
     * @param tableUrl the table's address, such as {@code https://account.table.core.windows.net/name}
     */
    public OperationEncoder(String table, String tableUrl) {
        this.table = table;
        this.tableUrl = ascii(tableUrl);
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
        String partitionKey = Keys.check("PartitionKey", codec.partitionKey(value));
        String rowKey = Keys.check("RowKey", codec.rowKey(value));
        WireBytes out = BUFFER.get();
        out.clear();
        EncodedOperation.Places head = head(out, verb, partitionKey, rowKey, ifMatch);
        EntityOut entity = new EntityOut(out);
        entity.begin(partitionKey, rowKey);
        codec.writeProperties(value, entity);
        entity.end(table + "(" + partitionKey + ", " + rowKey + ")");
        out.raw(CRLF);
        EncodedOperation.Places places =
                new EncodedOperation.Places(head.urlFrom(), head.urlTo(), head.bodyFrom(), entity.hasRoomForMark());
        return new EncodedOperation(verb, partitionKey, rowKey, ifMatch, out.copy(), places);
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
        Keys.check("PartitionKey", partitionKey);
        Keys.check("RowKey", rowKey);
        WireBytes out = BUFFER.get();
        out.clear();
        EncodedOperation.Places places = head(out, Verb.DELETE, partitionKey, rowKey, ifMatch);
        out.raw(CRLF);
        return new EncodedOperation(Verb.DELETE, partitionKey, rowKey, ifMatch, out.copy(), places);
    }

    private EncodedOperation.Places head(
            WireBytes out, Verb verb, String partitionKey, String rowKey, @Nullable String ifMatch) {
        if (verb.conditional() != (ifMatch != null)) {
            throw new IllegalArgumentException(verb.label() + " of " + table + "(" + partitionKey + ", " + rowKey + ") "
                    + (verb.conditional() ? "needs an ETag" : "takes no ETag")
                    + ": If-Match is all that tells updates from upserts");
        }
        out.raw(PART_HEADERS).ascii(verb.batchMethod()).one(' ');
        int urlFrom = out.size();
        out.raw(tableUrl);
        if (verb != Verb.INSERT) {
            address(out, partitionKey, rowKey);
        }
        int urlTo = out.size();
        out.raw(COMMON_HEADERS);
        if (verb.hasBody()) {
            out.raw(BODY_TYPE);
        }
        if (verb == Verb.INSERT) {
            out.raw(NO_CONTENT);
        }
        if (ifMatch != null) {
            out.ascii("If-Match: ").ascii(ifMatch).raw(CRLF);
        }
        out.raw(CRLF);
        return new EncodedOperation.Places(urlFrom, urlTo, out.size(), false);
    }

    /**
     * The address of an entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the URL
     */
    public String url(String partitionKey, String rowKey) {
        WireBytes out = new WireBytes().raw(tableUrl);
        address(out, partitionKey, rowKey);
        return out.toString();
    }

    private static void address(WireBytes out, String partitionKey, String rowKey) {
        out.ascii("(PartitionKey='")
                .key(partitionKey)
                .ascii("',RowKey='")
                .key(rowKey)
                .ascii("')");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
