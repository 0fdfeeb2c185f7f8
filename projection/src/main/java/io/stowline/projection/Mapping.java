package io.stowline.projection;

import io.stowline.projection.internal.scan.TypeScan;
import io.stowline.projection.internal.type.ClassCache;
import io.stowline.projection.internal.type.Conversion;
import io.stowline.projection.internal.type.StoredForm;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which Java types map to properties, beside the annotations of the types: converters, and the handling of missing properties.
 *
 * <pre>{@code
 * Mapping mapping = Mapping.builder()
 *         .convert(Currency.class, Converter.of(String.class, Currency::getCurrencyCode, Currency::getInstance))
 *         .missing(Mapping.MissingProperty.DEFAULT)
 *         .build();
 * }</pre>
 *
 * <p>Immutable and safe for use by many threads. It keeps one {@link EntityType} for each class, softly: while a caller
 * holds it, and else until memory runs short. So neither a class nor a mapping keeps the other's class loader for good.
 * Make one mapping and use it again.
 */
public final class Mapping {

    private static final Mapping STANDARD = builder().build();

    private final Map<Class<?>, Converter<?, ?>> converters;
    private final MissingProperty missing;

    private final ClassCache<EntityType<?>> types =
            new ClassCache<>(type -> new EntityType<>(type, TypeScan.shape(type, this)));

    private Mapping(Builder builder) {
        converters = Map.copyOf(builder.converters);
        missing = builder.missing;
    }

    /**
     * Returns the mapping without converters that refuses entities without a property of a primitive component.
     *
     * @return always the same mapping
     */
    public static Mapping standard() {
        return STANDARD;
    }

    /**
     * Begins a mapping with what {@link #standard} has.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns what a read does when the property of a primitive component is not there.
     *
     * @return the choice
     */
    public MissingProperty missing() {
        return missing;
    }

    /**
     * Returns the converter for a type.
     *
     * @param type the type, primitive ones as their boxed type
     * @return the converter, or {@code null} if there is none
     */
    public @Nullable Converter<?, ?> converter(Class<?> type) {
        return converters.get(StoredForm.boxed(type));
    }

    EntityType<?> type(Class<?> type) {
        return types.get(type);
    }

    /** A builder that collects the parts of a mapping. Not safe for use by many threads. */
    public static final class Builder {

        private final Map<Class<?>, Converter<?, ?>> converters = new HashMap<>();
        private MissingProperty missing = MissingProperty.REFUSE;

        private Builder() {}

        /**
         * Stores all components of a class by a converter, those of nested values too. It goes before the class's own
         * rule, and serves the primitive type with the boxed one. Keys, timestamp and ETag are not converted, and neither
         * are components whose type has parameters; they have {@link Converted}. A mark of the component goes before it:
         * {@link Converted}, and {@link Nested}, which stores the components of the class.
         *
         * @param type the class of the components, exactly; the last converter for a class counts
         * @param converter stores its values, and is safe for use by many threads
         * @param <J> the class
         * @return this builder
         * @throws IllegalArgumentException if what the converter stores has no place in the table of {@link EntityType},
         *     or the converter does not say what it stores
         */
        public <J> Builder convert(Class<J> type, Converter<J, ?> converter) {
            Conversion.of(converter, type);
            converters.put(StoredForm.boxed(type), converter);
            return this;
        }

        /**
         * Says what a read does when the property of a primitive component is not there.
         *
         * @param choice {@link MissingProperty#REFUSE} unless set; a {@link Default} of the component goes before it
         * @return this builder
         */
        public Builder missing(MissingProperty choice) {
            missing = Objects.requireNonNull(choice, "missing");
            return this;
        }

        /**
         * Makes the mapping.
         *
         * @return the mapping
         */
        public Mapping build() {
            return new Mapping(this);
        }
    }

    /** The rule for a read that misses the property of a primitive component. */
    public enum MissingProperty {
        /** The read fails and names the property: {@link PropertyConversionException}. The default. */
        REFUSE,
        /** The component is zero or false: for tables whose older entities lack a property. */
        DEFAULT
    }
}
