package io.stowline.projection.internal.read;

import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.StoredForm;
import io.stowline.projection.internal.type.UnsupportedTypes;
import java.util.Base64;

/** A reader of a value in its stored form, by the rules of one from JSON. */
public final class StoredValue {

    private StoredValue() {}

    public static <V> V read(String property, Object stored, Class<V> type) {
        @SuppressWarnings("unchecked") // of a primitive type it is the boxed one
        Class<V> javaType = (Class<V>) StoredForm.boxed(type);
        if (javaType.isInstance(stored)) {
            return javaType.cast(stored);
        }
        ValueType valueType = ValueType.of(javaType);
        if (valueType == null) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(javaType));
        }
        ComponentRow row = new ComponentRow(1);
        ValueReader.ReadTarget target =
                new ValueReader.ReadTarget(property, 0, javaType.getSimpleName(), false, MissingValue.NOTHING);
        feed(stored, ValueReaders.of(StoredForm.of(javaType, valueType), target), row);
        return javaType.cast(row.references[0]);
    }

    private static void feed(Object stored, ValueReader slot, ComponentRow row) {
        if (stored instanceof Integer number) {
            slot.integer(row, number);
        } else if (stored instanceof Long number) {
            slot.int64(row, number);
        } else if (stored instanceof Double number) {
            slot.floating(row, number);
        } else if (stored instanceof Boolean truth) {
            slot.bool(row, truth);
        } else {
            slot.text(row, text(stored));
        }
    }

    private static String text(Object stored) {
        return stored instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : stored.toString();
    }
}
