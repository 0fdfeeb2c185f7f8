package io.stowline.projection.internal.type;

import io.stowline.projection.Converter;
import io.stowline.projection.Default;
import io.stowline.projection.internal.edm.EdmType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;

/**
 * One property of a mapped type: its place in the table, and the component that it belongs to.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class PropertyDescriptor {

    private final String name;
    private final String component;
    private final boolean optional;
    private final StoredForm form;

    /**
     * Describes a property.
     *
     * @param name its name in the table
     * @param component the path of its component
     * @param optional whether the component is an {@code Optional}
     * @param form how its values are stored
     */
    public PropertyDescriptor(String name, String component, boolean optional, StoredForm form) {
        this.name = Objects.requireNonNull(name, "name");
        this.component = Objects.requireNonNull(component, "component");
        this.optional = optional;
        this.form = Objects.requireNonNull(form, "form");
    }

    /** Returns the property's name. */
    public String name() {
        return name;
    }

    /** Returns the type in which the property is stored. */
    public EdmType type() {
        return form.edmType();
    }

    /**
     * Returns the component that the property belongs to.
     *
     * @return its name; the path with dots for one of a nested value, such as {@code address.city}
     */
    public String component() {
        return component;
    }

    /**
     * Returns whether the property may be absent: true for every component but a primitive one. A primitive that has a default, by
     * {@link Default}, by a default argument in Kotlin or by {@link Mapping.Builder#zeroForMissing}, may be absent too.
     *
     * @return true if an entity without it can be read
     */
    public boolean optional() {
        return optional;
    }

    /**
     * Returns whether the stored values sort as the component's values do, so that a filter can compare their order. False for booleans,
     * enums, UUIDs, durations, {@code BigDecimal} and {@code BigInteger}. Of a component with a converter, {@link Converter#ordered} decides
     * it, whatever is stored.
     */
    public boolean ordered() {
        return form.ordered();
    }

    /**
     * Returns whether only stored text has a value of the component's type: a stored number, time or GUID, which travels as text too, would
     * come back as text.
     *
     * @return true for what is stored as Edm.String, but for {@code BigDecimal} and {@code BigInteger}, which read stored numbers
     */
    public boolean textOnly() {
        return type() == EdmType.STRING && javaType() != BigDecimal.class && javaType() != BigInteger.class;
    }

    /** Returns the component's type, boxed and taken out of its {@code Optional}. */
    public Class<?> javaType() {
        return form.javaType();
    }

    /**
     * Returns the stored form of a value: a {@code String}, {@code Boolean}, {@code Integer}, {@code Long}, {@code Double},
     * {@code Instant}, {@code UUID} or {@code byte[]}, by {@link #type}. A whole number is widened, or narrowed where its value fits;
     * the component's converter is applied.
     *
     * @param value a value of the component's type, boxed; of an {@code Optional} what is in it
     * @return what a property of this value holds
     * @throws IllegalArgumentException if the value is of another type, naming the property and both types, or if the
     *     converter fails
     */
    public Object stored(Object value) {
        return form.stored(name, value);
    }

    /** Returns name, type and component, for messages. */
    @Override
    public String toString() {
        return "PropertyDescriptor[" + name + ", " + type().wireName() + ", " + component + "]";
    }
}
