package io.stowline.projection.internal.read;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.projection.internal.edm.TextParsers;
import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.Conversion;
import io.stowline.projection.internal.type.StoredForm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.LongFunction;

/** A factory of the slots that read values of a type. */
public final class ValueReaders {

    private ValueReaders() {}

    public static ValueReader of(StoredForm form, ValueReader.ReadTarget target) {
        Conversion conversion = form.conversion();
        return conversion == null
                ? of(form.valueType(), form.javaType(), target)
                : new ConvertedReader(target, conversion, of(form.valueType(), conversion.storedType(), target));
    }

    private static ValueReader of(ValueType type, Class<?> javaType, ValueReader.ReadTarget target) {
        return switch (type) {
            case STRING -> new TextReader(target, text -> text);
            case BOOLEAN -> new BooleanReader(target);
            case BYTE -> new IntegralReader(target, Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
            case SHORT -> new IntegralReader(target, Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
            case INT -> new IntegralReader(target, Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
            case LONG -> new IntegralReader(target, Long.MIN_VALUE, Long.MAX_VALUE, value -> value);
            case FLOAT -> new FloatingReader(target, true, value -> (float) value);
            case DOUBLE -> new FloatingReader(target, false, value -> value);
            case INSTANT -> new TextReader(target, EdmDateTime::parse);
            case OFFSET_DATE_TIME -> new TextReader(target, TextParsers::offsetDateTime);
            case GUID -> new TextReader(target, TextParsers::guid);
            case BYTES -> new TextReader(target, Base64.getDecoder()::decode);
            case DURATION -> new TextReader(target, TextParsers::duration);
            case LOCAL_DATE -> new TextReader(target, TextParsers::localDate);
            case BIG_DECIMAL -> new BigDecimalReader(target);
            case BIG_INTEGER -> new BigIntegerReader(target);
            case ENUM -> new TextReader(target, TextParsers.enumConstants(javaType));
        };
    }

    /** Numbers of any length, from the text in which they are stored. */
    private abstract static class DigitsReader extends ValueReader {

        private final Function<String, Number> parser;

        DigitsReader(ReadTarget target, Function<String, Number> parser) {
            super(target);
            this.parser = parser;
        }

        @Override
        public final void text(ComponentRow row, String value) {
            // Reading digits takes time that grows with their square; a property never holds more.
            if (value.length() > PropertyLimits.MAX_STRING_CHARS) {
                throw refused(value.length() + " characters", null);
            }
            try {
                row.put(position(), parser.apply(value));
            } catch (NumberFormatException e) {
                throw refused(value, e);
            }
        }
    }

    /** Decimals, from the text in which they are stored, and from numbers: a double by its shortest digits. */
    private static final class BigDecimalReader extends DigitsReader {

        BigDecimalReader(ReadTarget target) {
            super(target, BigDecimal::new);
        }

        @Override
        public void integer(ComponentRow row, long value) {
            row.put(position(), BigDecimal.valueOf(value));
        }

        @Override
        public void floating(ComponentRow row, double value) {
            row.put(position(), BigDecimal.valueOf(value));
        }
    }

    /** Integers without bounds, from the text in which they are stored, and from whole numbers. */
    private static final class BigIntegerReader extends DigitsReader {

        BigIntegerReader(ReadTarget target) {
            super(target, BigInteger::new);
        }

        @Override
        public void integer(ComponentRow row, long value) {
            row.put(position(), BigInteger.valueOf(value));
        }
    }

    /** Booleans, from JSON booleans only. */
    private static final class BooleanReader extends ValueReader {

        BooleanReader(ReadTarget target) {
            super(target);
        }

        @Override
        public void bool(ComponentRow row, boolean value) {
            if (primitive()) {
                row.putPrimitive(position(), value ? 1 : 0);
            } else {
                row.put(position(), value);
            }
        }
    }

    /** Every type that travels as text: strings, times, UUIDs, bytes, enums and durations. */
    private static final class TextReader extends ValueReader {

        private final Function<String, ?> parser;

        /** The parser throws {@code IllegalArgumentException} or {@code DateTimeException} for text that it cannot read. */
        TextReader(ReadTarget target, Function<String, ?> parser) {
            super(target);
            this.parser = parser;
        }

        @Override
        public void text(ComponentRow row, String value) {
            Object parsed;
            try {
                parsed = parser.apply(value);
            } catch (IllegalArgumentException | DateTimeException e) {
                throw refused(value, e);
            }
            row.put(position(), parsed);
        }
    }

    /** Integers of every width, from JSON numbers and from the text in which {@code Edm.Int64} travels. */
    private static final class IntegralReader extends ValueReader {

        private static final double TWO_TO_63 = 0x1p63;

        private final long min;
        private final long max;
        private final LongFunction<Object> boxing;

        IntegralReader(ReadTarget target, long min, long max, LongFunction<Object> boxing) {
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

        /**
         * Reads a whole number with a fraction of zero, too. The cast saturates, so the check refuses 2^63 separately.
         */
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

    /**
     * Doubles and floats, from JSON numbers with and without a fraction, and from text in the forms of {@link TextParsers#floating}.
     *
     * <p>A JSON integer becomes the nearest double: a double of 2^60 is written by some clients as 1152921504606847000.
     */
    private static final class FloatingReader extends ValueReader {

        private static final double TWO_TO_63 = 0x1p63;

        private final boolean single;
        private final DoubleFunction<Object> boxing;

        FloatingReader(ReadTarget target, boolean single, DoubleFunction<Object> boxing) {
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

        /**
         * Reads a whole number that the floating type holds exactly. The cast back saturates, so the check refuses 2^63
         * separately.
         */
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
            double parsed;
            try {
                parsed = TextParsers.floating(value);
            } catch (IllegalArgumentException e) {
                throw refused(value, e);
            }
            floating(row, parsed);
        }
    }

    /** A reader that reads values by the slot of the stored type, and hands them to a converter. */
    private static final class ConvertedReader extends ValueReader {

        private final Conversion conversion;
        private final ValueReader stored;

        /** The slot of the stored type keeps its values as references, at the same position. */
        ConvertedReader(ReadTarget target, Conversion conversion, ValueReader stored) {
            super(target);
            this.conversion = conversion;
            this.stored = stored;
        }

        @Override
        public void text(ComponentRow row, String value) {
            stored.text(row, value);
            restore(row, value);
        }

        @Override
        public void integer(ComponentRow row, long value) {
            stored.integer(row, value);
            restore(row, value);
        }

        @Override
        public void floating(ComponentRow row, double value) {
            stored.floating(row, value);
            restore(row, value);
        }

        @Override
        public void bool(ComponentRow row, boolean value) {
            stored.bool(row, value);
            restore(row, value);
        }

        private void restore(ComponentRow row, Object sent) {
            Object value = row.references[position()];
            if (value == null) {
                return;
            }
            try {
                row.put(position(), conversion.restore(value));
            } catch (RuntimeException e) {
                throw refused(sent.toString(), e);
            }
        }
    }
}
