package io.stowline.projection.internal.type;

import io.stowline.projection.Converter;
import java.util.function.Function;

/** A converter of two functions. */
public record FunctionConverter<J, S>(Class<S> storedType, Function<J, S> forth, Function<S, J> back, boolean ordered)
        implements Converter<J, S> {

    @Override
    public S store(J value) {
        return forth.apply(value);
    }

    @Override
    public J restore(S stored) {
        return back.apply(stored);
    }
}
