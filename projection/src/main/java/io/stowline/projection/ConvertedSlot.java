package io.stowline.projection;

/** Reads values by the slot of the stored type, and hands them to a converter. */
final class ConvertedSlot extends Slot {

    private final Conversion conversion;
    private final Slot stored;

    /** The slot of the stored type keeps its values as references, at the same position. */
    ConvertedSlot(Target target, Conversion conversion, Slot stored) {
        super(target);
        this.conversion = conversion;
        this.stored = stored;
    }

    @Override
    void text(Row row, String value) {
        stored.text(row, value);
        restore(row, value);
    }

    @Override
    void integer(Row row, long value) {
        stored.integer(row, value);
        restore(row, value);
    }

    @Override
    void floating(Row row, double value) {
        stored.floating(row, value);
        restore(row, value);
    }

    @Override
    void bool(Row row, boolean value) {
        stored.bool(row, value);
        restore(row, value);
    }

    private void restore(Row row, Object sent) {
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
