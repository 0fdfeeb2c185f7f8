package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;

/** Check of the stored access policies of a table, queue or container. */
public final class AccessPolicyCheck implements StrictCheck {

    private static final int MAX_POLICIES = 5;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT") && request.has("comp", "acl")) {
            long policies = XmlDocument.read(request.body()).count("SignedIdentifier");
            if (policies > MAX_POLICIES) {
                rules.refuse(
                        StrictRule.ACCESS_POLICIES,
                        "No more than " + MAX_POLICIES + " access policies may be set: " + policies);
            }
        }
    }
}
