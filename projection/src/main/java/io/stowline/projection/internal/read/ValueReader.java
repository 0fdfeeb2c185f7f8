package io.stowline.projection.internal.read;

import io.stowline.projection.PropertyConversionException;
import org.jspecify.annotations.Nullable;

/** A reader that turns the JSON values of one property into the Java type of its component. Immutable. */
public abstract class ValueReader {

    private final ReadTarget target;

    ValueReader(ReadTarget target) {
        this.target = target;
    }

    /**
     * The destination of a slot's values.
     *
     * @param property the property's name
     * @param position the place in the row
     * @param wanted the component in words
     * @param primitive whether its values are kept as bits
     * @param absence what becomes of it without a value
     */
    public record ReadTarget(String property, int position, String wanted, boolean primitive, MissingValue absence) {}

    public void text(ComponentRow row, String value) {
        throw refused(value, null);
    }

    public void integer(ComponentRow row, long value) {
        throw refused(Long.toString(value), null);
    }

    /** Reads a stored {@code Edm.Int64}, every digit of which counts. */
    void int64(ComponentRow row, long value) {
        integer(row, value);
    }

    public void floating(ComponentRow row, double value) {
        throw refused(Double.toString(value), null);
    }

    public void bool(ComponentRow row, boolean value) {
        throw refused(Boolean.toString(value), null);
    }

    public final void absent(ComponentRow row) {
        row.remove(position());
    }

    final boolean present(ComponentRow row) {
        return primitive() ? row.present[position()] : row.references[position()] != null;
    }

    final void complete(ComponentRow row) {
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
