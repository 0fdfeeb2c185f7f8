package io.stowline.projection.internal.write;

import java.util.List;

/** Hands the components of a value to a writer: of the mapped class itself, since a subclass has more than is known here. */
public final class InstanceWriter implements ComponentWriter {

    private final Class<?> type;
    private final ComponentWriter[] components;

    public InstanceWriter(Class<?> type, List<ComponentWriter> components) {
        this.type = type;
        this.components = components.toArray(ComponentWriter[]::new);
    }

    @Override
    public void write(Object instance, PropertyWriter writer) {
        if (instance.getClass() != type) {
            throw new IllegalArgumentException("a " + instance.getClass().getName() + " is not written as the "
                    + type.getName() + " that is mapped: what the subclass adds would be lost");
        }
        for (ComponentWriter component : components) {
            component.write(instance, writer);
        }
    }
}
