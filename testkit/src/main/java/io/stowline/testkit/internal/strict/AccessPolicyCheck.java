package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;

/** The stored access policies of a table, queue or container. */
final class AccessPolicyCheck implements StrictCheck {

    private static final int MOST_POLICIES = 5;

    @Override
    public void check(StrictRequest call, Rulebook rules) {
        if (call.method().equals("PUT") && call.query().getOrDefault("comp", "").equals("acl")) {
            ElementCount policies = ElementCount.of(call.body(), "SignedIdentifier");
            if (policies.number() > MOST_POLICIES) {
                rules.refuse(
                        StrictRule.ACCESS_POLICIES,
                        "No more than " + MOST_POLICIES + " access policies may be set: " + policies.number());
            }
        }
    }
}
