package io.stowline.journal.internal.spool;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The form of the frames of one file: kind, length, checksum, payload. The checksum covers the identity of the file and the position of the
 * frame, too, so that bytes of another file or of another position are no frame. Not safe for use by many threads.
 *
 * <pre>
 * file    magic (4) identity (8) checksum (4), frame of the head, further frames
 * frame   kind (1) length (4) checksum (4) payload
 * </pre>
 */
final class FrameFormat {

    static final byte HEAD = 'H';
    static final byte RECORD = 'R';
    static final byte SEAL = 'S';
    static final byte REJECTION = 'X';

    /** The length of all that is in front of the frame of the head. */
    static final int PROLOGUE = 16;

    /** The length of a frame without its payload. */
    static final int OVERHEAD = 9;

    private static final int MAGIC = 0x53504C31;
    private static final int LENGTH_AT = 1;
    private static final int CHECKSUM_AT = 5;
    private static final int KEPT_BUFFER = 64 * 1024;

    private final long identity;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer context = ByteBuffer.allocate(2 * Long.BYTES + 1 + Integer.BYTES);
    private ByteBuffer buffer = ByteBuffer.allocate(KEPT_BUFFER);

    FrameFormat(long identity) {
        this.identity = identity;
    }

    /** Returns the form of the file with this prologue, or null if it is none. */
    static @Nullable FrameFormat of(byte[] prologue) {
        ByteBuffer bytes = ByteBuffer.wrap(prologue);
        FrameFormat format = new FrameFormat(bytes.getLong(Integer.BYTES));
        return Arrays.equals(prologue, format.prologue()) ? format : null;
    }

    byte[] prologue() {
        ByteBuffer bytes = ByteBuffer.allocate(PROLOGUE).putInt(MAGIC).putLong(identity);
        crc.reset();
        crc.update(bytes.array(), 0, bytes.position());
        return bytes.putInt((int) crc.getValue()).array();
    }

    /** Returns a frame at the begin of a buffer that counts until the next call. */
    byte[] frame(long position, byte kind, byte[] payload) {
        int length = OVERHEAD + payload.length;
        ByteBuffer frame = length <= buffer.capacity() ? buffer : ByteBuffer.allocate(length);
        begin(position, kind, payload.length);
        crc.update(payload, 0, payload.length);
        frame.put(0, kind).putInt(LENGTH_AT, payload.length).putInt(CHECKSUM_AT, (int) crc.getValue());
        System.arraycopy(payload, 0, frame.array(), OVERHEAD, payload.length);
        return frame.array();
    }

    /** Gives the buffer up: the file is written rarely from now on. */
    void shrink() {
        buffer = ByteBuffer.allocate(OVERHEAD);
    }

    /** Begins the checksum of a frame, to which {@link #add} adds the payload. */
    void begin(long position, byte kind, int length) {
        context.putLong(0, identity).putLong(Long.BYTES, position).put(2 * Long.BYTES, kind);
        context.putInt(2 * Long.BYTES + 1, length);
        crc.reset();
        crc.update(context.array(), 0, context.capacity());
    }

    void add(byte[] bytes, int from, int length) {
        crc.update(bytes, from, length);
    }

    int checksum() {
        return (int) crc.getValue();
    }

    static boolean isKind(byte kind) {
        return kind == HEAD || kind == RECORD || kind == SEAL || kind == REJECTION;
    }

    /** Returns the length of the payload, from the begin of a frame. */
    static int length(ByteBuffer begin) {
        return begin.getInt(LENGTH_AT);
    }

    static int checksum(ByteBuffer begin) {
        return begin.getInt(CHECKSUM_AT);
    }
}
