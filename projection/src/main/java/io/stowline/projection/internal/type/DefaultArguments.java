package io.stowline.projection.internal.type;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The default arguments of a constructor as Kotlin's compiler makes them: a synthetic constructor beside it that takes the same
 * parameters, a bit for each of them that takes its default, and a marker. The shape alone decides, so no class of Kotlin is needed.
 */
final class DefaultArguments {

    private static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

    private DefaultArguments() {}

    /** Returns the number of masks, each with a bit for 32 parameters, of a constructor with so many parameters. */
    static int masks(int parameters) {
        return (parameters + Integer.SIZE - 1) / Integer.SIZE;
    }

    /** Returns the synthetic constructor with the default arguments of this one, or null if it has none. */
    static @Nullable Constructor<?> of(Constructor<?> constructor) {
        Class<?>[] own = constructor.getParameterTypes();
        int masks = masks(own.length);
        for (Constructor<?> other : constructor.getDeclaringClass().getDeclaredConstructors()) {
            Class<?>[] types = other.getParameterTypes();
            if (isHidden(other)
                    && own.length > 0
                    && types.length == own.length + masks + 1
                    && Arrays.equals(own, Arrays.copyOf(types, own.length))
                    && IntStream.range(own.length, own.length + masks).allMatch(index -> types[index] == int.class)) {
                return other;
            }
        }
        return null;
    }

    /** Returns whether only code of Kotlin can call it. */
    static boolean isHidden(Constructor<?> constructor) {
        Class<?>[] types = constructor.getParameterTypes();
        return constructor.isSynthetic()
                && types.length > 0
                && types[types.length - 1].getName().equals(MARKER);
    }

    /** Returns whether a constructor takes these parameters or only leaves some out, as those of {@code @JvmOverloads} do. */
    static boolean isLeftOut(Constructor<?> constructor, Constructor<?> whole) {
        List<Class<?>> left = List.of(constructor.getParameterTypes());
        int found = 0;
        for (Class<?> type : whole.getParameterTypes()) {
            if (found < left.size() && left.get(found) == type) {
                found++;
            }
        }
        return found == left.size();
    }
}
