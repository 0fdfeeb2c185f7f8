package io.stowline.table.internal.json;

import java.math.BigInteger;

/**
 * The nearest doubles of decimal numbers with more digits than a double holds exactly, by the algorithm of Eisel and Lemire ("Number parsing at a
 * gigabyte per second", 2021). The digits are multiplied by a power of five of 64 bits, and by 64 more bits where the first product does not
 * decide the rounding. For exponents of this size that is always exact enough, so that no general algorithm follows.
 */
final class LongDecimals {

    /** The largest power of five in 64 bits has this exponent. */
    static final int MAX_EXPONENT = 27;

    private static final int POWER_BITS = 128;
    private static final int FRACTION_BITS = 52;
    /** The bits of a product below the fraction and its rounding. */
    private static final int REST_BITS = Long.SIZE - FRACTION_BITS - 3;

    private static final long REST = (1L << REST_BITS) - 1;
    private static final long HIDDEN_BIT = 1L << FRACTION_BITS;

    /** Halves of an odd last bit, which are rounded to even, have exponents of ten between these. */
    private static final int MIN_HALF = -4;

    private static final int MAX_HALF = 23;

    /** Powers of five, shifted so that the highest bit of 128 is set. */
    private static final long[] HIGH = new long[2 * MAX_EXPONENT + 1];

    private static final long[] LOW = new long[2 * MAX_EXPONENT + 1];

    static {
        for (int exponent = -MAX_EXPONENT; exponent <= MAX_EXPONENT; exponent++) {
            BigInteger power = BigInteger.valueOf(5).pow(Math.abs(exponent));
            BigInteger bits = exponent < 0
                    ? BigInteger.ONE
                            .shiftLeft(power.bitLength() + POWER_BITS - 1)
                            .divide(power)
                            .add(BigInteger.ONE)
                    : power.shiftLeft(POWER_BITS - power.bitLength());
            HIGH[exponent + MAX_EXPONENT] = bits.shiftRight(Long.SIZE).longValue();
            LOW[exponent + MAX_EXPONENT] = bits.longValue();
        }
    }

    private LongDecimals() {}

    /** Returns the double that is nearest to digits, which are not negative, times ten to an exponent. */
    static double nearest(long digits, int exponent) {
        if (digits == 0) {
            return 0;
        }
        int shift = Long.numberOfLeadingZeros(digits);
        long factor = digits << shift;
        long power = HIGH[exponent + MAX_EXPONENT];
        long high = multiplyHigh(factor, power);
        long low = factor * power;
        if ((high & REST) == REST) {
            long more = multiplyHigh(factor, LOW[exponent + MAX_EXPONENT]);
            low += more;
            high += Long.compareUnsigned(low, more) < 0 ? 1 : 0;
        }
        int top = (int) (high >>> (Long.SIZE - 1));
        long fraction = high >>> (top + REST_BITS);
        boolean half = low >= 0 && low <= 1 && exponent >= MIN_HALF && exponent <= MAX_HALF;
        if (half && (fraction & 3) == 1 && fraction << (top + REST_BITS) == high) {
            fraction--;
        }
        fraction = (fraction + (fraction & 1)) >>> 1;
        int binary = binaryExponent(exponent) + top - shift;
        return Double.longBitsToDouble(
                ((long) (binary + Double.MAX_EXPONENT) << FRACTION_BITS) + (fraction - HIDDEN_BIT));
    }

    /** Returns the exponent of two of the highest bit of a product: that of ten, times the binary logarithm of ten. */
    private static int binaryExponent(int exponent) {
        return ((217_706 * exponent) >> 16) + Long.SIZE - 1;
    }

    /** Unsigned, of two factors with the highest bit set: Java 17 multiplies signed ones. */
    private static long multiplyHigh(long x, long y) {
        return Math.multiplyHigh(x, y) + ((x >> (Long.SIZE - 1)) & y) + ((y >> (Long.SIZE - 1)) & x);
    }
}
