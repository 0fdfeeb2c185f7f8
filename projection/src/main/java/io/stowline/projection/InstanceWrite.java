package io.stowline.projection;

import java.util.List;

/** Hands the components of a value to a writer: of the mapped class itself, since a subclass has more than is known here. */
final class InstanceWrite implements ComponentWrite {

    private final Class<?> type;
    private final ComponentWrite[] components;

    InstanceWrite(Class<?> type, List<ComponentWrite> components) {
        this.type = type;
        this.components = components.toArray(ComponentWrite[]::new);
    }

    @Override
    public void write(Object instance, PropertyWriter writer) {
        if (instance.getClass() != type) {
            throw new IllegalArgumentException("a " + instance.getClass().getName() + " is not written as the "
                    + type.getName() + " that is mapped: what the subclass adds would be lost");
        }
        for (ComponentWrite component : components) {
            component.write(instance, writer);
        }
    }
}
