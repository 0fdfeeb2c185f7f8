package io.stowline.projection;

import java.math.BigDecimal;

/** Decimals, from the text in which they are stored, and from numbers: a double by its shortest digits. */
final class BigDecimalSlot extends Slot {

    BigDecimalSlot(Target target) {
        super(target);
    }

    @Override
    void text(Row row, String value) {
        // Reading digits takes time that grows with their square; a property never holds more.
        if (value.length() > PropertyLimits.MAX_STRING_CHARS) {
            throw refused(value.length() + " characters", null);
        }
        try {
            row.put(position(), new BigDecimal(value));
        } catch (NumberFormatException e) {
            throw refused(value, e);
        }
    }

    @Override
    void integer(Row row, long value) {
        row.put(position(), BigDecimal.valueOf(value));
    }

    @Override
    void floating(Row row, double value) {
        row.put(position(), BigDecimal.valueOf(value));
    }
}
