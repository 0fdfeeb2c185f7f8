package io.stowline.projection.internal.type;

import io.stowline.projection.UnmappableTypeException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Reads what a record is made of. */
final class RecordComponents {

    private final Class<?> type;
    private final TypeAccess access;

    RecordComponents(Class<?> type) {
        this.type = type;
        access = new TypeAccess(type);
    }

    TypeComponents anatomy() {
        RecordComponent[] components = type.getRecordComponents();
        return new TypeComponents(
                Arrays.stream(components).map(this::component).toList(), access.constructor(canonical(components)));
    }

    private MappedComponent component(RecordComponent component) {
        return new MappedComponent(
                component.getName(),
                true,
                component.getGenericType(),
                component,
                new Getter(component.getType(), () -> access.accessor(component.getAccessor())));
    }

    private Constructor<?> canonical(RecordComponent[] components) {
        try {
            return type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new UnmappableTypeException(type, null, "its canonical constructor is not found", e);
        }
    }
}
