package io.stowline.transport.internal.netty.direct;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StrayResponseException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of the head of a response, which copies it into one array and notes the places of its headers. A line that
 * ends otherwise than with CR LF, control characters and a second status line are errors. Each byte is read a bounded
 * number of times, however the headers are folded. Not thread-safe.
 */
final class HeadDecoder {

    /** The most bytes of a head, together with the interim ones before it. */
    static final int MAX = ResponseBounds.ALL_HEADERS;

    private static final int STEP = 1024;
    /** The most bytes that an idle connection keeps for the next head. */
    private static final int KEPT = 4 * STEP;

    private static final int SWITCHING = 101;
    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final byte LINE_FEED = 1;
    private static final byte CARRIAGE_RETURN = 2;
    private static final byte SLASH = 3;
    private static final byte CONTROL = 4;
    /** The kind of the bytes that names consist of. */
    private static final byte TOKEN = 5;
    /** The kind of each byte; some have none. */
    private static final byte[] KINDS = new byte[256];

    static {
        Arrays.fill(KINDS, 0, ' ', CONTROL);
        for (byte b : "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                .getBytes(StandardCharsets.US_ASCII)) {
            KINDS[b] = TOKEN;
        }
        KINDS[0x7f] = CONTROL;
        KINDS['\t'] = 0;
        KINDS['\n'] = LINE_FEED;
        KINDS['\r'] = CARRIAGE_RETURN;
        KINDS['/'] = SLASH;
    }

    private final MessageFraming framing;
    private byte[] bytes = new byte[STEP];
    private int[] places = new int[ResponseHead.PLACES * 24];
    private int size;
    private int lineStart;
    private int returns;
    /** True if the line has a slash, as a status line has. */
    private boolean slash;

    private boolean headerSlash;
    private int interim;
    private int interimBytes;
    private int placed;
    private int status;
    private long work;

    /**
     * A decoder that has read nothing.
     *
     * @param framing gets each header
     */
    HeadDecoder(MessageFraming framing) {
        this.framing = framing;
    }

    /** Expects the status line of a response. */
    void begin() {
        interim = 0;
        interimBytes = 0;
        beginHead();
    }

    private void beginHead() {
        size = 0;
        beginLine(0);
        placed = 0;
        status = 0;
    }

    /** Gives back the memory that only a long head needs. */
    void forget() {
        begin();
        if (memory() > KEPT) {
            bytes = new byte[STEP];
            places = new int[ResponseHead.PLACES * 24];
        }
    }

