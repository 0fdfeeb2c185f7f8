package io.stowline.table.internal.index.journal;

import io.stowline.table.EntityKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A note in a journal on the references that an entity loses by an operation. Once the entity is written, nothing else shows them.
 *
 * @param operation the record of the operation
 * @param references the keys of the references
 */
record LostReferences(long operation, List<EntityKey> references) {

    /** Differs from the forms of other records. */
    private static final int FORM = 101;

    /** Returns whether a record is such a note. */
    static boolean is(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FORM;
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeLong(operation);
            out.writeInt(references.size());
            for (EntityKey each : references) {
                out.writeUTF(each.partitionKey());
                out.writeUTF(each.rowKey());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a note.
     *
     * @throws IllegalArgumentException if it is of a form that is not known
     */
    static LostReferences of(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int form = in.readByte();
            if (form != FORM) {
                throw new IllegalArgumentException("a note of the form " + form + "; known is " + FORM);
            }
            long operation = in.readLong();
            List<EntityKey> references = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                references.add(new EntityKey(in.readUTF(), in.readUTF()));
            }
            return new LostReferences(operation, List.copyOf(references));
        } catch (IOException e) {
            throw new IllegalArgumentException("a note that ends too early", e);
        }
    }
}
