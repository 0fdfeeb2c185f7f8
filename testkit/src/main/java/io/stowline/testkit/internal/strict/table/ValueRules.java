package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.wire.Base64Check;
import io.stowline.testkit.internal.wire.EdmKind;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import java.math.BigInteger;
import java.time.Year;
import java.util.Optional;

/** The rules on the value of a property. */
final class ValueRules {

    private static final int INT32 = 31;
    private static final int INT64 = 63;

    private ValueRules() {}

    static void check(BodyProperty property, Rulebook rules) {
        Optional<EdmKind> type = EdmKind.of(property);
        if (property.kind() == JsonKind.NESTED) {
            rules.refuse(StrictRule.PROPERTY_NESTED, invalid(property, "an object or array"));
        } else if (type.isEmpty()) {
            rules.refuse(StrictRule.TYPE_UNKNOWN, invalid(property, "of type " + property.type()));
        } else {
            check(property, type.get(), rules);
        }
    }

    private static void check(BodyProperty property, EdmKind type, Rulebook rules) {
        switch (type) {
            case STRING -> checkSize(property, property.text().length(), EntitySize.MAX_CHARACTERS, rules);
            case INT32 -> checkInt32(property, rules);
            case INT64 -> checkInt64(property, rules);
            case GUID -> checkGuid(property, rules);
            case DATE_TIME -> checkDateTime(property, rules);
            case BINARY -> checkBinary(property, rules);
            case BOOLEAN, DOUBLE -> {
                // Any text is let pass: how the service reads one is not known.
            }
        }
    }

    private static void checkInt32(BodyProperty property, Rulebook rules) {
        if (property.kind() == JsonKind.INTEGER && !fits(property.text(), INT32)) {
            rules.refuse(StrictRule.INT32_RANGE, invalid(property, "not in the range of Edm.Int32"));
        }
    }

    private static void checkInt64(BodyProperty property, Rulebook rules) {
        if (property.kind() != JsonKind.TEXT || !fits(property.text(), INT64)) {
            rules.refuse(StrictRule.INT64_VALUE, invalid(property, "no Edm.Int64 in a string"));
        }
    }

    private static boolean fits(String text, int bits) {
        try {
            return text.length() <= 20 && new BigInteger(text).bitLength() <= bits;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static void checkGuid(BodyProperty property, Rulebook rules) {
        if (!GuidText.isValid(property.text())) {
            rules.refuse(StrictRule.GUID_VALUE, invalid(property, "no Edm.Guid"));
        }
    }

    private static void checkDateTime(BodyProperty property, Rulebook rules) {
        Optional<Year> year = DateTimeText.year(property.text());
        if (year.isEmpty()) {
            rules.refuse(StrictRule.DATE_TIME_VALUE, invalid(property, "no Edm.DateTime in UTC"));
        } else if (!DateTimeText.isInRange(year.get())) {
            rules.refuse(
                    StrictRule.DATE_TIME_RANGE,
                    "The '" + property.name() + "' parameter of value '" + property.text() + "' is out of range.");
        }
    }

    private static void checkBinary(BodyProperty property, Rulebook rules) {
        if (Base64Check.isValid(property.text())) {
            checkSize(property, Base64Check.length(property.text()), EntitySize.MAX_BYTES, rules);
        } else {
            rules.refuse(StrictRule.BINARY_VALUE, invalid(property, "no Base64"));
        }
    }

    private static void checkSize(BodyProperty property, int size, int max, Rulebook rules) {
        if (size > max) {
            rules.refuse(
                    StrictRule.PROPERTY_SIZE,
                    "The property value exceeds the maximum allowed size (64KB). '" + property.name() + "' measures "
                            + size + " of " + max);
        }
    }

    private static String invalid(BodyProperty property, String how) {
        return "An error occurred while processing this request. The property '" + property.name() + "' is " + how
                + ".";
    }
}
