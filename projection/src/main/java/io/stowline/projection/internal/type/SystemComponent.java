package io.stowline.projection.internal.type;

import io.stowline.projection.internal.edm.ValueType;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The component that has a role. */
public record SystemComponent(MappedComponent component, int position, Function<Object, @Nullable Object> getter) {

    /** Returns the component of a role. The service sets some roles itself; those get no accessor. */
    public static SystemComponent of(SystemProperty role, MappedComponent component, int position) {
        return new SystemComponent(
                component, position, role.written() ? component.getter().reference() : instance -> null);
    }

    public String name() {
        return component.name();
    }

    /** Returns the service's property for a filter. */
    public Optional<PropertyDescriptor> descriptor(SystemProperty role) {
        String property = role.property();
        ValueType rule = ValueType.of(component.rawType());
        return property == null || rule == null
                ? Optional.empty()
                : Optional.of(
                        new PropertyDescriptor(property, name(), false, StoredForm.of(component.rawType(), rule)));
    }
}
