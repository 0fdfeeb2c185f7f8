package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.internal.strict.request.EntityBody.BodyProperty;
import io.stowline.testkit.internal.strict.request.EntityBody.BodyValueKind;
import java.util.Optional;

/** The eight types of a property, with the names that annotations give them. */
enum StrictPropertyType {
    STRING("Edm.String"),
    BOOLEAN("Edm.Boolean"),
    INT32("Edm.Int32"),
    INT64("Edm.Int64"),
    DOUBLE("Edm.Double"),
    DATE_TIME("Edm.DateTime"),
    GUID("Edm.Guid"),
    BINARY("Edm.Binary");

    private final String edmName;

    StrictPropertyType(String edmName) {
        this.edmName = edmName;
    }

    /** Returns the annotated type, or the type of the JSON value; empty when the annotation names none of the eight. */
    static Optional<StrictPropertyType> of(BodyProperty property) {
        String annotated = property.type();
        return annotated == null ? Optional.of(implied(property.kind())) : named(annotated);
    }

    private static Optional<StrictPropertyType> named(String name) {
        for (StrictPropertyType type : values()) {
            if (type.edmName.equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    private static StrictPropertyType implied(BodyValueKind kind) {
        return switch (kind) {
            case INTEGER -> INT32;
            case FRACTION -> DOUBLE;
            case BOOLEAN -> BOOLEAN;
            default -> STRING;
        };
    }
}
