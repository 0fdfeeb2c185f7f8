package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.EntityKeys;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Map;

/** Shared access signatures: the range of addresses, the range of keys, and the permissions that a write of an entity needs. */
public final class SasCheck implements StrictCheck {

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (isSas(request)) {
            checkAddress(request.query().getOrDefault("sip", ""), rules);
            if (request.service() == StorageService.TABLE && !request.query().containsKey("comp")) {
                checkOperation(request, request, rules);
            }
        }
    }

    /** Refuses a batch whose signature lacks the permission that one of its operations needs. */
    public static void checkBatch(StorageRequest batch, StorageRequest operation, Rulebook rules) {
        String granted = batch.query().get("sp");
        String needed = needed(operation);
        if (isSas(batch) && granted != null && needed.chars().noneMatch(c -> granted.indexOf(c) >= 0)) {
            rules.refuse(StrictRule.SAS_BATCH, permission(needed));
        }
    }

    /** Refuses a write of an entity that the signature of its request does not cover. */
    public static void checkOperation(StorageRequest request, StorageRequest operation, Rulebook rules) {
        if (isSas(request)
                && !operation.isRead()
                && !operation.address().isTables()
                && !operation.address().isBatch()) {
            String granted = request.query().get("sp");
            if (needed(operation).length() > 1 && granted != null && lacksOne(granted)) {
                rules.refuse(StrictRule.SAS_UPSERT, permission("au"));
            }
            if (!KeyRange.of(request.query()).contains(EntityKeys.of(operation))) {
                rules.refuse(StrictRule.SAS_RANGE, "This request is not authorized to perform this operation.");
            }
        }
    }

    private static boolean isSas(StorageRequest request) {
        return request.query().containsKey("sig");
    }

    private static boolean lacksOne(String granted) {
        return granted.contains("a") != granted.contains("u");
    }

    private static String needed(StorageRequest operation) {
        return switch (operation.method()) {
            case "GET" -> "r";
            case "POST" -> "a";
            case "DELETE" -> "d";
            default -> operation.header("If-Match") == null ? "au" : "u";
        };
    }

    private static String permission(String needed) {
        return "This request is not authorized to perform this operation using this permission. It needs " + needed
                + ".";
    }

    private static void checkAddress(String range, Rulebook rules) {
        if (!range.isEmpty() && !AddressRange.of(range).contains(AddressRange.LOOPBACK)) {
            rules.refuse(
                    StrictRule.SAS_ADDRESS,
                    "This request is not authorized to perform this operation using this source IP 127.0.0.1.",
                    Map.of("SourceIP", "127.0.0.1"));
        }
    }
}
