package io.stowline.projection;

import io.stowline.projection.internal.scan.TypeScan;
import io.stowline.projection.internal.type.ClassCache;
import io.stowline.projection.internal.type.Conversion;
import io.stowline.projection.internal.type.StoredForm;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which Java types map to properties, beside the annotations of the types: converters, and the handling of missing properties.
 *
 * <pre>{@code
 * Mapping mapping = Mapping.builder()
 *         .convert(Currency.class, Converter.of(String.class, Currency::getCurrencyCode, Currency::getInstance))
 *         .zeroForMissing()
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
    private final boolean zeroForMissing;

    private final ClassCache<EntityType<?>> types =
            new ClassCache<>(type -> new EntityType<>(type, TypeScan.shape(type, this)));

    private Mapping(Builder builder) {
        converters = Map.copyOf(builder.converters);
        zeroForMissing = builder.zeroForMissing;
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
     * Returns whether a missing property of a primitive component is read as zero or false.
     *
     * @return false if the read fails
     */
    public boolean zeroForMissing() {
        return zeroForMissing;
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
        private boolean zeroForMissing;

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
         *     or the converter does not declare what it stores
         */
        public <J> Builder convert(Class<J> type, Converter<J, ?> converter) {
            Conversion.of(converter, type);
            converters.put(StoredForm.boxed(type), converter);
            return this;
        }

        /**
         * Reads a missing property of a primitive component as zero or false, for tables whose older entities lack it; a {@link Default} of
         * the component goes before it. Without this the read fails and names the property: {@link PropertyConversionException}.
         *
         * @return this builder
         */
        public Builder zeroForMissing() {
            zeroForMissing = true;
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
}
