package io.stowline.projection.internal.read;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values of one record while it is read, each at the position of its component. Not safe for use by many threads. */
public final class ComponentRow {

    public final @Nullable Object[] references;
    /** Integers as they are, doubles as their bits, booleans as 0 and 1. */
    final long[] primitives;

    final boolean[] present;

    public ComponentRow(int components) {
        references = new Object[components];
        primitives = new long[components];
        present = new boolean[components];
    }

    public void put(int position, @Nullable Object value) {
        references[position] = value;
    }

    void putPrimitive(int position, long bits) {
        primitives[position] = bits;
        present[position] = true;
    }

    void remove(int position) {
        references[position] = null;
        present[position] = false;
    }

    public void clear() {
        Arrays.fill(references, null);
        Arrays.fill(present, false);
    }
}
