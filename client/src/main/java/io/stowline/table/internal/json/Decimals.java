package io.stowline.table.internal.json;

/**
 * A codec that writes and reads floating point numbers. Those of few digits, which most are, go without the general algorithm: up to 15 digits and
 * powers of ten up to 22 are exact as doubles, so that one correctly rounded operation (IEEE 754) gives the nearest double; and no two
 * decimal numbers of up to 15 digits have the same nearest double, so that one of them is also the shortest.
 */
public final class Decimals {

    /** The most digits of a number that certainly fits in a long. */
    static final int MAX_DIGITS = 18;

    private static final int MAX_EXACT_DIGITS = 15;
    private static final long MAX = 999_999_999_999_999L;
    private static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };
    private static final int MAX_PLACES = 6;

    private Decimals() {}

    /** Returns whether {@link #of} can make a number of so many digits, times ten to that exponent. */
    static boolean known(int count, int exponent) {
        return count <= MAX_DIGITS && Math.abs(exponent) <= LongDecimals.MAX_EXPONENT;
    }

    /**
     * Returns the double that is nearest to digits times ten to the exponent.
     *
     * @param count the number of digits
     */
    static double of(boolean negative, long digits, int count, int exponent) {
        double size;
        if (count > MAX_EXACT_DIGITS || Math.abs(exponent) >= POWERS.length) {
            size = LongDecimals.nearest(digits, exponent);
        } else {
            size = exponent < 0 ? digits / POWERS[-exponent] : digits * POWERS[exponent];
        }
        return negative ? -size : size;
    }

    /** Writes a finite number in the form of {@code Double.toString}. */
    public static void write(double value, ByteBuilder out) {
        double size = Math.abs(value);
        if (size >= 1e-3 && size < 1e7) {
            for (int places = 1; places <= MAX_PLACES; places++) {
                long digits = Math.round(size * POWERS[places]);
                if (digits <= MAX && digits / POWERS[places] == size) {
                    if (value < 0) {
                        out.one('-');
                    }
                    write(digits, (long) POWERS[places], out);
                    return;
                }
            }
        }
        out.ascii(Double.toString(value));
    }

    private static void write(long digits, long unit, ByteBuilder out) {
        out.number(digits / unit).one('.');
        long rest = digits % unit;
        for (long place = unit / 10; place > 0; place /= 10) {
            out.one((char) ('0' + rest / place % 10));
        }
    }
}
