package io.stowline.testkit.internal.strict;

/** The rules of one theme. */
@FunctionalInterface
interface Check {

    /** Refuses the call by {@link Rulebook#refuse}, or returns. */
    void check(Call call, Rulebook rules);
}
