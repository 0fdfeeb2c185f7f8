package io.stowline.projection.internal.write;

import io.stowline.projection.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands the entries of a property bag to a writer.
 *
 * @param getter gives the bag
 * @param taken the names of the other components' properties
 */
public record BagWriter(Function<Object, @Nullable Object> getter, Set<String> taken) implements ComponentWriter {

    @Override
    public void write(Object instance, PropertyWriter writer) {
        Object bag = getter.apply(instance);
        if (bag != null) {
            ((Map<?, ?>) bag).forEach((name, value) -> write((String) name, value, writer));
        }
    }

    private void write(@Nullable String name, @Nullable Object value, PropertyWriter writer) {
        if (name == null) {
            throw new IllegalArgumentException("a name in the property bag is null");
        }
        PropertyNames.check(name);
        if (taken.contains(name)) {
            throw new IllegalArgumentException(
                    "property " + name + " of the bag is that of a component too; set the component");
        }
        if (value != null) {
            writer.other(name, stored(name, value));
        }
    }

    private static Object stored(String name, Object value) {
        try {
            return EdmType.stored(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("property " + name + " of the bag: " + e.getMessage(), e);
        }
    }
}
