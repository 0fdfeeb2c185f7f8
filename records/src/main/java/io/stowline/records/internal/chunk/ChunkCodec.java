package io.stowline.records.internal.chunk;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoField;

/** The form of names and seals of chunks in spool files. */
final class ChunkCodec {

    private static final int VERSION = 1;

    private ChunkCodec() {}

    private interface Content {
        void writeTo(DataOutputStream out) throws IOException;
    }

    static byte[] encode(ChunkName name) {
        return encoded(out -> {
            out.writeLong(name.interval().getEpochSecond());
            out.writeInt(name.interval().get(ChronoField.NANO_OF_SECOND));
            out.writeUTF(name.session());
            out.writeLong(name.sequence());
        });
    }

    static byte[] encode(ChunkSeal seal) {
        return encoded(out -> {
            out.writeUTF(seal.blob());
            out.writeLong(seal.position());
            out.writeLong(seal.length());
            out.writeUTF(seal.hash());
        });
    }

    private static byte[] encoded(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            content.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a name.
     *
     * @throws IOException if it is of another form
     */
    static ChunkName name(byte[] bytes) throws IOException {
        DataInputStream in = versioned(bytes);
        Instant interval = Instant.ofEpochSecond(in.readLong(), in.readInt());
        return new ChunkName(interval, in.readUTF(), in.readLong());
    }

    /**
     * Reads a seal.
     *
     * @throws IOException if it is of another form
     */
    static ChunkSeal seal(byte[] bytes) throws IOException {
        DataInputStream in = versioned(bytes);
        return new ChunkSeal(in.readUTF(), in.readLong(), in.readLong(), in.readUTF());
    }

    private static DataInputStream versioned(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readByte();
        if (version != VERSION) {
            throw new IOException("version " + version + " is later than " + VERSION);
        }
        return in;
    }
}
