package io.stowline.projection.internal.type;

import io.stowline.projection.UnmappableTypeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** A factory of the handles of a type's accessors and of its constructor. */
public final class TypeAccess {

    private final Class<?> type;
    private final MethodHandles.Lookup lookup;

    TypeAccess(Class<?> type) {
        this.type = type;
        lookup = lookup(type);
    }

    /** Finds the accessor in the type itself, as it may stand in a parent that is not reachable. */
    ComponentAccessor accessor(Method method) {
        try {
            MethodType shape = MethodType.methodType(method.getReturnType());
            return new ComponentAccessor(lookup, lookup.findVirtual(type, method.getName(), shape), method.getName());
        } catch (NoSuchMethodException e) {
            throw new UnmappableTypeException(type, null, "its accessor " + method.getName() + " is not found", e);
        } catch (IllegalAccessException e) {
            throw closed(e);
        }
    }

    ComponentAccessor accessor(Field field) {
        try {
            return new ComponentAccessor(lookup, lookup.unreflectGetter(field), null);
        } catch (IllegalAccessException e) {
            throw closed(e);
        }
    }

    MethodHandle constructor(Constructor<?> constructor) {
        try {
            return lookup.unreflectConstructor(constructor);
        } catch (IllegalAccessException e) {
            throw closed(e);
        } catch (IllegalArgumentException e) {
            throw tooMany(type, constructor.getParameterCount(), e);
        }
    }

    /** Returns a new instance made by the constructor without parameters. */
    Object instance() {
        try {
            return lookup.findConstructor(type, MethodType.methodType(void.class))
                    .asType(MethodType.methodType(Object.class))
                    .invokeExact();
        } catch (NoSuchMethodException e) {
            throw new UnmappableTypeException(type, null, "it has no constructor without parameters", e);
        } catch (IllegalAccessException e) {
            throw closed(e);
        } catch (InstantiationException e) {
            throw new UnmappableTypeException(type, null, "it is abstract", e);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UnmappableTypeException(type, null, "its constructor failed: " + e, e);
        }
    }

    /** A public type of an exported package needs no {@code opens}: the public lookup reaches it. */
    private static MethodHandles.Lookup lookup(Class<?> type) {
        TypeAccess.class.getModule().addReads(type.getModule());
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        } catch (IllegalAccessException e) {
            return MethodHandles.publicLookup();
        }
    }

    /**
     * Returns the error for a type beyond the JVM's limit on the parameters of a handle: a little under 255, where long
     * and double count twice.
     */
    public static UnmappableTypeException tooMany(Class<?> type, int components, IllegalArgumentException cause) {
        return new UnmappableTypeException(
                type, null, "its " + components + " components are more than a method handle takes", cause);
    }

    private UnmappableTypeException closed(IllegalAccessException cause) {
        Module ours = TypeAccess.class.getModule();
        String to = ours.isNamed() ? " to " + ours.getName() : "";
        return new UnmappableTypeException(
                type,
                null,
                "its module " + type.getModule().getName() + " keeps it closed; add \"opens " + type.getPackageName()
                        + to + ";\" to its module-info.java, or make it public in an exported package",
                cause);
    }
}
