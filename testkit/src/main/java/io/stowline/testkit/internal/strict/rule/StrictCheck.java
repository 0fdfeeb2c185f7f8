package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.internal.strict.request.StrictRequest;

/** The rules of one theme. */
@FunctionalInterface
public interface StrictCheck {

    /** Refuses the call by {@link Rulebook#refuse}, or returns. */
    void check(StrictRequest request, Rulebook rules);
}
