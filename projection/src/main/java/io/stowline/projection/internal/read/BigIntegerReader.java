package io.stowline.projection.internal.read;

import io.stowline.projection.internal.edm.PropertyLimits;
import java.math.BigInteger;

/** Integers without bounds, from the text in which they are stored, and from whole numbers. */
final class BigIntegerReader extends ValueReader {

    BigIntegerReader(Target target) {
        super(target);
    }

    @Override
    public void text(ComponentRow row, String value) {
        // Reading digits takes time that grows with their square; a property never holds more.
        if (value.length() > PropertyLimits.MAX_STRING_CHARS) {
            throw refused(value.length() + " characters", null);
        }
        try {
            row.put(position(), new BigInteger(value));
        } catch (NumberFormatException e) {
            throw refused(value, e);
        }
    }

    @Override
    public void integer(ComponentRow row, long value) {
        row.put(position(), BigInteger.valueOf(value));
    }
}
