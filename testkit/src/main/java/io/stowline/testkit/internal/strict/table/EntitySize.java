package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.internal.wire.Base64Check;
import io.stowline.testkit.internal.wire.EdmKind;
import io.stowline.testkit.internal.wire.EntityBody;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;

/**
 * The size of an entity by the formula that Microsoft published: 4 bytes, 2 for each character of the keys, and for each
 * property 8, 2 for each character of its name, and its value.
 *
 * <p>A value counts 2 for each character and 4 for a string, its length and 4 for a binary, 1 for a boolean, 4 for an Int32, 16
 * for a Guid, and 8 for anything else.
 */
public final class EntitySize {

    public static final int MAX = 1024 * 1024;
    static final int MAX_CHARACTERS = 32 * 1024;
    public static final int MAX_BYTES = 64 * 1024;

    private EntitySize() {}

    public static long of(EntityBody entity) {
        long size = 4;
        for (BodyProperty property : entity.properties()) {
            if (property.isKey()) {
                size += 2L * property.text().length();
            } else if (!property.isSystem() && property.kind() != JsonKind.NULL) {
                size += 8 + 2L * property.name().length() + ofValue(property);
            }
        }
        return size;
    }

    private static long ofValue(BodyProperty property) {
        return switch (EdmKind.of(property).orElse(EdmKind.STRING)) {
            case STRING -> 4 + 2L * property.text().length();
            case BINARY -> 4 + Base64Check.length(property.text());
            case BOOLEAN -> 1;
            case INT32 -> 4;
            case GUID -> 16;
            case INT64, DOUBLE, DATE_TIME -> 8;
        };
    }
}
