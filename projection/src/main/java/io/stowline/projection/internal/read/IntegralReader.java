package io.stowline.projection.internal.read;

import java.util.function.LongFunction;

/** Integers of every width, from JSON numbers and from the text in which {@code Edm.Int64} travels. */
final class IntegralReader extends ValueReader {

    private static final double TWO_TO_63 = 0x1p63;

    private final long min;
    private final long max;
    private final LongFunction<Object> boxing;

    IntegralReader(Target target, long min, long max, LongFunction<Object> boxing) {
        super(target);
        this.min = min;
        this.max = max;
        this.boxing = boxing;
    }

    @Override
    public void integer(ComponentRow row, long value) {
        if (value < min || value > max) {
            throw refused(Long.toString(value), null);
        }
        if (primitive()) {
            row.putPrimitive(position(), value);
        } else {
            row.put(position(), boxing.apply(value));
        }
    }

    /** A whole number may come with a fraction of zero; the cast saturates, so 2^63 is kept out by itself. */
    @Override
    public void floating(ComponentRow row, double value) {
        long whole = (long) value;
        if (whole != value || value == TWO_TO_63) {
            throw refused(Double.toString(value), null);
        }
        integer(row, whole);
    }

    @Override
    public void text(ComponentRow row, String value) {
        long parsed;
        try {
            parsed = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw refused(value, e);
        }
        integer(row, parsed);
    }
}
