package io.stowline.projection.internal.scan;

import io.stowline.projection.internal.read.ComponentRow;
import io.stowline.projection.internal.read.NestedReader;
import io.stowline.projection.internal.read.ValueReader;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.SystemComponent;
import io.stowline.projection.internal.type.SystemProperty;
import io.stowline.projection.internal.write.ComponentWriter;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties, readers and writers that a scan found in a type. Immutable.
 *
 * @param properties the properties, nested ones too; the place is the index
 * @param slots their readers, by the same index
 * @param writes their writers, in the order of the indexes
 * @param roles the components that are no properties themselves
 * @param whole makes the values
 * @param positions the places in a {@link ComponentRow}
 */
public record TypeShape(
        List<PropertyDescriptor> properties,
        List<ValueReader> slots,
        List<ComponentWriter> writes,
        Map<SystemProperty, SystemComponent> roles,
        NestedReader whole,
        int positions) {

    /** Returns keys and timestamp as properties, which the list does not contain. */
    List<PropertyDescriptor> systemProperties() {
        List<PropertyDescriptor> system = new ArrayList<>();
        roles.forEach((role, component) -> component.descriptor(role).ifPresent(system::add));
        return system;
    }

    /** Returns the names to select, or null for all. */
    public @Nullable List<String> select() {
        if (roles.containsKey(SystemProperty.BAG)) {
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

    /** Returns whether the timestamp's component is an {@code OffsetDateTime}. */
    boolean offsetTimestamp() {
        SystemComponent timestamp = roles.get(SystemProperty.TIMESTAMP);
        return timestamp != null && timestamp.component().rawType() == OffsetDateTime.class;
    }

    /** Returns the place of a role's component in the row, or -1. */
    int position(SystemProperty role) {
        SystemComponent component = roles.get(role);
        return component == null ? -1 : component.position();
    }
}
