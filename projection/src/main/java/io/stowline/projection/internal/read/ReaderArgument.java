package io.stowline.projection.internal.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The value that a {@link ComponentRow} has for one parameter of a constructor. */
public final class ReaderArgument {

    private enum Kind {
        BITS,
        REFERENCE,
        OPTIONAL,
        NOTHING
    }

    private final Kind kind;
    private final int position;
    private final Class<?> parameter;

    private ReaderArgument(Kind kind, int position, Class<?> parameter) {
        this.kind = kind;
        this.position = position;
        this.parameter = parameter;
    }

    /** Returns the value of a primitive component that is kept as bits. */
    public static ReaderArgument bits(int position, Class<?> parameter) {
        return new ReaderArgument(Kind.BITS, position, parameter);
    }

    /** Returns the value of a component that is kept as a reference. */
    public static ReaderArgument value(int position, Class<?> parameter, boolean optional) {
        return new ReaderArgument(optional ? Kind.OPTIONAL : Kind.REFERENCE, position, parameter);
    }

    /** Returns the empty value of an ignored component. */
    public static ReaderArgument nothing(Class<?> parameter) {
        return new ReaderArgument(Kind.NOTHING, 0, parameter);
    }

    /** Returns a handle from one of the two arrays to the parameter. */
    MethodHandle handle() {
        return switch (kind) {
            case BITS -> {
                MethodHandle bits = element(long[].class);
                MethodHandle value =
                        isFloating() ? MethodHandles.filterReturnValue(bits, Conversions.BITS_TO_DOUBLE) : bits;
                yield MethodHandles.explicitCastArguments(value, MethodType.methodType(parameter, long[].class));
            }
            case REFERENCE -> element(Object[].class).asType(MethodType.methodType(parameter, Object[].class));
            case OPTIONAL ->
                MethodHandles.filterReturnValue(element(Object[].class), Conversions.OPTIONAL_OF_NULLABLE)
                        .asType(MethodType.methodType(parameter, Object[].class));
            case NOTHING ->
                MethodHandles.dropArguments(
                        parameter == Optional.class
                                ? MethodHandles.constant(Optional.class, Optional.empty())
                                : MethodHandles.zero(parameter),
                        0,
                        Object[].class);
        };
    }

    /** Returns the value itself, boxed. */
    @Nullable
    Object of(@Nullable Object[] references, long[] primitives) {
        return switch (kind) {
            case BITS -> boxed(primitives[position]);
            case REFERENCE -> references[position];
            case OPTIONAL -> Optional.ofNullable(references[position]);
            case NOTHING -> parameter == Optional.class ? Optional.empty() : parameter.isPrimitive() ? boxed(0) : null;
        };
    }

    private boolean isFloating() {
        return parameter == double.class || parameter == float.class;
    }

    private Object boxed(long bits) {
        if (parameter == boolean.class) {
            return (bits & 1) != 0;
        }
        if (parameter == byte.class) {
            return (byte) bits;
        }
        if (parameter == short.class) {
            return (short) bits;
        }
        if (parameter == int.class) {
            return (int) bits;
        }
        if (parameter == long.class) {
            return bits;
        }
        if (parameter == float.class) {
            return (float) Double.longBitsToDouble(bits);
        }
        return parameter == double.class ? (Object) Double.longBitsToDouble(bits) : (Object) (char) bits;
    }

    private MethodHandle element(Class<?> array) {
        return MethodHandles.insertArguments(MethodHandles.arrayElementGetter(array), 1, position);
    }

    /** The methods that handles call. A class apart, since a native image does not find them by their names. */
    private static final class Conversions {

        static final MethodHandle OPTIONAL_OF_NULLABLE =
                find(Optional.class, "ofNullable", MethodType.methodType(Optional.class, Object.class));
        static final MethodHandle BITS_TO_DOUBLE =
                find(Double.class, "longBitsToDouble", MethodType.methodType(double.class, long.class));

        private Conversions() {}

        private static MethodHandle find(Class<?> owner, String name, MethodType type) {
            try {
                return MethodHandles.publicLookup().findStatic(owner, name, type);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
