package io.stowline.records.internal.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The content of gzip members (RFC 1952), one behind the other, of which the last one may be cut off anywhere: what can be inflated of that
 * one is content, too. {@code GZIPInputStream} takes the end of its buffer for the end of the content.
 */
final class GzipSource implements RecordSource {

    private static final int BUFFER = 32 << 10;
    private static final int MAGIC = 0x8B1F;
    private static final int HEADER_CHECK = 2;
    private static final int EXTRA_FIELD = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int UNKNOWN_FLAGS = 0xE0;

    private final InputStream stored;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;
    /** The stored bytes behind which the buffer ends. */
    private long fetched;

    private long member;
    private long length;
    private boolean inside;
    private boolean ended;
    private long cutOff;

    GzipSource(InputStream stored) {
        this.stored = stored;
    }

    @Override
    public int read(byte[] target, int offset, int max) throws IOException {
        if (ended) {
            return -1;
        }
        try {
            if (!inside) {
                if (from == to && !fetch()) {
                    ended = true;
                    return -1;
                }
                header();
                inside = true;
            }
            int count = inflate(target, offset, max);
            if (count == 0) {
                trailer();
                inside = false;
            }
            return count;
        } catch (EOFException e) {
            ended = true;
            cutOff = fetched - member;
            return -1;
        }
    }

    /** Returns how many bytes it has inflated, none at the end of the member. */
    private int inflate(byte[] target, int offset, int max) throws IOException {
        try {
            while (true) {
                int count = inflater.inflate(target, offset, max);
                if (count > 0) {
                    checksum.update(target, offset, count);
                    length += count;
                    return count;
                }
                if (inflater.finished()) {
                    from = to - inflater.getRemaining();
                    return 0;
                }
                if (inflater.needsDictionary()) {
                    throw new IOException("a gzip member at offset " + member + " needs a dictionary");
                }
                if (!fetch()) {
                    throw new EOFException();
                }
                inflater.setInput(buffer, 0, to);
            }
        } catch (DataFormatException e) {
            throw new IOException("the gzip member at offset " + member + " is damaged: " + e.getMessage(), e);
        }
    }

    private void header() throws IOException {
        inflater.reset();
        checksum.reset();
        length = 0;
        int magic = number(2);
        int method = magic == MAGIC ? number(1) : -1;
        int flags = method == 8 ? number(1) : UNKNOWN_FLAGS;
        if ((flags & UNKNOWN_FLAGS) != 0) {
            throw new IOException("at offset " + member + " begins no gzip member");
        }
        skip(6);
        if ((flags & EXTRA_FIELD) != 0) {
            skip(number(2));
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CHECK) != 0) {
            skip(2);
        }
        inflater.setInput(buffer, from, to - from);
    }

    private void trailer() throws IOException {
        int stated = number(4);
        int statedLength = number(4);
        if (stated != (int) checksum.getValue() || statedLength != (int) length) {
            throw new IOException("the gzip member at offset " + member + " is damaged: its checksum does not fit");
        }
        member = fetched - (to - from);
    }

    private int number(int bytes) throws IOException {
        int number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= next() << (8 * i);
        }
        return number;
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        int read = next();
        while (read != 0) {
            read = next();
        }
    }

    private int next() throws IOException {
        if (from == to && !fetch()) {
            throw new EOFException();
        }
        return buffer[from++] & 0xFF;
    }

    private boolean fetch() throws IOException {
        int count = stored.read(buffer, 0, BUFFER);
        from = 0;
        to = Math.max(count, 0);
        fetched += to;
        return count > 0;
    }

    @Override
    public long offset() {
        return inside || ended ? -1 : member;
    }

    @Override
    public boolean plain() {
        return false;
    }

    @Override
    public long cutOff() {
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        inflater.end();
        stored.close();
    }
}
