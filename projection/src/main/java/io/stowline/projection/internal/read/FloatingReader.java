package io.stowline.projection.internal.read;

import java.util.function.DoubleFunction;

/**
 * Doubles and floats, from JSON numbers with and without a fraction, and from the three texts that are no JSON numbers.
 *
 * <p>A JSON integer becomes the nearest double: a double of 2^60 is written by some clients as 1152921504606847000.
 */
final class FloatingReader extends ValueReader {

    private static final double TWO_TO_63 = 0x1p63;

    private final boolean single;
    private final DoubleFunction<Object> boxing;

    FloatingReader(Target target, boolean single, DoubleFunction<Object> boxing) {
        super(target);
        this.single = single;
        this.boxing = boxing;
    }

    @Override
    public void floating(ComponentRow row, double value) {
        if (single && Double.compare((float) value, value) != 0) {
            throw refused(Double.toString(value), null);
        }
        if (primitive()) {
            row.putPrimitive(position(), Double.doubleToLongBits(value));
        } else {
            row.put(position(), boxing.apply(value));
        }
    }

    @Override
    public void integer(ComponentRow row, long value) {
        floating(row, (double) value);
    }

    /** The cast back saturates, so 2^63 is kept out by itself. */
    @Override
    void int64(ComponentRow row, long value) {
        double nearest = single ? (float) value : (double) value;
        if ((long) nearest != value || nearest == TWO_TO_63) {
            throw refused(Long.toString(value), null);
        }
        floating(row, nearest);
    }

    @Override
    public void text(ComponentRow row, String value) {
        switch (value) {
            case "NaN" -> floating(row, Double.NaN);
            case "Infinity" -> floating(row, Double.POSITIVE_INFINITY);
            case "-Infinity" -> floating(row, Double.NEGATIVE_INFINITY);
            default -> throw refused(value, null);
        }
    }
}
