package io.stowline.testkit.internal.wire;

import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import java.util.Optional;

/** Type of a property, with the name that annotations give it. */
public enum EdmKind {
    STRING("Edm.String"),
    BOOLEAN("Edm.Boolean"),
    INT32("Edm.Int32"),
    INT64("Edm.Int64"),
    DOUBLE("Edm.Double"),
    DATE_TIME("Edm.DateTime"),
    GUID("Edm.Guid"),
    BINARY("Edm.Binary");

    private final String wireName;

    EdmKind(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** Returns the annotated type, or that of the kind of JSON value; empty when the annotation names none of the eight. */
    public static Optional<EdmKind> of(BodyProperty property) {
        String annotated = property.type();
        return annotated == null ? Optional.of(implied(property.kind())) : named(annotated);
    }

    private static Optional<EdmKind> named(String name) {
        for (EdmKind kind : values()) {
            if (kind.wireName.equals(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static EdmKind implied(JsonKind kind) {
        return switch (kind) {
            case INTEGER -> INT32;
            case FRACTION -> DOUBLE;
            case BOOLEAN -> BOOLEAN;
            default -> STRING;
        };
    }

    public boolean isNumber() {
        return this == INT32 || this == INT64 || this == DOUBLE;
    }
}
