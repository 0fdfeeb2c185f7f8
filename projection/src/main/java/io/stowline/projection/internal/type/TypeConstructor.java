package io.stowline.projection.internal.type;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * The constructor of a type.
 *
 * @param constructor the constructor, which may be invoked where there is no handle
 * @param handle its method handle; null in a native image
 */
public record TypeConstructor(
        Constructor<?> constructor, @Nullable MethodHandle handle) {

    /** Returns a new instance. Throws what the constructor throws, as it is. */
    public Object newInstance(@Nullable Object[] arguments) throws Throwable {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            throw thrown == null ? e : thrown;
        }
    }
}
