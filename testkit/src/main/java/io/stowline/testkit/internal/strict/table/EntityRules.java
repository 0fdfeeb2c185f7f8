package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Identifiers;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.wire.EntityBody;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;

/**
 * The rules on the content of an entity: its keys, the names and the number of its properties, their values, and its
 * size.
 */
final class EntityRules {

    private static final int MAX_PROPERTIES = 252;
    private static final int MAX_NAME = 255;

    private EntityRules() {}

    static void check(EntityBody entity, boolean insert, Rulebook rules) {
        for (String name : entity.repeated()) {
            rules.refuse(StrictRule.PROPERTY_TWICE, "The property '" + name + "' is specified more than one time.");
        }
        StrictKeyRules.checkBody(entity, insert, rules);
        long count = 0;
        for (BodyProperty property : entity.properties()) {
            if (!property.isSystem() && property.kind() != JsonKind.NULL) {
                count++;
                checkName(property.name(), rules);
                ValueRules.check(property, rules);
            }
        }
        checkCount(count, rules);
        checkSize(entity, rules);
    }

    private static void checkName(String name, Rulebook rules) {
        if (name.length() > MAX_NAME) {
            rules.refuse(
                    StrictRule.PROPERTY_NAME_LENGTH,
                    "The property name exceeds the maximum allowed length (" + MAX_NAME + "): " + name.length());
        }
        if (!Identifiers.isIdentifier(name)) {
            rules.refuse(StrictRule.PROPERTY_NAME, "The property name is invalid: '" + name + "'");
        }
    }

    private static void checkCount(long count, Rulebook rules) {
        if (count > MAX_PROPERTIES) {
            rules.refuse(
                    StrictRule.PROPERTY_COUNT,
                    "The entity contains more properties than allowed (" + MAX_PROPERTIES + "): " + count);
        }
    }

    private static void checkSize(EntityBody entity, Rulebook rules) {
        long size = EntitySize.of(entity);
        if (size > EntitySize.MAX) {
            rules.refuse(
                    StrictRule.ENTITY_SIZE,
                    "The entity is larger than the maximum allowed size (1MB): " + size + " bytes");
        }
    }
}
