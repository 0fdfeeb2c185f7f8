package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.Base64Check;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.util.Map;

/** Check of the blocks of block blobs and of append blobs. */
final class BlockCheck implements StrictCheck {

    private static final long MIB = 1024 * 1024;
    private static final int MAX_ID_BYTES = 64;
    private static final int MAX_BLOCKS = 50_000;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT")) {
            switch (request.query().getOrDefault("comp", "")) {
                case "block" -> {
                    checkId(request.query().getOrDefault("blockid", ""), rules);
                    checkSize(request, blockLimit(request), StrictRule.BLOCK_SIZE, rules);
                }
                case "appendblock" -> checkSize(request, appendLimit(request), StrictRule.APPEND_SIZE, rules);
                case "blocklist" -> checkCount(request, rules);
                default -> {
                    // No block is sent.
                }
            }
        }
    }

    private static void checkId(String id, Rulebook rules) {
        if (!Base64Check.isValid(id)) {
            rules.refuse(
                    StrictRule.BLOCK_ID, "The specified block ID is invalid. The block ID must be Base64-encoded.");
        } else if (Base64Check.length(id) > MAX_ID_BYTES) {
            rules.refuse(StrictRule.BLOCK_ID_LENGTH, "One of the request inputs is out of range: the block ID.");
        }
    }

    private static long blockLimit(StorageRequest request) {
        if (request.isOlderThan("2016-05-31")) {
            return 4 * MIB;
        }
        return request.isOlderThan("2019-12-12") ? 100 * MIB : 4000 * MIB;
    }

    private static long appendLimit(StorageRequest request) {
        return request.isOlderThan("2022-11-02") ? 4 * MIB : 100 * MIB;
    }

    private static void checkSize(StorageRequest request, long limit, StrictRule rule, Rulebook rules) {
        if (request.body().length() > limit) {
            rules.refuse(
                    rule,
                    "The request body is too large and exceeds the maximum permissible limit.",
                    Map.of("MaxLimit", Long.toString(limit)));
        }
    }

    private static void checkCount(StorageRequest request, Rulebook rules) {
        long blocks = XmlDocument.read(request.body()).count("Latest", "Committed", "Uncommitted");
        if (blocks > MAX_BLOCKS) {
            rules.refuse(StrictRule.BLOCK_COUNT, "The block list may not contain more than 50,000 blocks: " + blocks);
        }
    }
}
