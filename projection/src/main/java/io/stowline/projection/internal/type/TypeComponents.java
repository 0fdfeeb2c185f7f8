package io.stowline.projection.internal.type;

import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * What a type is made of.
 *
 * @param components its components in the order of the constructor's parameters
 * @param constructor makes a value of them
 */
public record TypeComponents(List<MappedComponent> components, MethodHandle constructor) {

    public static TypeComponents of(Class<?> type) {
        return type.isRecord() ? new RecordComponents(type).anatomy() : new ClassComponents(type).anatomy();
    }
}
