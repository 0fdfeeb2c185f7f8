package io.stowline.projection;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Optional;

/** The type of a record component, taken out of its {@code Optional}. */
record ComponentType(Class<?> javaType, ValueType valueType, boolean optional) {

    /** Throws {@code IllegalArgumentException} with the reason for a component that has no place in the rules. */
    static ComponentType of(RecordComponent component) {
        Type declared = component.getGenericType();
        if (declared instanceof ParameterizedType parameterized && parameterized.getRawType() == Optional.class) {
            return resolve(parameterized.getActualTypeArguments()[0], true);
        }
        return resolve(declared, false);
    }

    private static ComponentType resolve(Type declared, boolean optional) {
        if (!(declared instanceof Class<?> javaType)) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(declared));
        }
        ValueType valueType = ValueType.of(javaType);
        if (valueType == null) {
            throw new IllegalArgumentException(UnsupportedTypes.advice(javaType));
        }
        return new ComponentType(javaType, valueType, optional);
    }
}
