package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pages of a page blob, of which it keeps those in use. Not thread-safe. */
final class MemoryPages {

    private static final int PAGE = 512;
    private static final int MAX_WRITE = 4 << 20;
    private static final long MAX_SIZE = 8L << 40;
    private static final int MAX_LISTED = 10_000;
    private static final String SIZE = "x-ms-blob-content-length";
    private static final String NUMBER = "x-ms-blob-sequence-number";
    private static final String ACTION = "x-ms-sequence-number-action";
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");

    private final NavigableMap<Long, byte[]> used = new TreeMap<>();
    private long size;
    private long number;

    private MemoryPages(long size, long number) {
        this.size = size;
        this.number = number;
    }

    /** Makes the pages of a new blob; none of them is in use. */
    static MemoryPages of(StorageRequest request) {
        if (request.body().length() > 0) {
            throw invalid("Content-Length", Integer.toString(request.body().length()));
        }
        return new MemoryPages(
                size(request), request.header(NUMBER) == null ? 0 : number(NUMBER, required(request, NUMBER)));
    }

    /** Returns the pages of a copy before its content is there. */
    MemoryPages emptied() {
        return new MemoryPages(0, number);
    }

    /** Makes bytes the content; pages of zeros are not in use. */
    void fill(byte[] content) {
        used.clear();
        size = content.length;
        for (int at = 0; at < content.length; at += PAGE) {
            byte[] page = Arrays.copyOfRange(content, at, at + PAGE);
            if (!Arrays.equals(page, new byte[PAGE])) {
                used.put((long) at, page);
            }
        }
    }

    private static String required(StorageRequest request, String name) {
        String value = request.header(name);
        if (value == null) {
            throw new RefusedOperation(
                    400,
                    "MissingRequiredHeader",
                    "An HTTP header that's mandatory for this request is not specified: " + name);
        }
        return value;
    }

    private static long size(StorageRequest request) {
        long size = number(SIZE, required(request, SIZE));
        if (size % PAGE != 0 || size > MAX_SIZE) {
            throw invalid(SIZE, Long.toString(size));
        }
        return size;
    }

