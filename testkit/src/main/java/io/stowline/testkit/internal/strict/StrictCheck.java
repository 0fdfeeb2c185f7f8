package io.stowline.testkit.internal.strict;

/** The rules of one theme. */
@FunctionalInterface
interface StrictCheck {

    /** Refuses the call by {@link Rulebook#refuse}, or returns. */
    void check(StrictRequest call, Rulebook rules);
}
