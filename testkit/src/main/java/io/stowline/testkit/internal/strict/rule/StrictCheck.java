package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.internal.wire.StorageRequest;

/** The rules of one theme. */
@FunctionalInterface
public interface StrictCheck {

    /** Refuses the call by {@link Rulebook#refuse}, or returns. */
    void check(StorageRequest request, Rulebook rules);
}