    private static long number(String name, String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a negative number is.
        }
        throw invalid(name, text);
    }

    private static RefusedOperation invalid(String name, String value) {
        return new RefusedOperation(
                400,
                "InvalidHeaderValue",
                "The value for one of the HTTP headers is not in the correct format: " + name + ": " + value);
    }

    long size() {
        return size;
    }

    StubResponse on(StubResponse response) {
        return response.header(NUMBER, Long.toString(number));
    }

    /** A range of bytes, of which {@code end} is the first one behind it. */
    private record ByteRange(long offset, long end) {

        static @Nullable ByteRange in(StorageRequest request) {
            String name = request.header("x-ms-range") == null ? "Range" : "x-ms-range";
            String text = request.header(name);
            if (text == null) {
                return null;
            }
            Matcher range = RANGE.matcher(text);
            if (!range.matches()) {
                throw invalid(name, text);
            }
            return new ByteRange(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)) + 1);
        }

        boolean isAligned() {
            return offset % PAGE == 0 && end % PAGE == 0 && offset < end;
        }

        @Override
        public String toString() {
            return "bytes=" + offset + "-" + (end - 1);
        }
    }

    /** Writes or clears pages, or refuses to with no effect. */
    void write(StorageRequest request) {
        if (MemoryCopies.isMeantBy(request)) {
            throw RefusedOperation.unknown(request);
        }
        String write = required(request, "x-ms-page-write").toLowerCase(Locale.ROOT);
        ByteRange range = ByteRange.in(request);
        if (range == null || !range.isAligned()) {
            throw invalid("x-ms-range", String.valueOf(range));
        }
        byte[] bytes = request.body().toArray();
        boolean update = write.equals("update");
        if (update && bytes.length > MAX_WRITE) {
            throw new RefusedOperation(
                    413,
                    "RequestBodyTooLarge",
                    "The request body is too large and exceeds the maximum permissible limit.");
        }
        if (!update && !write.equals("clear")) {
            throw invalid("x-ms-page-write", write);
        }
        if (bytes.length != (update ? range.end - range.offset : 0)) {
            throw invalid("Content-Length", Integer.toString(bytes.length));
        }
        MemoryBlob.checked(request);
        checkNumber(request);
        if (range.end > size) {
            throw new RefusedOperation(416, "InvalidPageRange", "The page range specified is invalid.");
        }
        used.subMap(range.offset, range.end).clear();
        for (int at = 0; at < bytes.length; at += PAGE) {
            used.put(range.offset + at, Arrays.copyOfRange(bytes, at, at + PAGE));
        }
    }

    private void checkNumber(StorageRequest request) {
        String header = "x-ms-if-sequence-number-";
        String atMost = request.header(header + "le");
        String less = request.header(header + "lt");
        String equal = request.header(header + "eq");
        if ((atMost != null && number > number(header + "le", atMost))
                || (less != null && number >= number(header + "lt", less))
                || (equal != null && number != number(header + "eq", equal))) {
            throw new RefusedOperation(
                    412, "SequenceNumberConditionNotMet", "The sequence number condition specified was not met.");
        }
    }

    /** Lists the ranges in use. */
    StubResponse list(StorageRequest request) {
        if (request.parameter("prevsnapshot") != null) {
            throw RefusedOperation.unknown(request);
        }
        ByteRange range = ByteRange.in(request);
        if (range != null && range.offset >= size) {
            throw outOfRange();
        }
        String marker = request.parameter("marker");
        long from = Math.max(
                marker == null || marker.isEmpty() ? 0 : number("marker", marker),
                range == null ? 0 : range.offset / PAGE * PAGE);
        NavigableMap<Long, byte[]> listed = used.tailMap(from, true);
        if (range != null) {
            listed = listed.headMap(range.end, false);
        }
        int max = Math.min(MAX_LISTED, MemoryStorage.number(request, "maxresults", MAX_LISTED));
        StringBuilder xml = new StringBuilder("<PageList>");
        int count = 0;
        Long next = listed.isEmpty() ? null : listed.firstKey();
        while (next != null && count++ < max) {
            long end = next + PAGE;
            while (listed.containsKey(end)) {
                end += PAGE;
            }
            xml.append("<PageRange>")
                    .append(XmlDocument.element("Start", Long.toString(next)))
                    .append(XmlDocument.element("End", Long.toString(end - 1)))
                    .append("</PageRange>");
            next = listed.ceilingKey(end);
        }
        xml.append(next == null ? "" : XmlDocument.element("NextMarker", Long.toString(next)))
                .append("</PageList>");
        return MemoryResponse.xml(200, xml.toString()).header(SIZE, Long.toString(size));
    }

    static RefusedOperation outOfRange() {
        return new RefusedOperation(
                416, "InvalidRange", "The range specified is invalid for the current size of the resource.");
    }

    /**
     * Returns a part of the content, zeros where no page is in use.
     *
     * @param end the first byte behind it
     */
    byte[] part(long from, long end) {
        byte[] part = new byte[Math.toIntExact(end - from)];
        for (Map.Entry<Long, byte[]> page :
                used.subMap(from / PAGE * PAGE, true, end, false).entrySet()) {
            long begin = Math.max(from, page.getKey());
            int length = (int) (Math.min(end, page.getKey() + PAGE) - begin);
            System.arraycopy(page.getValue(), (int) (begin - page.getKey()), part, (int) (begin - from), length);
        }
        return part;
    }

    /** Changes the size and the sequence number; returns whether the request names one of them. */
    boolean change(StorageRequest request) {
        boolean resizes = request.header(SIZE) != null;
        long resized = resizes ? size(request) : size;
        String action = request.header(ACTION);
        long numbered = action == null ? number : numbered(action.toLowerCase(Locale.ROOT), request);
        size = resized;
        number = numbered;
        used.tailMap(size, true).clear();
        return resizes || action != null;
    }

    private long numbered(String action, StorageRequest request) {
        if (action.equals("increment")) {
            if (request.header(NUMBER) != null) {
                throw invalid(NUMBER, required(request, NUMBER));
            }
            return number + 1;
        }
        long given = number(NUMBER, required(request, NUMBER));
        return switch (action) {
            case "update" -> given;
            case "max" -> Math.max(number, given);
            default -> throw invalid(ACTION, action);
        };
    }
}
