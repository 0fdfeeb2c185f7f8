package io.stowline.projection;

import org.jspecify.annotations.Nullable;

/** Turns the JSON values of one property into the Java type of its component. Immutable. */
abstract class Slot {

    private final Target target;

    Slot(Target target) {
        this.target = target;
    }

    /**
     * Where a slot's values go.
     *
     * @param property the property's name
     * @param position the place in the row
     * @param wanted the component in words
     * @param primitive whether its values are kept as bits
     * @param absence what becomes of it without a value
     */
    record Target(String property, int position, String wanted, boolean primitive, Absence absence) {}

    void text(Row row, String value) {
        throw refused(value, null);
    }

    void integer(Row row, long value) {
        throw refused(Long.toString(value), null);
    }

    /** A stored {@code Edm.Int64}, every digit of which counts. */
    void int64(Row row, long value) {
        integer(row, value);
    }

    void floating(Row row, double value) {
        throw refused(Double.toString(value), null);
    }

    void bool(Row row, boolean value) {
        throw refused(Boolean.toString(value), null);
    }

    final void absent(Row row) {
        row.remove(position());
    }

    final boolean present(Row row) {
        return primitive() ? row.present[position()] : row.references[position()] != null;
    }

    final void complete(Row row) {
        if (!present(row)) {
            target.absence.fill(row, position());
        }
    }

    final boolean primitive() {
        return target.primitive;
    }

    final int position() {
        return target.position;
    }

    final PropertyConversionException refused(String value, @Nullable Throwable cause) {
        return new PropertyConversionException(target.property, value, target.wanted, cause);
    }
}
