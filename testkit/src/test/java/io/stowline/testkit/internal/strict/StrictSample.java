package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;

/** A request that breaks a rule, and one just inside it. */
record StrictSample(StrictRule rule, StrictProbe breaks, StrictProbe passes) {

    @Override
    public String toString() {
        return rule.name();
    }
}
