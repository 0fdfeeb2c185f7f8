package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Set;

/** The method that a POST to the table service may stand for. */
public final class MethodCheck implements StrictCheck {

    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "MERGE", "PATCH", "DELETE", "HEAD");

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.header("X-HTTP-Method") != null) {
            if (!request.sentMethod().equals("POST")) {
                rules.refuse(
                        StrictRule.X_METHOD_WITHOUT_POST,
                        "The request uses X-HTTP-Method with an HTTP verb other than POST.");
            }
            if (!METHODS.contains(request.method())) {
                rules.refuse(StrictRule.X_METHOD_VALUE, "The specified X-HTTP-Method is invalid.");
            }
        }
    }
}
