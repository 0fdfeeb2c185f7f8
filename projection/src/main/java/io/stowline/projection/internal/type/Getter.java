package io.stowline.projection.internal.type;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A component's value as plain objects to call: one for references, and one for each form in which primitives are stored. */
public interface Getter {

    /** Returns the class of the component. */
    Class<?> type();

    Function<Object, @Nullable Object> reference();

    Predicate<Object> bool();

    ToIntFunction<Object> int32();

    ToLongFunction<Object> int64();

    ToDoubleFunction<Object> doubleValue();
}
