package io.stowline.projection.internal.type;

import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.ValueType;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the values of one component are stored.
 *
 * @param javaType the component's type, boxed and taken out of its {@code Optional}
 * @param valueType the rule by which they are stored, after the conversion
 * @param conversion the conversion that precedes that rule, or null
 */
public record StoredForm(
        Class<?> javaType, ValueType valueType, @Nullable Conversion conversion) {

    public static StoredForm of(Class<?> javaType, ValueType valueType) {
        return new StoredForm(boxed(javaType), valueType, null);
    }

    static StoredForm of(Conversion conversion) {
        return new StoredForm(conversion.javaType(), conversion.valueType(), conversion);
    }

    /**
     * Returns the form in which a value is stored: a {@code String}, {@code Boolean}, {@code Integer}, {@code Long},
     * {@code Double}, {@code Instant}, {@code UUID} or {@code byte[]}.
     *
     * @throws IllegalArgumentException if values of its class are not supported, saying what to use instead
     */
    public static Object ofValue(Object value) {
        ValueType type = ValueType.of(value.getClass());
        if (type == null) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(value.getClass()));
        }
        return type.stored(value);
    }

    static Class<?> unboxed(Class<?> type) {
        return MethodType.methodType(type).unwrap().returnType();
    }

    public static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    public EdmType edmType() {
        return valueType.edmType();
    }

    public boolean ordered() {
        return conversion == null ? valueType.ordered() : conversion.converter().ordered();
    }

    public Object stored(String property, Object value) {
        if (javaType.isInstance(value)) {
            return valueType.stored(conversion == null ? value : conversion.store(property, value));
        }
        Object widened = conversion == null ? valueType.widened(value) : null;
        if (widened == null) {
            throw new IllegalArgumentException("property " + property + " takes a " + javaType.getName() + ", not the "
                    + value.getClass().getName()
                    + (value instanceof Number ? " " + Abbreviation.quoted(value.toString()) : ""));
        }
        return widened;
    }
}
