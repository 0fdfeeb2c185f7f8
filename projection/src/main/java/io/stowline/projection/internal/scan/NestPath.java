package io.stowline.projection.internal.scan;

import io.stowline.projection.internal.type.MappedComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * Where in the registered type a scan is.
 *
 * @param prefix what stands before the names of properties
 * @param components what stands before the names of components
 * @param types the type that is scanned, after those around it
 */
record NestPath(String prefix, String components, List<Class<?>> types) {

    static NestPath root(Class<?> type) {
        return new NestPath("", "", List.of(type));
    }

    Class<?> root() {
        return types.get(0);
    }

    Class<?> type() {
        return types.get(types.size() - 1);
    }

    boolean nested() {
        return types.size() > 1;
    }

    String component(MappedComponent component) {
        return components + component.name();
    }

    String property(MappedComponent component) {
        return prefix + component.propertyName();
    }

    /** Throws {@code IllegalArgumentException} with the reason for a type that holds itself. */
    NestPath inside(MappedComponent component, String separator, Class<?> type) {
        if (types.contains(type)) {
            throw new IllegalArgumentException(type.getTypeName() + " holds itself, so it has no end");
        }
        List<Class<?>> deeper = new ArrayList<>(types);
        deeper.add(type);
        return new NestPath(property(component) + separator, component(component) + ".", List.copyOf(deeper));
    }
}
