package io.stowline.projection;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The component that has a role. */
record RoleComponent(Component component, int position, Function<Object, @Nullable Object> getter) {

    /** What is never written needs nothing that gives its value. */
    static RoleComponent of(Role role, Component component, int position) {
        return new RoleComponent(
                component, position, role.written() ? component.getter().reference() : instance -> null);
    }

    String name() {
        return component.name();
    }

    /** The service's own property as one to filter by. */
    Optional<PropertyDescriptor> descriptor(Role role) {
        String property = role.property();
        ValueType rule = ValueType.of(component.rawType());
        return property == null || rule == null
                ? Optional.empty()
                : Optional.of(
                        new PropertyDescriptor(property, name(), false, StoredForm.of(component.rawType(), rule)));
    }
}
