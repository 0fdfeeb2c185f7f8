package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;

/** Check of the stored access policies of a table, queue or container. */
public final class AccessPolicyCheck implements StrictCheck {

    private static final int MAX_POLICIES = 5;
    private static final int MAX_ID = 64;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT") && request.has("comp", "acl")) {
            XmlDocument body = XmlDocument.read(request.body());
            long policies = body.count("SignedIdentifier");
            if (policies > MAX_POLICIES) {
                rules.refuse(
                        StrictRule.ACCESS_POLICIES,
                        "No more than " + MAX_POLICIES + " access policies may be set: " + policies);
            }
            body.elements().stream()
                    .filter(element ->
                            element.name().equals("Id") && element.text().length() > MAX_ID)
                    .forEach(id -> rules.refuse(
                            StrictRule.ACCESS_POLICY_ID,
                            "The identifier of an access policy has at most " + MAX_ID + " characters, not "
                                    + id.text().length()));
        }
    }
}
