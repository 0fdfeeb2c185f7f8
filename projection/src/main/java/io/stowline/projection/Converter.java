package io.stowline.projection;

import io.stowline.projection.internal.type.Conversion.FunctionConverter;
import java.util.Objects;
import java.util.function.Function;

/**
 * A converter that stores values of a Java type as values of a type in the table of {@link EntityType}.
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
     * Returns the stored type.
     *
     * @return one of the types in the table of {@link EntityType}; read once, when a type is registered
     */
    Class<S> storedType();

    /**
     * Returns the stored form of a value.
     *
     * @param value the value, never null
     * @return what is stored, never null
     */
    S store(J value);

    /**
     * Returns the value of a stored form.
     *
     * @param stored what was stored, never null
     * @return the value, never null
     */
    J restore(S stored);

    /**
     * Returns whether the stored values sort as the values do, so that filters may compare their order: {@code a} comes
     * before {@code b} exactly where the service sorts {@code store(a)} before {@code store(b)}. Only the converter can
     * know: nothing checks it, and a wrong value makes filters find the wrong entities.
     *
     * @return true if they sort alike; false by default, and filters then compare for equality only
     */
    default boolean ordered() {
        return false;
    }

    /**
     * Returns a converter of two functions, which is not {@link #ordered}.
     *
     * @param storedType the type that is stored
     * @param store from the value to what is stored
     * @param restore the way back
     * @param <J> the Java type of the components
     * @param <S> the type that is stored
     * @return the converter
     */
    static <J, S> Converter<J, S> of(Class<S> storedType, Function<J, S> store, Function<S, J> restore) {
        Objects.requireNonNull(storedType, "storedType");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(restore, "restore");
        return new FunctionConverter<>(storedType, store, restore, false);
    }

    /**
     * Returns a converter of two functions whose stored values sort as the values do; see {@link #ordered}.
     *
     * <pre>{@code
     * Converter<LocalDate, Long> day = Converter.ofOrdered(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay);
     * }</pre>
     *
     * @param storedType the type that is stored
     * @param store from the value to what is stored
     * @param restore the way back
     * @param <J> the Java type of the components
     * @param <S> the type that is stored
     * @return the converter
     */
    static <J, S> Converter<J, S> ofOrdered(Class<S> storedType, Function<J, S> store, Function<S, J> restore) {
        Objects.requireNonNull(storedType, "storedType");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(restore, "restore");
        return new FunctionConverter<>(storedType, store, restore, true);
    }
}
