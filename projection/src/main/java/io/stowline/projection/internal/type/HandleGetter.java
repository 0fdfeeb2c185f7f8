package io.stowline.projection.internal.type;

import io.stowline.projection.EntityType;
import java.lang.invoke.MethodHandle;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A getter on a JVM. Where the type lets us, it is a small class made for its accessor, as for a
 * method reference; a field, and an accessor in another named module, is read through its method handle, which the compiler
 * cannot look through.
 */
final class HandleGetter implements Getter {

    private final Class<?> type;
    private final Supplier<ComponentAccessor> accessor;

    /** The accessor is looked for when a value is to be read, which of some components none ever is. */
    HandleGetter(Class<?> type, Supplier<ComponentAccessor> accessor) {
        this.type = type;
        this.accessor = accessor;
    }

    @Override
    public Class<?> type() {
        return type;
    }

    @Override
    @SuppressWarnings("unchecked") // the metafactory makes what is requested
    public Function<Object, @Nullable Object> reference() {
        ComponentAccessor accessor = this.accessor.get();
        Object made = accessor.function(Function.class, "apply", Object.class);
        MethodHandle exact = accessor.exact(Object.class);
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

    @Override
    @SuppressWarnings("unchecked")
    public Predicate<Object> bool() {
        ComponentAccessor accessor = this.accessor.get();
        Object made = accessor.function(Predicate.class, "test", boolean.class);
        MethodHandle exact = accessor.exact(boolean.class);
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

    @Override
    @SuppressWarnings("unchecked")
    public ToIntFunction<Object> int32() {
        ComponentAccessor accessor = this.accessor.get();
        Object made = accessor.function(ToIntFunction.class, "applyAsInt", int.class);
        MethodHandle exact = accessor.exact(int.class);
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

    @Override
    @SuppressWarnings("unchecked")
    public ToLongFunction<Object> int64() {
        ComponentAccessor accessor = this.accessor.get();
        Object made = accessor.function(ToLongFunction.class, "applyAsLong", long.class);
        MethodHandle exact = accessor.exact(long.class);
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

    @Override
    @SuppressWarnings("unchecked")
    public ToDoubleFunction<Object> doubleValue() {
        ComponentAccessor accessor = this.accessor.get();
        Object made = accessor.function(ToDoubleFunction.class, "applyAsDouble", double.class);
        MethodHandle exact = accessor.exact(double.class);
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
}
