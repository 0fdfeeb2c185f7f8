package io.stowline.projection;

import org.jspecify.annotations.Nullable;

/** Turns the JSON values of one property into the Java type of its component. Immutable. */
abstract class Slot {

    private final String property;
    private final int position;
    private final String wanted;
    private final boolean required;

    Slot(Target target) {
        property = target.property();
        position = target.position();
        wanted = target.wanted();
        required = target.primitive();
    }

    /** Where a slot's values go. */
    record Target(String property, int position, String wanted, boolean primitive) {}

    void text(Row row, String value) {
        throw refused(value, null);
    }

    void integer(Row row, long value) {
        throw refused(Long.toString(value), null);
    }

    void floating(Row row, double value) {
        throw refused(Double.toString(value), null);
    }

    void bool(Row row, boolean value) {
        throw refused(Boolean.toString(value), null);
    }

    final void absent(Row row) {
        row.remove(position);
    }

    final void requirePresent(Row row) {
        if (required && !row.present[position]) {
            throw PropertyConversionException.missing(property, wanted);
        }
    }

    final boolean primitive() {
        return required;
    }

    final int position() {
        return position;
    }

    final PropertyConversionException refused(String value, @Nullable Throwable cause) {
        return new PropertyConversionException(property, value, wanted, cause);
    }
}
