package io.stowline.projection.internal.type;

import io.stowline.projection.EntityType;
import io.stowline.projection.UnmappableTypeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
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

/**
 * A factory of the getters of a type's components and of its constructor. On a JVM they go through method handles; in a native image, where no class
 * can be defined and handles are interpreted, through reflection.
 */
public final class TypeAccess {

    /** GraalVM sets it in an image and while one is built, its tracing agent while it traces. */
    static final String IMAGE_CODE = "org.graalvm.nativeimage.imagecode";

    private final Class<?> type;
    private final boolean reflective = System.getProperty(IMAGE_CODE) != null;
    private final MethodHandles.Lookup lookup;

    TypeAccess(Class<?> type) {
        this.type = type;
        lookup = reflective ? MethodHandles.publicLookup() : lookup(type);
    }

    /**
     * Returns the getter of a component.
     *
     * @param component the class of its values
     * @param member finds the accessor or the field
     */
    Getter getter(Class<?> component, Supplier<? extends Member> member) {
        return reflective
                ? new ReflectiveGetter(component, () -> opened(member.get()))
                : new HandleGetter(component, () -> accessor(member.get()));
    }

    private ComponentAccessor accessor(Member member) {
        return member instanceof Method method ? accessor(method) : accessor((Field) member);
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

    private ComponentAccessor accessor(Field field) {
        try {
            return new ComponentAccessor(lookup, lookup.unreflectGetter(field), null);
        } catch (IllegalAccessException e) {
            throw closed(e);
        }
    }

    TypeConstructor constructor(Constructor<?> constructor) {
        if (reflective) {
            return new TypeConstructor(opened(constructor), null);
        }
        try {
            return new TypeConstructor(constructor, lookup.unreflectConstructor(constructor));
        } catch (IllegalAccessException e) {
            throw closed(e);
        } catch (IllegalArgumentException e) {
            throw tooMany(type, constructor.getParameterCount(), e);
        }
    }

    private <M extends Member> M opened(M member) {
        try {
            ((AccessibleObject) member).setAccessible(true);
            return member;
        } catch (InaccessibleObjectException e) {
            throw closed(e);
        }
    }

    /** Returns a new instance made by the constructor without parameters. */
    Object instance() {
        try {
            return opened(type.getDeclaredConstructor()).newInstance();
        } catch (NoSuchMethodException e) {
            throw new UnmappableTypeException(type, null, "it has no constructor without parameters", e);
        } catch (IllegalAccessException e) {
            throw closed(e);
        } catch (InstantiationException e) {
            throw new UnmappableTypeException(type, null, "it is abstract", e);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new UnmappableTypeException(type, null, "its constructor failed: " + e.getCause(), e.getCause());
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

    private UnmappableTypeException closed(Exception cause) {
        Module ours = TypeAccess.class.getModule();
        String to = ours.isNamed() ? " to " + ours.getName() : "";
        return new UnmappableTypeException(
                type,
                null,
                "its module " + type.getModule().getName() + " keeps it closed; add \"opens " + type.getPackageName()
                        + to + ";\" to its module-info.java, or make it public in an exported package",
                cause);
    }

    /** A getter in a native image: it invokes the accessor, or reads the field, by reflection. */
    private static final class ReflectiveGetter implements Getter {

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
                    return member instanceof Method accessor
                            ? accessor.invoke(instance)
                            : ((Field) member).get(instance);
                } catch (InvocationTargetException e) {
                    throw EntityType.unchecked(e.getCause() == null ? e : e.getCause());
                } catch (IllegalAccessException e) {
                    throw EntityType.unchecked(e);
                }
            };
        }
    }
}
