package io.stowline.projection.internal.read;

import io.stowline.projection.internal.type.TypeConstructor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An assembly that makes a record out of the two arrays of a {@link ComponentRow}. */
@FunctionalInterface
public interface ReaderAssembly {

    /** Throws what the type's own constructor throws, as it is. */
    Object make(@Nullable Object[] references, long[] primitives) throws Throwable;

    /** Throws {@code IllegalArgumentException} where the arguments are more than a handle takes. */
    static ReaderAssembly of(TypeConstructor constructor, List<ReaderArgument> arguments) {
        MethodHandle handle = constructor.handle();
        return handle == null ? reflective(constructor, arguments) : composed(handle, arguments);
    }

    /** Each parameter of the constructor is bound to its place in one of the two arrays, so primitives are not boxed. */
    private static ReaderAssembly composed(MethodHandle constructor, List<ReaderArgument> arguments) {
        MethodHandle[] values = arguments.stream().map(ReaderArgument::handle).toArray(MethodHandle[]::new);
        MethodHandle fromArrays = MethodHandles.filterArguments(constructor, 0, values);
        int[] order = new int[values.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = values[i].type().parameterType(0) == long[].class ? 1 : 0;
        }
        MethodType arrays = MethodType.methodType(Object.class, Object[].class, long[].class);
        MethodHandle whole = MethodHandles.permuteArguments(
                        fromArrays, arrays.changeReturnType(constructor.type().returnType()), order)
                .asType(arrays);
        return (references, primitives) -> (Object) whole.invokeExact(references, primitives);
    }

    private static ReaderAssembly reflective(TypeConstructor constructor, List<ReaderArgument> arguments) {
        ReaderArgument[] values = arguments.toArray(ReaderArgument[]::new);
        return (references, primitives) -> {
            @Nullable Object[] taken = new Object[values.length];
            for (int i = 0; i < taken.length; i++) {
                taken[i] = values[i].of(references, primitives);
            }
            return constructor.newInstance(taken);
        };
    }
}
