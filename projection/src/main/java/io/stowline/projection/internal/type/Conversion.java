package io.stowline.projection.internal.type;

import io.stowline.projection.Converter;
import io.stowline.projection.internal.edm.ValueType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A converter between its two classes, with the checks that its type parameters cannot make at run time.
 *
 * @param converter the user's code
 * @param javaType the class of the component's values, boxed
 * @param storedType the class of what is stored, boxed
 * @param valueType the rule by which that is stored
 */
public record Conversion(
        Converter<Object, Object> converter, Class<?> javaType, Class<?> storedType, ValueType valueType) {

    /** Throws {@code IllegalArgumentException} with the reason where the stored type has no place in the rules. */
    @SuppressWarnings("unchecked")
    public // both sides are checked whenever a value passes
    static Conversion of(Converter<?, ?> converter, Class<?> javaType) {
        Class<?> stored = StoredForm.boxed(storedType(converter, javaType));
        ValueType valueType = ValueType.of(stored);
        if (valueType == null) {
            throw refused(
                    converter, javaType, "stores a " + stored.getName() + ": " + UnsupportedTypes.advice(stored), null);
        }
        return new Conversion((Converter<Object, Object>) converter, StoredForm.boxed(javaType), stored, valueType);
    }

    private static Class<?> storedType(Converter<?, ?> converter, Class<?> javaType) {
        @Nullable Class<?> stored;
        try {
            stored = converter.storedType();
        } catch (RuntimeException e) {
            throw refused(converter, javaType, "does not say what it stores: " + e, e);
        }
        if (stored == null) {
            throw refused(converter, javaType, "does not say what it stores: its storedType() is null", null);
        }
        return stored;
    }

    private static IllegalArgumentException refused(
            Converter<?, ?> converter, Class<?> javaType, String reason, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "the converter of " + javaType.getName() + ", "
                        + converter.getClass().getName() + ", " + reason,
                cause);
    }

    public Object store(String property, Object value) {
        Object stored;
        try {
            stored = converter.store(value);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("property " + property + ": " + this + " failed: " + e, e);
        }
        if (!storedType.isInstance(stored)) {
            throw new IllegalArgumentException("property " + property + ": " + this + " stored " + named(stored));
        }
        return stored;
    }

    /** Throws what the converter throws, and {@code IllegalStateException} for null and for a value of another class. */
    public Object restore(Object stored) {
        Object value = converter.restore(stored);
        if (!javaType.isInstance(value)) {
            throw new IllegalStateException(this + " restored " + named(value));
        }
        return value;
    }

    private static String named(@Nullable Object value) {
        return value == null ? "null" : "a " + value.getClass().getName();
    }

    @Override
    public String toString() {
        return "the converter between " + javaType.getName() + " and " + storedType.getName();
    }

    /** A converter of two functions. */
    public record FunctionConverter<J, S>(
            Class<S> storedType, Function<J, S> forth, Function<S, J> back, boolean ordered)
            implements Converter<J, S> {

        @Override
        public S store(J value) {
            return forth.apply(value);
        }

        @Override
        public J restore(S stored) {
            return back.apply(stored);
        }
    }
}
