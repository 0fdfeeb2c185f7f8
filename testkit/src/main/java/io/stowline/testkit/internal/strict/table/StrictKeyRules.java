package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.wire.EntityBody;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import io.stowline.testkit.internal.wire.TableAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules on a PartitionKey and a RowKey, in an entity and in its address. */
final class StrictKeyRules {

    private static final int MAX = 512;
    private static final List<String> KEYS = List.of("PartitionKey", "RowKey");

    private StrictKeyRules() {}

    static void checkBody(EntityBody entity, boolean insert, Rulebook rules) {
        for (String name : KEYS) {
            BodyProperty key = entity.find(name);
            if (key != null && key.kind() != JsonKind.NULL) {
                checkBody(key, rules);
            } else if (insert) {
                rules.refuse(
                        StrictRule.KEY_MISSING,
                        "The values are not specified for all properties in the entity: " + name);
            }
        }
    }

    private static void checkBody(BodyProperty key, Rulebook rules) {
        if (key.kind() != JsonKind.TEXT) {
            rules.refuse(
                    StrictRule.KEY_TYPE, "One of the request inputs is not valid. " + key.name() + " is no string.");
        }
        checkLength(key.name(), key.text(), rules);
        if (hasForbidden(key.text())) {
            rules.refuse(
                    StrictRule.KEY_CHARACTERS,
                    "The '" + key.name() + "' parameter of value '" + key.text() + "' is out of range.");
        }
    }

    static void checkAddress(TableAddress address, Rulebook rules) {
        if (address.isMalformed()) {
            rules.refuse(StrictRule.ENTITY_ADDRESS, "Bad Request - Error in query syntax.");
        }
        checkAddress("PartitionKey", address.partitionKey(), rules);
        checkAddress("RowKey", address.rowKey(), rules);
    }

    private static void checkAddress(String name, @Nullable String key, Rulebook rules) {
        if (key != null) {
            checkLength(name, key, rules);
            if (hasForbidden(key)) {
                rules.refuse(StrictRule.KEY_CHARACTERS_IN_ADDRESS, "Bad Request - Error in query syntax.");
            }
        }
    }

    private static void checkLength(String name, String key, Rulebook rules) {
        if (key.length() > MAX) {
            rules.refuse(
                    StrictRule.KEY_LENGTH,
                    "The property value exceeds the maximum allowed size (1KB). '" + name + "' has " + key.length()
                            + " characters.");
        }
    }

    private static boolean hasForbidden(String key) {
        return key.chars().anyMatch(StrictKeyRules::isForbidden);
    }

    private static boolean isForbidden(int c) {
        return c == '/' || c == '\\' || c == '#' || c == '?' || c < 0x20 || (c >= 0x7F && c <= 0x9F);
    }
}
