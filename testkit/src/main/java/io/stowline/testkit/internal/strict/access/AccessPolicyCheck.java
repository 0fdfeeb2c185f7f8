package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.request.ElementCount;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;

/** The stored access policies of a table, queue or container. */
public final class AccessPolicyCheck implements StrictCheck {

    private static final int MAX_POLICIES = 5;

    @Override
    public void check(StrictRequest request, Rulebook rules) {
        if (request.method().equals("PUT")
                && request.query().getOrDefault("comp", "").equals("acl")) {
            ElementCount policies = ElementCount.of(request.body(), "SignedIdentifier");
            if (policies.number() > MAX_POLICIES) {
                rules.refuse(
                        StrictRule.ACCESS_POLICIES,
                        "No more than " + MAX_POLICIES + " access policies may be set: " + policies.number());
            }
        }
    }
}
