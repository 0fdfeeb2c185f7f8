package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.TableAddress;
import java.util.Set;

/** One operation on an entity, alone or in a transaction. */
public final class EntityCheck implements StrictCheck {

    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "MERGE", "PATCH");

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        TableAddress address = request.address();
        if (!address.isTables() && !address.isBatch() && !request.query().containsKey("comp")) {
            StrictKeyRules.checkAddress(address, rules);
            if (address.isEntity()) {
                checkConditions(request, rules);
            }
            if (WITH_BODY.contains(request.method())) {
                request.entity()
                        .ifPresent(entity ->
                                EntityRules.check(entity, request.method().equals("POST"), rules));
            }
        }
    }

    private static void checkConditions(StorageRequest request, Rulebook rules) {
        boolean match = request.header("If-Match") != null;
        boolean noneMatch = request.header("If-None-Match") != null;
        if (match && noneMatch) {
            rules.refuse(
                    StrictRule.BOTH_ETAG_CONDITIONS,
                    "Both If-Match and If-None-Match HTTP headers cannot be specified at the same time.");
        }
        if (noneMatch && !request.isRead()) {
            rules.refuse(
                    StrictRule.WRITE_IF_NONE_MATCH,
                    "If-None-Match HTTP header cannot be specified for " + request.method() + " operations.");
        }
        if (!match && request.method().equals("DELETE")) {
            rules.refuse(
                    StrictRule.DELETE_WITHOUT_IF_MATCH,
                    "If-Match HTTP header must be specified for DELETE operations.");
        }
    }
}
