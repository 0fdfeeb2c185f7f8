package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.request.ElementCount;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;

/** The stored access policies of a table, queue or container. */
public final class AccessPolicyCheck implements StrictCheck {

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
