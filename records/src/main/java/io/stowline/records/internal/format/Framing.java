package io.stowline.records.internal.format;

import java.io.IOException;

/** The rule by which the bytes of records follow one another. */
enum Framing {

    /** Each record ends with a line feed, which no record has inside. */
    LINES {
        @Override
        int end(byte[] bytes, int from, int to) {
            return ByteScan.indexOf(bytes, from, to, LINE_FEED) + 1;
        }

        @Override
        int contentFrom(byte[] bytes, int from) {
            return from;
        }

        @Override
        int contentTo(int end) {
            return end - 1;
        }

        @Override
        byte[] frame(byte[] content) {
            byte[] framed = new byte[content.length + 1];
            System.arraycopy(content, 0, framed, 0, content.length);
            framed[content.length] = LINE_FEED;
            return framed;
        }

        @Override
        int boundary(byte[] records, int from, int least) {
            int sought = from + least - 1;
            int end = sought < records.length ? end(records, sought, records.length) : 0;
            return end > 0 ? end : records.length;
        }
    },

    /** Before each record stands its length, in groups of seven bits, the lowest first, as Protocol Buffers delimit messages. */
    LENGTHS {
        @Override
        int end(byte[] bytes, int from, int to) throws IOException {
            long length = 0;
            for (int i = 0; i < MAX_GROUPS && from + i < to; i++) {
                byte group = bytes[from + i];
                length |= (long) (group & 0x7F) << (7 * i);
                if (group >= 0) {
                    if (length > MAX_RECORD) {
                        throw new IOException("a record begins with a length of " + length + " bytes, more than "
                                + MAX_RECORD + ": these are not length-delimited records");
                    }
                    long end = from + i + 1 + length;
                    return end <= to ? (int) end : 0;
                }
                if (i == MAX_GROUPS - 1) {
                    throw new IOException(
                            "a length has more than " + MAX_GROUPS + " bytes: these are not length-delimited records");
                }
            }
            return 0;
        }

        @Override
        int contentFrom(byte[] bytes, int from) {
            int i = from;
            while (bytes[i] < 0) {
                i++;
            }
            return i + 1;
        }

        @Override
        int contentTo(int end) {
            return end;
        }

        @Override
        byte[] frame(byte[] content) {
            int groups = 1;
            for (int rest = content.length >>> 7; rest != 0; rest >>>= 7) {
                groups++;
            }
            byte[] framed = new byte[groups + content.length];
            int rest = content.length;
            for (int i = 0; i < groups; i++, rest >>>= 7) {
                framed[i] = (byte) (i < groups - 1 ? (rest & 0x7F) | 0x80 : rest);
            }
            System.arraycopy(content, 0, framed, groups, content.length);
            return framed;
        }

        @Override
        int boundary(byte[] records, int from, int least) throws IOException {
            int at = from;
            while (at - from < least && at < records.length) {
                int end = end(records, at, records.length);
                at = end > 0 ? end : records.length;
            }
            return at;
        }
    };

    /** The longest record that is read: what is longer comes from no writer of the library. */
    static final int MAX_RECORD = 64 << 20;

    private static final byte LINE_FEED = '\n';
    private static final int MAX_GROUPS = 5;

    /**
     * Returns the end of the record that begins at an index, or 0 if it is not all there.
     *
     * @throws IOException if no record begins so
     */
    abstract int end(byte[] bytes, int from, int to) throws IOException;

    /** Returns where the content of the record that begins at an index begins. */
    abstract int contentFrom(byte[] bytes, int from);

    /** Returns where the content of the record with that end ends. */
    abstract int contentTo(int end);

    /** Returns a record's content with all that separates it from the next one. */
    abstract byte[] frame(byte[] content);

    /** Returns the first end of a record that is at least so many bytes behind an index, or the end of all. */
    abstract int boundary(byte[] records, int from, int least) throws IOException;
}
