package io.stowline.table.internal.request;

import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.request.RequestIds;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The body of an entity group transaction: a change set inside a batch. Boundaries have a fixed length, so the size of a body is
 * known before it is made: {@link #ENVELOPE} and {@link #size} of each operation, to the byte.
 */
public final class ChangeSetBody implements RequestBody {

    /** The service's limit of a batch body; it responds with 413 above it. */
    public static final int MAX_BYTES = StorageLimits.TRANSACTION_MAX_BYTES;

    /** The most bytes that are encoded behind the head of the request: slices would need an array with all of them first. */
    private static final int MAX_BEHIND_HEAD = 256 << 10;

    private static final String BATCH = "batch_";
    private static final String CHANGE_SET = "changeset_";
    private static final int ID_LENGTH = 36;

    private static final int BEFORE_PART = "--".length() + CHANGE_SET.length() + ID_LENGTH + "\r\n".length();

    /** The bytes of a body beside its parts. */
    public static final int ENVELOPE = envelopeBytes();

    private final String id;
    private final List<EncodedOperation> operations;
    private final int length;

    private ChangeSetBody(String id, List<EncodedOperation> operations, int length) {
        this.id = id;
        this.operations = operations;
        this.length = length;
    }

    /** Returns the bytes that an operation adds to a body. */
    public static int size(EncodedOperation operation) {
        return BEFORE_PART + operation.partSize();
    }

    static ChangeSetBody of(List<EncodedOperation> operations) {
        int length = ENVELOPE;
        for (EncodedOperation operation : operations) {
            length += size(operation);
        }
        return new ChangeSetBody(RequestIds.next(), operations, length);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public boolean sliced() {
        return length > MAX_BEHIND_HEAD;
    }

    @Override
    public void write(byte[] target, int from) {
        int at = put(target, from, head(id));
        byte[] boundary = ("--" + CHANGE_SET + id + "\r\n").getBytes(StandardCharsets.US_ASCII);
        for (EncodedOperation operation : operations) {
            at = put(target, at, boundary);
            at = operation.writePart(target, at);
        }
        put(target, at, tail(id));
    }

    String contentType() {
        return "multipart/mixed; boundary=" + BATCH + id;
    }

    private static int put(byte[] target, int at, byte[] source) {
        System.arraycopy(source, 0, target, at, source.length);
        return at + source.length;
    }

    private static byte[] head(String id) {
        return ("--" + BATCH + id + "\r\nContent-Type: multipart/mixed; boundary=" + CHANGE_SET + id + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] tail(String id) {
        return ("--" + CHANGE_SET + id + "--\r\n--" + BATCH + id + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static int envelopeBytes() {
        String id = "0".repeat(ID_LENGTH);
        return head(id).length + tail(id).length;
    }
}
