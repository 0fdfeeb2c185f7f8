package io.stowline.transport.internal.gzip;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * An expander of gzip members (RFC 1952) that follow each other, whose bytes come in parts. Anything but members is an error, which the
 * JDK's stream passes over: bytes behind the last member, and an end within one. Thread-safe; after its close it gives no bytes.
 */
public final class GzipDecoder implements AutoCloseable {

    private static final int HEADER = 10;
    private static final int TRAILER = 8;
    private static final int MAGIC = 0x8b1f;

    private static final int CHECKED = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final CRC32 header = new CRC32();
    private ByteBuffer input = ByteBuffer.allocate(0);
    private MemberPart part = MemberPart.BEGIN;
    private int flags;
    /** The bytes of the present part that are missing, and the number that its bytes so far make. */
    private int missing;

    private long number;
    private long length;
    private boolean closed;

    /** A part of a member, in the order in which they come. */
    private enum MemberPart {
        BEGIN,
        FIXED,
        EXTRA_LENGTH,
        EXTRA_FIELD,
        FILE_NAME,
        FILE_COMMENT,
        HEADER_CHECK,
        CONTENT,
        CHECK
    }

    /** A departure from the format. */
    public static final class GzipFormatException extends Exception {

        private static final long serialVersionUID = 1L;

        GzipFormatException(String message) {
            super(message);
        }
    }

    /** Takes the next bytes, once all before them are taken; they must not change until they are. */
    public synchronized void input(ByteBuffer bytes) {
        input = bytes;
    }

    /** Returns how many bytes of expanded content it has written; 0 if it needs further bytes. */
    public synchronized int read(byte[] target, int offset, int max) throws GzipFormatException {
        while (!closed && input.hasRemaining()) {
            if (part == MemberPart.CONTENT) {
                int count = inflate(target, offset, max);
                if (count > 0) {
                    return count;
                }
            } else {
                step();
            }
        }
        // The inflater keeps output when the target was full.
        return !closed && part == MemberPart.CONTENT ? inflate(target, offset, max) : 0;
    }

    private int inflate(byte[] target, int offset, int max) throws GzipFormatException {
        try {
            inflater.setInput(input);
            int count = inflater.inflate(target, offset, max);
            checksum.update(target, offset, count);
            length += count;
            if (inflater.finished()) {
                begin(MemberPart.CHECK, TRAILER);
            } else if (inflater.needsDictionary()) {
                throw new GzipFormatException("its deflated content needs a dictionary");
            }
            return count;
        } catch (DataFormatException e) {
            throw new GzipFormatException("its deflated content is broken: " + e.getMessage());
        }
    }

    private void begin(MemberPart next, int bytes) {
        part = next;
        missing = bytes;
        number = 0;
    }

    /** Takes one byte outside of the content. */
    private void step() throws GzipFormatException {
        int next = input.get() & 0xFF;
        switch (part) {
            case BEGIN -> {
                inflater.reset();
                checksum.reset();
                header.reset();
                length = 0;
                begin(MemberPart.FIXED, HEADER);
                fixed(next);
            }
            case FIXED -> fixed(next);
            case EXTRA_LENGTH -> {
                if (numbered(next, 2)) {
                    begin(MemberPart.EXTRA_FIELD, (int) number);
                    skip(EXTRA);
                }
            }
            case EXTRA_FIELD -> {
                header.update(next);
                missing--;
                skip(EXTRA);
            }
            case FILE_NAME, FILE_COMMENT -> {
                header.update(next);
                if (next == 0) {
                    skip(part == MemberPart.FILE_NAME ? NAME : COMMENT);
                }
            }
            case HEADER_CHECK -> {
                number |= (long) next << (8 * (2 - missing));
                missing--;
                if (missing == 0) {
                    require(number == (header.getValue() & 0xFFFF), "the checksum of its header is wrong");
                    part = MemberPart.CONTENT;
                }
            }
            default -> trailer(next);
        }
    }

    private boolean numbered(int next, int bytes) {
        header.update(next);
        number |= (long) next << (8 * (bytes - missing));
        missing--;
        return missing == 0;
    }

    private void fixed(int next) throws GzipFormatException {
        int at = HEADER - missing;
        if (at < 2) {
            require(
                    next == (MAGIC >> (8 * at) & 0xFF),
                    "it does not begin as gzip does, or has other bytes behind its end");
        } else if (at == 2) {
            require(next == 8, "its compression method is " + next + ", not deflate");
        } else if (at == 3) {
            require((next & RESERVED) == 0, "its header has unknown flags");
            flags = next;
        }
        header.update(next);
        missing--;
        if (missing == 0) {
            skip(0);
        }
    }

    /** Goes to the next part that the header has, behind the one of this flag. */
    private void skip(int done) {
        if (done == EXTRA && missing > 0) {
            return;
        }
        if (done < EXTRA && (flags & EXTRA) != 0) {
            begin(MemberPart.EXTRA_LENGTH, 2);
        } else if (done < NAME && (flags & NAME) != 0) {
            part = MemberPart.FILE_NAME;
        } else if (done < COMMENT && (flags & COMMENT) != 0) {
            part = MemberPart.FILE_COMMENT;
        } else if ((flags & CHECKED) != 0) {
            begin(MemberPart.HEADER_CHECK, 2);
        } else {
            part = MemberPart.CONTENT;
        }
    }

    private void trailer(int next) throws GzipFormatException {
        number |= (long) next << (8 * ((TRAILER - missing) % 4));
        missing--;
        if (missing == 4) {
            require(number == checksum.getValue(), "the checksum of its content is wrong");
            number = 0;
        } else if (missing == 0) {
            require(number == (length & 0xFFFFFFFFL), "the length of its content is wrong");
            part = MemberPart.BEGIN;
        }
    }

    private static void require(boolean right, String message) throws GzipFormatException {
        if (!right) {
            throw new GzipFormatException(message);
        }
    }

    /** Checks that the bytes end where a member ends. */
    public synchronized void finish() throws GzipFormatException {
        require(closed || part == MemberPart.BEGIN, "it ends within its content");
    }

    @Override
    public synchronized void close() {
        closed = true;
        inflater.end();
    }
}
