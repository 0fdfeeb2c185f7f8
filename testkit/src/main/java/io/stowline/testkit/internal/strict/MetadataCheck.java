package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.request.Identifiers;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The metadata of queues, containers and blobs. */
final class MetadataCheck {

    private static final String PREFIX = "x-ms-meta-";
    private static final int MAX_BYTES = 8 * 1024;

    private MetadataCheck() {}

    static void check(StorageService service, List<Map.Entry<String, String>> headers, Rulebook rules) {
        int size = 0;
        for (Map.Entry<String, String> header : headers) {
            if (header.getKey().toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
                String name = header.getKey().substring(PREFIX.length());
                checkName(name, rules);
                size += name.length() + header.getValue().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        if (size > MAX_BYTES && service == StorageService.BLOB) {
            rules.refuse(
                    StrictRule.METADATA_SIZE,
                    "The metadata specified exceeds the maximum permissible limit.",
                    Map.of("MaxAllowed", Integer.toString(MAX_BYTES), "Actual", Integer.toString(size)));
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
}
