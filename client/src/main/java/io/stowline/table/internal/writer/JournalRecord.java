package io.stowline.table.internal.writer;

import io.stowline.journal.internal.store.RejectedRecord;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation in a journal: all parts that are needed to send it again to the same table at any address, without the
 * credentials, the address and the headers of its view.
 *
 * @param operation the operation, with its marker if it leaves one
 * @param written the time of its acceptance, by this machine's clock
 * @param allowed the time for which an attempt may be carried out after its last byte
 * @param fence whether the operation has its result and is not sent again; its entity is kept from others while an attempt of it that was
 *     given up may still arrive. A fence stands without content
 */
public record JournalRecord(EncodedOperation operation, Instant written, Duration allowed, boolean fence) {

    private static final int FORM = 1;
    private static final int MARKABLE = 1;
    private static final int MARKED = 2;
    private static final int CONDITIONAL = 4;
    private static final int FENCE = 8;
    private static final int FLAGS_AT = 2;
    private static final byte[] NOTHING = {};

    public static JournalRecord of(EncodedOperation operation, Instant written, Duration allowed) {
        return new JournalRecord(operation, written, allowed, false);
    }

    /** Returns the record of an operation that has its result while an attempt of it may still arrive. */
    static JournalRecord fence(EncodedOperation operation, Instant now, Duration timeUntilSettled) {
        return new JournalRecord(operation, now, timeUntilSettled, true);
    }

    /** Returns whether a record keeps an entity only. */
    public static boolean isFence(byte[] bytes) {
        return bytes.length > FLAGS_AT && bytes[0] == FORM && (bytes[FLAGS_AT] & FENCE) != 0;
    }

    public byte[] bytes() {
        byte[] content = fence ? NOTHING : operation.content();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length + 128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeByte(code(operation.verb()));
            out.writeByte((operation.markable() ? MARKABLE : 0)
                    | (operation.marker() == null ? 0 : MARKED)
                    | (operation.ifMatch() == null ? 0 : CONDITIONAL)
                    | (fence ? FENCE : 0));
            out.writeLong(written.toEpochMilli());
            out.writeLong(allowed.toMillis());
            write(out, operation.partitionKey());
            write(out, operation.rowKey());
            write(out, operation.marker());
            write(out, operation.ifMatch());
            out.writeInt(content.length);
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a record.
     *
     * @param bytes what stands in the journal
     * @param encoder what encodes operations on the table
     * @throws IllegalArgumentException if it is of a form that is not known
     */
    public static JournalRecord of(byte[] bytes, OperationEncoder encoder) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int form = in.readByte();
            if (form != FORM) {
                throw new IllegalArgumentException("a journal record of the form " + form + "; known is " + FORM);
            }
            EntityVerb verb = verb(in.readByte());
            int flags = in.readByte();
            Instant written = Instant.ofEpochMilli(in.readLong());
            Duration allowed = Duration.ofMillis(in.readLong());
            String partitionKey = read(in);
            String rowKey = read(in);
            String marker = (flags & MARKED) == 0 ? null : read(in);
            String ifMatch = (flags & CONDITIONAL) == 0 ? null : read(in);
            byte[] content = in.readNBytes(in.readInt());
            EncodedOperation.OperationTarget target =
                    new EncodedOperation.OperationTarget(verb, partitionKey, rowKey, ifMatch);
            EncodedOperation plain = encoder.again(target, content, (flags & MARKABLE) != 0);
            return new JournalRecord(
                    marker == null ? plain : plain.marked(marker), written, allowed, (flags & FENCE) != 0);
        } catch (IOException e) {
            throw new IllegalArgumentException("a journal record that ends too early", e);
        }
    }

    /** Returns an operation that was refused for good as applications see it. */
    public static RejectedOperation rejected(RejectedRecord each, OperationEncoder encoder) {
        JournalRecord record = of(each.record(), encoder);
        EncodedOperation operation = record.operation();
        return new RejectedOperation(
                each.id(),
                operation.verb().label(),
                operation.partitionKey(),
                operation.rowKey(),
                operation.ifMatch(),
                new String(operation.content(), StandardCharsets.UTF_8),
                record.written(),
                each.at(),
                each.reason());
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeShort(bytes.length);
            out.write(bytes);
        }
    }

    private static String read(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedShort()), StandardCharsets.UTF_8);
    }

    /** The letters are stored, so they stay even if the names change. */
    private static char code(EntityVerb verb) {
        return switch (verb) {
            case INSERT -> 'I';
            case INSERT_OR_MERGE -> 'm';
            case INSERT_OR_REPLACE -> 'r';
            case REPLACE -> 'U';
            case MERGE -> 'M';
            case DELETE -> 'D';
        };
    }

    private static EntityVerb verb(int code) {
        for (EntityVerb verb : EntityVerb.values()) {
            if (code(verb) == code) {
                return verb;
            }
        }
        throw new IllegalArgumentException("a journal record with the verb " + (char) code);
    }
}
