package io.stowline.projection.internal.type;

import io.stowline.projection.UnmappableTypeException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A finder of the place where an immutable class gives the value of a component: an accessor, or a field. */
final class ComponentValues {

    private final Class<?> type;

    ComponentValues(Class<?> type) {
        this.type = type;
    }

    Member accessor(String component, Type declared) {
        List<String> others = new ArrayList<>();
        for (String name : accessors(component, declared)) {
            Method accessor = method(name);
            if (accessor != null && accessor.getGenericReturnType().equals(declared)) {
                return accessor;
            }
            if (accessor != null) {
                others.add(name + "() of " + accessor.getGenericReturnType().getTypeName());
            }
        }
        Field field = field(component);
        if (field != null && field.getGenericType().equals(declared)) {
            return field;
        }
        if (field != null) {
            others.add(
                    "the field " + component + " of " + field.getGenericType().getTypeName());
        }
        throw new UnmappableTypeException(type, component, reason(component, declared, others), null);
    }

    private static List<String> accessors(String component, Type declared) {
        if (component.isEmpty()) {
            return List.of();
        }
        String capital = Character.toUpperCase(component.charAt(0)) + component.substring(1);
        return declared == boolean.class || declared == Boolean.class
                ? List.of(component, "get" + capital, "is" + capital)
                : List.of(component, "get" + capital);
    }

    private @Nullable Method method(String name) {
        try {
            return instance(type.getMethod(name));
        } catch (NoSuchMethodException notPublic) {
            try {
                return instance(type.getDeclaredMethod(name));
            } catch (NoSuchMethodException none) {
                return null;
            }
        }
    }

    private static @Nullable Method instance(Method method) {
        return Modifier.isStatic(method.getModifiers()) ? null : method;
    }

    private @Nullable Field field(String name) {
        try {
            Field field = type.getDeclaredField(name);
            return Modifier.isStatic(field.getModifiers()) ? null : field;
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static String reason(String component, Type declared, List<String> others) {
        String wanted = "nothing gives its value, a " + declared.getTypeName() + ": ";
        return others.isEmpty()
                ? wanted + "there is no accessor " + component + "() or get…() and no field " + component
                : wanted + "there is only " + String.join(", ", others);
    }
}
