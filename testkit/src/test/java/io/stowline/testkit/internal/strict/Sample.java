package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;

/** A request that breaks a rule, and one just inside it. */
record Sample(StrictRule rule, Probe breaks, Probe passes) {

    @Override
    public String toString() {
        return rule.name();
    }
}
