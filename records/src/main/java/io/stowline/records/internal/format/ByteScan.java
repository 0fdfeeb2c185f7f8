package io.stowline.records.internal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A search for a byte, eight bytes at a time. Stateless. */
final class ByteScan {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private ByteScan() {}

    /** Returns the index of the first such byte, or -1. */
    static int indexOf(byte[] bytes, int from, int to, byte sought) {
        long pattern = (sought & 0xFF) * ONES;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long differing = (long) LONGS.get(bytes, i) ^ pattern;
            long equal = (differing - ONES) & ~differing & HIGHS;
            if (equal != 0) {
                return i + (Long.numberOfTrailingZeros(equal) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == sought) {
                return i;
            }
        }
        return -1;
    }
}
