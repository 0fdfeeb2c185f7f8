package io.stowline.records.internal.format;

import io.stowline.records.internal.format.RecordCodec.RecordCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A cursor over framed records. */
final class FramedCursor<T> implements RecordCursor<T> {

    static final int MAX_HEADER = 32 << 10;

    private static final int BUFFER = 64 << 10;
    private static final int SHOWN = 80;

    private final Framing framing;
    private final RecordMapping<T> mapping;
    private final RecordSource source;
    private final byte[] header;
    private byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;
    private int recordFrom;
    private int recordTo;
    private boolean behindHeader;
    private boolean ended;
    private long resumeOffset;
    private long recordsSince;

    FramedCursor(Framing framing, RecordMapping<T> mapping, RecordSource source, byte[] header) {
        this.framing = framing;
        this.mapping = mapping;
        this.source = source;
        this.header = header;
        this.behindHeader = header.length == 0;
    }

    @Override
    public boolean next() throws IOException {
        if (!behindHeader && !passHeader()) {
            return false;
        }
        int end = nextEnd();
        if (end == 0) {
            return false;
        }
        recordFrom = framing.contentFrom(buffer, from);
        recordTo = framing.contentTo(end);
        from = end;
        recordsSince++;
        return true;
    }

    private boolean passHeader() throws IOException {
        int end = nextEnd();
        if (end == 0) {
            return false;
        }
        if (!Arrays.equals(buffer, from, end, header, 0, header.length)) {
            throw new IOException("it does not begin with the header line '" + text(header, 0, header.length)
                    + "', but with '" + text(buffer, from, end) + "'");
        }
        from = end;
        behindHeader = true;
        return true;
    }

    private static String text(byte[] bytes, int from, int to) {
        String line = new String(bytes, from, Math.min(to - from, 4 * SHOWN), StandardCharsets.UTF_8).strip();
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
    }

    /** Returns the end of the next record, or 0 if there is none that is whole. */
    private int nextEnd() throws IOException {
        while (true) {
            int end = from == to ? 0 : framing.end(buffer, from, to);
            if (end != 0 || !fill()) {
                return end;
            }
        }
    }

    private boolean fill() throws IOException {
        if (from == to) {
            from = 0;
            to = 0;
            long offset = source.offset();
            if (offset >= 0 && behindHeader) {
                resumeOffset = offset;
                recordsSince = 0;
            }
        } else if (to == buffer.length) {
            makeRoom();
        }
        int count = ended ? -1 : source.read(buffer, to, buffer.length - to);
        ended = count < 0;
        to += Math.max(count, 0);
        return !ended;
    }

    private void makeRoom() throws IOException {
        int left = to - from;
        if (left > Framing.MAX_RECORD) {
            throw new IOException("a record has more than " + Framing.MAX_RECORD + " bytes: it is not of this format");
        }
        byte[] larger = left > buffer.length / 2 ? new byte[2 * buffer.length] : buffer;
        System.arraycopy(buffer, from, larger, 0, left);
        buffer = larger;
        from = 0;
        to = left;
    }

    @Override
    public T record() throws IOException {
        return mapping.decode(buffer, recordFrom, recordTo);
    }

    @Override
    public long cutOff() {
        if (!ended) {
            return 0;
        }
        return source.cutOff() > 0 ? source.cutOff() : to - from;
    }

    @Override
    public long resumeOffset() {
        return source.plain() ? source.offset() - (to - from) : resumeOffset;
    }

    @Override
    public long recordsSince() {
        return source.plain() ? 0 : recordsSince;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        source.close();
    }
}
