package io.stowline.table.simulation;

import java.util.function.Supplier;

/** Bytes that break a rule of the service. */
final class Malformed extends Exception {

    private static final long serialVersionUID = 1L;

    Malformed(String what) {
        super(what);
    }

    static void unless(boolean holds, String what) throws Malformed {
        if (!holds) {
            throw new Malformed(what);
        }
    }

    static void unless(boolean holds, Supplier<String> what) throws Malformed {
        if (!holds) {
            throw new Malformed(what.get());
        }
    }
}
