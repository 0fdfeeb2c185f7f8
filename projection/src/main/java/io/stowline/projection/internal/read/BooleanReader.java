package io.stowline.projection.internal.read;

/** Booleans, from JSON booleans only. */
final class BooleanReader extends ValueReader {

    BooleanReader(Target target) {
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
