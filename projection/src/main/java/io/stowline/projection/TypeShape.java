package io.stowline.projection;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scan found out of a type. Immutable.
 *
 * @param properties the properties, nested ones too; the place is the index
 * @param slots what reads them, by the same index
 * @param writes what writes them, in the order of the indexes
 * @param roles the components that are no properties of their own
 * @param whole makes the values
 * @param positions the places in a {@link Row}
 */
record TypeShape(
        List<PropertyDescriptor> properties,
        List<Slot> slots,
        List<ComponentWrite> writes,
        Map<Role, RoleComponent> roles,
        Part whole,
        int positions) {

    /** Keys and timestamp as properties, which the list does not hold. */
    List<PropertyDescriptor> systemProperties() {
        List<PropertyDescriptor> system = new ArrayList<>();
        roles.forEach((role, component) -> component.descriptor(role).ifPresent(system::add));
        return system;
    }

    /** Null for all. */
    @Nullable
    List<String> select() {
        if (roles.containsKey(Role.BAG)) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (PropertyDescriptor property : systemProperties()) {
            names.add(property.name());
        }
        for (PropertyDescriptor property : properties) {
            names.add(property.name());
        }
        return List.copyOf(names);
    }

    /** Whether the timestamp's component is an {@code OffsetDateTime}. */
    boolean offsetTimestamp() {
        RoleComponent timestamp = roles.get(Role.TIMESTAMP);
        return timestamp != null && timestamp.component().rawType() == OffsetDateTime.class;
    }

    /** The place of a role's component, or -1. */
    int position(Role role) {
        RoleComponent component = roles.get(role);
        return component == null ? -1 : component.position();
    }
}
