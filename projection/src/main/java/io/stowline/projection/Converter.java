package io.stowline.projection;

import java.util.function.Function;

/**
 * Stores values of a Java type as values of another one that has a place in the table of {@link EntityType}.
 *
 * <pre>{@code
 * Converter<Currency, String> currency =
 *         Converter.of(String.class, Currency::getCurrencyCode, Currency::getInstance);
 * }</pre>
 *
 * <p>Both directions are never given null and must not give null. What {@link #restore} throws becomes a
 * {@link PropertyConversionException}, what {@link #store} throws an {@code IllegalArgumentException}; both name the
 * property. An implementation is safe for use by many threads.
 *
 * @param <J> the Java type of the components
 * @param <S> the type that is stored
 */
public interface Converter<J, S> {

    /**
     * The type that is stored.
     *
     * @return one of the types in the table of {@link EntityType}; asked for once, when a type is registered
     */
    Class<S> storedType();

    /**
     * The stored form of a value.
     *
     * @param value the value, never null
     * @return what is stored, never null
     */
    S store(J value);

    /**
     * The value of a stored form.
     *
     * @param stored what was stored, never null
     * @return the value, never null
     */
    J restore(S stored);

    /**
     * A converter of two functions.
     *
     * @param storedType the type that is stored
     * @param store from the value to what is stored
     * @param restore the way back
     * @param <J> the Java type of the components
     * @param <S> the type that is stored
     * @return the converter
     */
    static <J, S> Converter<J, S> of(Class<S> storedType, Function<J, S> store, Function<S, J> restore) {
        return new FunctionConverter<>(storedType, store, restore);
    }
}
