package io.stowline.projection;

/** Booleans, from JSON booleans only. */
final class BooleanSlot extends Slot {

    BooleanSlot(Target target) {
        super(target);
    }

    @Override
    void bool(Row row, boolean value) {
        if (primitive()) {
            row.putPrimitive(position(), value ? 1 : 0);
        } else {
            row.put(position(), value);
        }
    }
}
