package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Identifiers;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Check of the metadata of queues, containers and blobs. */
final class MetadataCheck implements StrictCheck {

    private static final int MAX_BYTES = 8 * 1024;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (!request.isRead()) {
            Map<String, String> metadata = request.metadata();
            metadata.keySet().forEach(name -> checkName(name, rules));
            if (request.service() == StorageService.BLOB) {
                checkSize(metadata, rules);
            }
        }
    }

    private static void checkName(String name, Rulebook rules) {
        if (name.isEmpty()) {
            rules.refuse(StrictRule.METADATA_NAME_EMPTY, "The key for one of the metadata key-value pairs is empty.");
        } else if (!Identifiers.isIdentifier(name)) {
            rules.refuse(
                    StrictRule.METADATA_NAME,
                    "The metadata specified is invalid. It has characters that are not permitted: '" + name + "'");
        }
    }

    private static void checkSize(Map<String, String> metadata, Rulebook rules) {
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            size += entry.getKey().length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_BYTES) {
            rules.refuse(
                    StrictRule.METADATA_SIZE,
                    "The metadata specified exceeds the maximum permissible limit.",
                    Map.of("MaxAllowed", Integer.toString(MAX_BYTES), "Actual", Integer.toString(size)));
        }
    }
}
