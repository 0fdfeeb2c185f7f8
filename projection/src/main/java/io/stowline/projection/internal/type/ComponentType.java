package io.stowline.projection.internal.type;

import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import io.stowline.projection.Mapping;
import io.stowline.projection.internal.edm.ValueType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type of a component that is a property, taken out of its {@code Optional}. */
public record ComponentType(StoredForm form, boolean primitive, boolean optional) {

    /** Throws {@code IllegalArgumentException} with the reason for a component that has no place in the rules. */
    public static ComponentType of(MappedComponent component, Mapping mapping) {
        Type type = inside(component.declared());
        return new ComponentType(
                form(type, component, mapping), component.rawType().isPrimitive(), type != component.declared());
    }

    /** Returns the type inside an {@code Optional}, or the type itself. */
    public static Type inside(Type declared) {
        return declared instanceof ParameterizedType parameterized && parameterized.getRawType() == Optional.class
                ? parameterized.getActualTypeArguments()[0]
                : declared;
    }

    private static StoredForm form(Type type, MappedComponent component, Mapping mapping) {
        Converted converted = component.mark(Converted.class);
        if (converted != null) {
            return StoredForm.of(Converters.conversion(converted.value(), type));
        }
        if (!(type instanceof Class<?> javaType)) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(type));
        }
        Converter<?, ?> converter = mapping.converter(javaType);
        return converter == null ? form(javaType) : StoredForm.of(Conversion.of(converter, javaType));
    }

    private static StoredForm form(Class<?> javaType) {
        @Nullable ValueType valueType = ValueType.of(javaType);
        if (valueType == null) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(javaType));
        }
        return StoredForm.of(javaType, valueType);
    }

    /** Returns whether its values are kept as bits and never boxed. */
    public boolean bits() {
        return primitive && form.conversion() == null;
    }

    /** Returns the type's simple name, for messages. */
    public String name() {
        return (primitive ? StoredForm.unboxed(form.javaType()) : form.javaType()).getSimpleName();
    }
}
