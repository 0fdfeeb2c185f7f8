package io.stowline.projection.internal.type;

import io.stowline.projection.EntityType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A getter in a native image: it invokes the accessor, or reads the field, by reflection. */
final class ReflectiveGetter implements Getter {

    private final Class<?> type;
    private final Supplier<? extends Member> member;

    ReflectiveGetter(Class<?> type, Supplier<? extends Member> member) {
        this.type = type;
        this.member = member;
    }

    @Override
    public Class<?> type() {
        return type;
    }

    @Override
    public Function<Object, @Nullable Object> reference() {
        return reading(member.get());
    }

    @Override
    public Predicate<Object> bool() {
        Function<Object, Object> read = primitive();
        return instance -> (Boolean) read.apply(instance);
    }

    @Override
    public ToIntFunction<Object> int32() {
        Function<Object, Object> read = primitive();
        return instance -> ((Number) read.apply(instance)).intValue();
    }

    @Override
    public ToLongFunction<Object> int64() {
        Function<Object, Object> read = primitive();
        return instance -> ((Number) read.apply(instance)).longValue();
    }

    @Override
    public ToDoubleFunction<Object> doubleValue() {
        Function<Object, Object> read = primitive();
        return instance -> ((Number) read.apply(instance)).doubleValue();
    }

    /** A primitive value is never null. */
    @SuppressWarnings({"unchecked", "NullAway"})
    private Function<Object, Object> primitive() {
        return (Function<Object, Object>) (Function<?, ?>) reference();
    }

    private static Function<Object, @Nullable Object> reading(Member member) {
        return instance -> {
            try {
                return member instanceof Method accessor ? accessor.invoke(instance) : ((Field) member).get(instance);
            } catch (InvocationTargetException e) {
                throw EntityType.unchecked(e.getCause() == null ? e : e.getCause());
            } catch (IllegalAccessException e) {
                throw EntityType.unchecked(e);
            }
        };
    }
}
