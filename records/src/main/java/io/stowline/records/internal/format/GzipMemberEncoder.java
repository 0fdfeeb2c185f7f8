package io.stowline.records.internal.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** A compressor of records into gzip members, each of whole records, so that what is left of a cut file is readable. Stateless. */
final class GzipMemberEncoder {

    /** The bytes of records in a member, up to the end of the record that has the last of them. */
    static final int MEMBER = 1 << 20;

    /** A third of the time of the default level, for a quarter more bytes. */
    private static final int LEVEL = 2;

    private static final byte[] HEADER = {31, (byte) 139, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 255};
    private static final int BUFFER = 32 << 10;

    private GzipMemberEncoder() {}

    /**
     * Returns the members of records.
     *
     * @param head what stands before the records, in their first member
     */
    static byte[] of(byte[] head, byte[] records, Framing framing) {
        Deflater deflater = new Deflater(LEVEL, true);
        try {
            ByteArrayOutputStream members = new ByteArrayOutputStream(Math.max(64, records.length / 4));
            byte[] buffer = new byte[BUFFER];
            int from = 0;
            do {
                int to = framing.boundary(records, from, MEMBER);
                add(deflater, from == 0 ? head : new byte[0], records, from, to, buffer, members);
                from = to;
            } while (from < records.length);
            return members.toByteArray();
        } catch (IOException e) {
            throw new IllegalArgumentException("the records are not of this format", e);
        } finally {
            deflater.end();
        }
    }

    private static void add(
            Deflater deflater,
            byte[] head,
            byte[] records,
            int from,
            int to,
            byte[] buffer,
            ByteArrayOutputStream members) {
        CRC32 checksum = new CRC32();
        members.write(HEADER, 0, HEADER.length);
        deflater.reset();
        deflate(deflater, head, 0, head.length, checksum, buffer, members);
        deflate(deflater, records, from, to, checksum, buffer, members);
        deflater.finish();
        while (!deflater.finished()) {
            members.write(buffer, 0, deflater.deflate(buffer));
        }
        number((int) checksum.getValue(), members);
        number(head.length + to - from, members);
    }

    private static void deflate(
            Deflater deflater,
            byte[] bytes,
            int from,
            int to,
            CRC32 checksum,
            byte[] buffer,
            ByteArrayOutputStream members) {
        checksum.update(bytes, from, to - from);
        deflater.setInput(bytes, from, to - from);
        while (!deflater.needsInput()) {
            members.write(buffer, 0, deflater.deflate(buffer));
        }
    }

    private static void number(int number, ByteArrayOutputStream members) {
        for (int i = 0; i < Integer.BYTES; i++) {
            members.write(number >>> (8 * i));
        }
    }
}
