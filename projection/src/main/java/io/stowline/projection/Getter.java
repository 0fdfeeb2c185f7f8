package io.stowline.projection;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One accessor of a type as a plain object to call. Where the type lets us, that is a small class made for it, as for a method
 * reference; a field, and an accessor in another named module, is read through its method handle, which the compiler cannot look
 * through.
 */
final class Getter {

    private final MethodHandles.Lookup lookup;
    private final MethodHandle handle;
    private final boolean field;

    private Getter(MethodHandles.Lookup lookup, MethodHandle handle, boolean field) {
        this.lookup = lookup;
        this.handle = handle;
        this.field = field;
    }

    static Getter of(MethodHandles.Lookup lookup, MethodHandle accessor) {
        return new Getter(lookup, accessor, false);
    }

    static Getter ofField(MethodHandles.Lookup lookup, MethodHandle reading) {
        return new Getter(lookup, reading, true);
    }

    Class<?> type() {
        return handle.type().returnType();
    }

    @SuppressWarnings("unchecked") // the metafactory makes what it is asked for
    Function<Object, @Nullable Object> reference() {
        Object made = made(Function.class, "apply", Object.class);
        MethodHandle exact = exact(Object.class);
        return made != null
                ? (Function<Object, @Nullable Object>) made
                : record -> {
                    try {
                        return (Object) exact.invokeExact(record);
                    } catch (Throwable e) {
                        throw EntityType.unchecked(e);
                    }
                };
    }

    @SuppressWarnings("unchecked")
    Predicate<Object> bool() {
        Object made = made(Predicate.class, "test", boolean.class);
        MethodHandle exact = exact(boolean.class);
        return made != null
                ? (Predicate<Object>) made
                : record -> {
                    try {
                        return (boolean) exact.invokeExact(record);
                    } catch (Throwable e) {
                        throw EntityType.unchecked(e);
                    }
                };
    }

    @SuppressWarnings("unchecked")
    ToIntFunction<Object> int32() {
        Object made = made(ToIntFunction.class, "applyAsInt", int.class);
        MethodHandle exact = exact(int.class);
        return made != null
                ? (ToIntFunction<Object>) made
                : record -> {
                    try {
                        return (int) exact.invokeExact(record);
                    } catch (Throwable e) {
                        throw EntityType.unchecked(e);
                    }
                };
    }

    @SuppressWarnings("unchecked")
    ToLongFunction<Object> int64() {
        Object made = made(ToLongFunction.class, "applyAsLong", long.class);
        MethodHandle exact = exact(long.class);
        return made != null
                ? (ToLongFunction<Object>) made
                : record -> {
                    try {
                        return (long) exact.invokeExact(record);
                    } catch (Throwable e) {
                        throw EntityType.unchecked(e);
                    }
                };
    }

    @SuppressWarnings("unchecked")
    ToDoubleFunction<Object> doubleValue() {
        Object made = made(ToDoubleFunction.class, "applyAsDouble", double.class);
        MethodHandle exact = exact(double.class);
        return made != null
                ? (ToDoubleFunction<Object>) made
                : record -> {
                    try {
                        return (double) exact.invokeExact(record);
                    } catch (Throwable e) {
                        throw EntityType.unchecked(e);
                    }
                };
    }

    private MethodHandle exact(Class<?> result) {
        return handle.asType(MethodType.methodType(result, Object.class));
    }

    /** Null for a field, and where the lookup may not define a class beside the type. */
    private @Nullable Object made(Class<?> shape, String method, Class<?> result) {
        if (field || !lookup.hasFullPrivilegeAccess()) {
            return null;
        }
        try {
            return LambdaMetafactory.metafactory(
                            lookup,
                            method,
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
