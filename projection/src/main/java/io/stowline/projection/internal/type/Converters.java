package io.stowline.projection.internal.type;

import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A factory of the converters of {@link Converted}. */
final class Converters {

    private Converters() {}

    /** Throws {@code IllegalArgumentException} with the reason for a converter that does not fit the component's type. */
    static Conversion conversion(Class<? extends Converter<?, ?>> converter, Type component) {
        Class<?> raw = raw(component);
        if (raw == null) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(component));
        }
        Type converted = converted(converter);
        if (converted != null && !converted.equals(boxed(component))) {
            throw new IllegalArgumentException(
                    converter.getName() + " converts " + converted.getTypeName() + ", not " + component.getTypeName());
        }
        return Conversion.of((Converter<?, ?>) new TypeAccess(converter).instance(), raw);
    }

    private static @Nullable Class<?> raw(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return raw(parameterized.getRawType());
        }
        return type instanceof Class<?> known ? known : null;
    }

    private static Type boxed(Type type) {
        return type instanceof Class<?> known ? StoredForm.boxed(known) : type;
    }

    /**
     * The Java type of a class that implements the interface, or whose parent does; null where it is a type variable.
     */
    private static @Nullable Type converted(Class<?> converter) {
        for (Class<?> type = converter; type != null; type = type.getSuperclass()) {
            for (Type implemented : type.getGenericInterfaces()) {
                if (implemented instanceof ParameterizedType parameterized
                        && parameterized.getRawType() == Converter.class) {
                    Type converted = parameterized.getActualTypeArguments()[0];
                    return raw(converted) == null ? null : converted;
                }
            }
        }
        return null;
    }
}