    /**
     * Reads on.
     *
     * @return the head once it is whole
     */
    @Nullable
    ResponseHead read(ByteBuf in) throws IOException {
        while (in.isReadable()) {
            int step = Math.min(STEP, Math.min(in.readableBytes(), MAX - interimBytes - size));
            if (step == 0) {
                throw ResponseTooLongException.head();
            }
            if (size + step > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(size + step, bytes.length * 2));
            }
            in.getBytes(in.readerIndex(), bytes, size, step);
            int end = lines(size, size + step);
            int taken = (end < 0 ? size + step : end) - size;
            work += taken;
            in.skipBytes(taken);
            size += taken;
            if (end >= 0) {
                if (status / 100 != 1) {
                    return new ResponseHead(status, Arrays.copyOf(bytes, size), Arrays.copyOf(places, placed));
                }
                if (status == SWITCHING) {
                    throw new MalformedResponseException("it turns to a protocol that was not requested");
                }
                if (++interim > ResponseBounds.INTERIM) {
                    throw ResponseTooLongException.interim();
                }
                interimBytes += size;
                beginHead();
            }
        }
        return null;
    }

    /** Negative if the end of the head is not among these bytes. */
    private int lines(int from, int to) throws IOException {
        byte[] head = bytes;
        if (from == 0 && head[0] != 'H') {
            throw new MalformedResponseException("it does not begin with a status line");
        }
        int i = from;
        while (i < to) {
            if (i + Long.BYTES <= to) {
                long special = special((long) EIGHT.get(head, i));
                if (special == 0) {
                    i += Long.BYTES;
                    continue;
                }
                i += Long.numberOfTrailingZeros(special) / Byte.SIZE;
            }
            switch (KINDS[head[i] & 0xff]) {
                case LINE_FEED -> {
                    if (returns != 1 || head[i - 1] != '\r') {
                        throw new MalformedResponseException("a line of its head does not end with CR LF");
                    }
                    if (line(lineStart, i - 1)) {
                        return i + 1;
                    }
                    beginLine(i + 1);
                }
                case CARRIAGE_RETURN -> returns++;
                case SLASH -> slash = true;
                case CONTROL -> throw new MalformedResponseException("a header has a control character");
                default -> {
                    // It is one of a name or a value.
                }
            }
            i++;
        }
        return -1;
    }

    /**
     * Returns zero if none of eight bytes is below a space, a slash or DEL; else the lowest bit that is set belongs to the first of them, with
     * the earliest byte lowest.
     */
    private static long special(long eight) {
        long slashes = eight ^ ('/' * ONES);
        long deletes = eight ^ (0x7f * ONES);
        return ((eight - ' ' * ONES) | (slashes - ONES) | (deletes - ONES)) & ~eight & HIGH_BITS;
    }

    private void beginLine(int at) {
        lineStart = at;
        returns = 0;
        slash = false;
    }

    /** Reads one line; true if it is the empty one at the end. */
    private boolean line(int from, int to) throws IOException {
        if (status == 0) {
            statusLine(from, to);
            return false;
        }
        if (from < to && blank(bytes[from])) {
            continued(from, to);
            return false;
        }
        endHeader();
        if (from == to) {
            return true;
        }
        header(from, to);
        return false;
    }

    private void statusLine(int from, int to) throws IOException {
        int code = from + VERSION.length + 2;
        if (to < code + 3
                || !Arrays.equals(bytes, from, from + VERSION.length, VERSION, 0, VERSION.length)
                || bytes[code - 1] != ' '
                || (to > code + 3 && bytes[code + 3] != ' ')) {
            throw new MalformedResponseException("it does not begin with a status line");
        }
        int minor = bytes[code - 2] - '0';
        int number = 0;
        for (int i = code; i < code + 3; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new MalformedResponseException("its status is no number");
            }
            number = number * 10 + digit;
        }
        if (number < 100 || minor < 0 || minor > 9) {
            throw new MalformedResponseException("its status is " + number);
        }
        status = number;
        framing.begin(minor > 0);
        checked(code + 3, to, slash);
    }

    private void header(int from, int to) throws IOException {
        work += to - from;
        int colon = from;
        boolean token = true;
        while (colon < to && bytes[colon] != ':') {
            token &= KINDS[bytes[colon] & 0xff] == TOKEN;
            colon++;
        }
        if (slash && version(from, colon)) {
            throw StrayResponseException.glued(status);
        }
        if (colon == to || colon == from) {
            throw new MalformedResponseException("a header has no " + (colon == from ? "name" : "colon"));
        }
        if (!token) {
            throw new MalformedResponseException(
                    "the name of a header has a space or another character that no name has");
        }
        if (placed == places.length) {
            places = Arrays.copyOf(places, places.length * 2);
        }
        int start = afterBlanks(colon + 1, to);
        places[placed++] = from;
        places[placed++] = colon;
        places[placed++] = start;
        places[placed++] = beforeBlanks(start, to);
        checked(start, places[placed - 1], slash);
        headerSlash = slash;
    }

    /** Reads the last header once it is whole, so that its continuations are not read again for each line. */
    private void endHeader() throws IOException {
        if (placed > 0) {
            int name = placed - ResponseHead.PLACES;
            work += places[name + 3] - places[name];
            checked(places[name + 2], places[name + 3], headerSlash);
            framing.header(bytes, places[name], places[name + 1], places[name + 2], places[name + 3]);
        }
    }

    /** The folded form of a value, which HTTP once had. */
    private void continued(int from, int to) throws IOException {
        if (placed == 0) {
            throw new MalformedResponseException("its first header has no name");
        }
        work += to - from;
        bytes[from - 2] = ' ';
        bytes[from - 1] = ' ';
        int start = afterBlanks(from, to);
        if (start < to) {
            boolean empty = places[placed - 2] == places[placed - 1];
            places[placed - 2] = empty ? start : places[placed - 2];
            places[placed - 1] = beforeBlanks(start, to);
            bounded(places[placed - 2], places[placed - 1]);
            checked(start, places[placed - 1], slash);
            headerSlash |= slash;
        }
    }

    private int afterBlanks(int from, int to) {
        int start = from;
        while (start < to && blank(bytes[start])) {
            start++;
        }
        return start;
    }

    private int beforeBlanks(int from, int to) {
        int end = to;
        while (end > from && blank(bytes[end - 1])) {
            end--;
        }
        return end;
    }

    /** Returns whether a character stands in no line of a response. */
    static boolean control(char c) {
        return (c < ' ' && c != '\t') || c == 0x7f;
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static void bounded(int from, int to) throws IOException {
        if (to - from > ResponseBounds.HEADER) {
            throw ResponseTooLongException.header(to - from);
        }
    }

    /** Refuses a status line within the value: the rest of an earlier response, which came late. */
    private void checked(int from, int to, boolean slashed) throws IOException {
        bounded(from, to);
        if (slashed && version(from, to) && StrayResponseException.statusLine(ResponseHead.text(bytes, from, to))) {
            throw StrayResponseException.glued(status);
        }
    }

    private boolean version(int from, int to) {
        for (int i = from; i + VERSION.length <= to; i++) {
            if (bytes[i] == 'H' && Arrays.equals(bytes, i, i + VERSION.length, VERSION, 0, VERSION.length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bytes of its arrays. */
    int memory() {
        return bytes.length + places.length * Integer.BYTES;
    }

    /**
     * Returns the bytes that were read so far, each as often as it was; those of a length, a token or an encoding once
     * more.
     */
    long work() {
        return work;
    }
}
