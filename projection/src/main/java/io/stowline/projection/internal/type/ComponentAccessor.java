package io.stowline.projection.internal.type;

import io.stowline.projection.EntityType;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The accessor that gives a component's value.
 *
 * @param lookup the lookup in the type that has it
 * @param handle reads it
 * @param method the name of the method; null for a field
 */
record ComponentAccessor(
        MethodHandles.Lookup lookup,
        MethodHandle handle,
        @Nullable String method) {

    /**
     * The functions made for a class, by accessor and shape. A hidden class lives as long as its loader, so a second one
     * for the same accessor would never go. Held by the class and made of the JDK and of the class alone, they keep
     * nothing else.
     */
    private static final ClassValue<Map<String, Object>> MADE = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /**
     * Returns a function in a hidden class. It is null for a field, and where the lookup may not define a class beside
     * the type.
     */
    @Nullable
    Object function(Class<?> shape, String name, Class<?> result) {
        if (method == null || !lookup.hasFullPrivilegeAccess()) {
            return null;
        }
        return MADE.get(lookup.lookupClass())
                .computeIfAbsent(shape.getName() + " " + method, key -> made(shape, name, result));
    }

    /** Returns the handle from an object to its value, with this exact result type. */
    MethodHandle exact(Class<?> result) {
        return handle.asType(MethodType.methodType(result, Object.class));
    }

    private Object made(Class<?> shape, String name, Class<?> result) {
        try {
            return LambdaMetafactory.metafactory(
                            lookup,
                            name,
                            MethodType.methodType(shape),
                            MethodType.methodType(result, Object.class),
                            handle,
                            handle.type().changeReturnType(result))
                    .getTarget()
                    .invoke();
        } catch (Throwable e) {
            throw EntityType.unchecked(e);
        }
    }
}
