package io.stowline.projection.internal.scan;

import io.stowline.projection.Mapping;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.projection.internal.read.NestedReader;
import io.stowline.projection.internal.read.ValueReader;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.SystemComponent;
import io.stowline.projection.internal.type.SystemProperty;
import io.stowline.projection.internal.write.ComponentWriter;
import io.stowline.projection.internal.write.ComponentWriter.BagWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The findings of the scans of a type and of its nested values. For one thread. */
final class MappingBuilder {

    private final Class<?> type;
    private final Mapping mapping;
    private final Map<String, PropertyDescriptor> properties = new LinkedHashMap<>();
    private final List<ValueReader> slots = new ArrayList<>();
    private final Map<SystemProperty, SystemComponent> roles = new EnumMap<>(SystemProperty.class);
    private int positions;

    MappingBuilder(Class<?> type, Mapping mapping) {
        this.type = type;
        this.mapping = mapping;
    }

    Mapping mapping() {
        return mapping;
    }

    /** Returns a free place in a row. */
    int nextPosition() {
        return positions++;
    }

    /** Gives the property its index. Throws {@code IllegalArgumentException} with the reason where the name is taken. */
    int add(PropertyDescriptor property, ValueReader slot) {
        PropertyDescriptor other = properties.putIfAbsent(property.name(), property);
        if (other != null) {
            throw new IllegalArgumentException(
                    "its property " + property.name() + " is that of component " + other.component() + " too");
        }
        slots.add(slot);
        return slots.size() - 1;
    }

    /** Throws {@code IllegalArgumentException} with the reason where there is one already. */
    void add(SystemProperty role, SystemComponent component) {
        SystemComponent other = roles.putIfAbsent(role, component);
        if (other != null) {
            throw new IllegalArgumentException(
                    "it is a second @" + role.mark().getSimpleName() + " beside component " + other.name());
        }
    }

    TypeShape shape(NestedReader whole, List<ComponentWriter> components) {
        boolean nothing = roles.isEmpty() || roles.keySet().equals(Set.of(SystemProperty.ETAG));
        if (properties.isEmpty() && nothing) {
            throw new UnmappableTypeException(type, null, "no component of it is read or written", null);
        }
        if (properties.size() > PropertyLimits.MAX_PROPERTIES) {
            throw new UnmappableTypeException(
                    type,
                    null,
                    "it has " + properties.size() + " properties; the limit is " + PropertyLimits.MAX_PROPERTIES,
                    null);
        }
        List<ComponentWriter> writes = new ArrayList<>(components);
        SystemComponent bag = roles.get(SystemProperty.BAG);
        if (bag != null) {
            writes.add(new BagWriter(bag.getter(), Set.copyOf(properties.keySet())));
        }
        return new TypeShape(
                List.copyOf(properties.values()), List.copyOf(slots), List.copyOf(writes), roles, whole, positions);
    }
}
