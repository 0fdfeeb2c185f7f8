package io.stowline.projection.internal.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Optional;

/**
 * An assembly that composes the handle {@code (Object[], long[]) -> Object} that makes a record out of a {@link ComponentRow}: each parameter of
 * the constructor is bound to its place in one of the two arrays, so primitives are not boxed.
 */
public final class ReaderAssembly {

    private static final MethodType ROW_TO_RECORD = MethodType.methodType(Object.class, Object[].class, long[].class);

    private static final MethodHandle OPTIONAL_OF_NULLABLE =
            find(Optional.class, "ofNullable", MethodType.methodType(Optional.class, Object.class));
    private static final MethodHandle BITS_TO_DOUBLE =
            find(Double.class, "longBitsToDouble", MethodType.methodType(double.class, long.class));

    private ReaderAssembly() {}

    public static MethodHandle compose(MethodHandle constructor, List<MethodHandle> arguments) {
        MethodHandle fromArrays = MethodHandles.filterArguments(constructor, 0, arguments.toArray(MethodHandle[]::new));
        int[] order = new int[arguments.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = arguments.get(i).type().parameterType(0) == long[].class ? 1 : 0;
        }
        MethodType arrays = ROW_TO_RECORD.changeReturnType(constructor.type().returnType());
        return MethodHandles.permuteArguments(fromArrays, arrays, order).asType(ROW_TO_RECORD);
    }

    /** Returns a handle to the value of a primitive component that is kept as bits. */
    public static MethodHandle bits(int position, Class<?> parameter) {
        MethodHandle bits = element(long[].class, position);
        boolean floating = parameter == double.class || parameter == float.class;
        MethodHandle value = floating ? MethodHandles.filterReturnValue(bits, BITS_TO_DOUBLE) : bits;
        return MethodHandles.explicitCastArguments(value, MethodType.methodType(parameter, long[].class));
    }

    /** Returns a handle to the value of a component that is kept as a reference. */
    public static MethodHandle value(int position, Class<?> parameter, boolean optional) {
        MethodHandle element = element(Object[].class, position);
        MethodHandle value = optional ? MethodHandles.filterReturnValue(element, OPTIONAL_OF_NULLABLE) : element;
        return value.asType(MethodType.methodType(parameter, Object[].class));
    }

    /** Returns a handle to the empty value of an ignored component. */
    public static MethodHandle nothing(Class<?> parameter) {
        MethodHandle none = parameter == Optional.class
                ? MethodHandles.constant(Optional.class, Optional.empty())
                : MethodHandles.zero(parameter);
        return MethodHandles.dropArguments(none, 0, Object[].class);
    }

    private static MethodHandle element(Class<?> array, int position) {
        return MethodHandles.insertArguments(MethodHandles.arrayElementGetter(array), 1, position);
    }

    private static MethodHandle find(Class<?> owner, String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findStatic(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
