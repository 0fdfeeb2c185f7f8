package io.stowline.projection.internal.read;

import io.stowline.projection.internal.type.Conversion;

/** Reads values by the slot of the stored type, and hands them to a converter. */
final class ConvertedReader extends ValueReader {

    private final Conversion conversion;
    private final ValueReader stored;

    /** The slot of the stored type keeps its values as references, at the same position. */
    ConvertedReader(Target target, Conversion conversion, ValueReader stored) {
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
