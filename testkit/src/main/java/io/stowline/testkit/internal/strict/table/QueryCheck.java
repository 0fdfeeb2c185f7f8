package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.TableAddress;
import java.util.Locale;

/** Queries of entities and tables: the filter, the size of a page, and the format of the response. */
public final class QueryCheck implements StrictCheck {

    private static final int MAX_PAGE = 1000;
    private static final String JSON_ONLY = "2015-12-11";

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        TableAddress address = request.address();
        if (!request.query().containsKey("comp") && !address.table().isEmpty() && !address.isBatch()) {
            checkFormat(request, rules);
            if (request.method().equals("GET")) {
                FilterScan.check(request.query().getOrDefault("$filter", ""), rules);
                checkTop(request.query().getOrDefault("$top", ""), rules);
            }
        }
    }

    private static void checkTop(String top, Rulebook rules) {
        try {
            if (!top.isEmpty() && Long.parseLong(top) > MAX_PAGE) {
                rules.refuse(StrictRule.TOP_RANGE, "One of the request inputs is not valid: $top is " + top);
            }
        } catch (NumberFormatException e) {
            // The response of the service to an invalid number is unknown.
        }
    }

    private static void checkFormat(StorageRequest request, Rulebook rules) {
        if (request.header("x-ms-version") != null
                && !request.isOlderThan(JSON_ONLY)
                && (requestsAtom(request) || sendsAtom(request))) {
            rules.refuse(StrictRule.ATOM_FORMAT, "Atom format is not supported.");
        }
    }

    private static boolean requestsAtom(StorageRequest request) {
        boolean echoed =
                request.method().equals("POST") && !request.header("Prefer", "").contains("return-no-content");
        String format = request.query().get("$format");
        return (request.method().equals("GET") || echoed)
                && isAtom(format == null ? request.header("Accept", "atom") : format);
    }

    private static boolean sendsAtom(StorageRequest request) {
        return !request.body().isEmpty() && isAtom(request.header("Content-Type", ""));
    }

    private static boolean isAtom(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        return lower.contains("atom") && !lower.contains("json");
    }
}
