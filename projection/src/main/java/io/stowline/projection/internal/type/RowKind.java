package io.stowline.projection.internal.type;

import io.stowline.projection.Discriminator;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.RowPrefix;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mark by which the rows of a type are known among those of other types: a prefix of their row keys, or a property.
 *
 * @param prefix the prefix; empty for none
 * @param property the property; {@code null} for none
 * @param value the value of that property; empty for none
 */
public record RowKind(String prefix, @Nullable String property, String value) {

    private static final RowKind ANY = new RowKind("", null, "");

    /**
     * Returns the mark of a type.
     *
     * @param properties the properties of the type
     * @throws UnmappableTypeException if its annotations contradict each other or its components
     */
    public static RowKind of(Class<?> type, List<PropertyDescriptor> properties) {
        RowPrefix prefix = type.getAnnotation(RowPrefix.class);
        Discriminator discriminator = type.getAnnotation(Discriminator.class);
        try {
            if (prefix != null && discriminator != null) {
                throw new IllegalArgumentException(
                        "it has both @RowPrefix and @Discriminator; its rows need one of them");
            }
            return prefix != null ? of(prefix) : discriminator != null ? of(discriminator, properties) : ANY;
        } catch (IllegalArgumentException e) {
            throw new UnmappableTypeException(type, null, String.valueOf(e.getMessage()), e);
        }
    }

    private static RowKind of(RowPrefix prefix) {
        if (prefix.value().isEmpty()) {
            throw new IllegalArgumentException("its @RowPrefix is empty, which every row key begins with");
        }
        return new RowKind(KeyRules.check("@RowPrefix", prefix.value()), null, "");
    }

    private static RowKind of(Discriminator discriminator, List<PropertyDescriptor> properties) {
        String name = PropertyNames.check(discriminator.property());
        if (discriminator.value().isEmpty()) {
            throw new IllegalArgumentException("the value of its @Discriminator " + name + " is empty");
        }
        if (properties.stream().anyMatch(property -> property.name().equals(name))) {
            throw new IllegalArgumentException("a component is the property " + name
                    + ", which its @Discriminator writes; remove the component or name another property");
        }
        return new RowKind("", name, discriminator.value());
    }

    /** Returns whether rows of any form are of the type. */
    public boolean isAny() {
        return prefix.isEmpty() && property == null;
    }

    /** Refuses a row key that no row of the type has. The key itself is for the log only. */
    public String checkedKey(String rowKey, Class<?> type) {
        if (!rowKey.startsWith(prefix)) {
            String reason = " does not begin with \"" + prefix + "\", as the @RowPrefix of " + type.getSimpleName()
                    + " demands";
            throw new IllegalArgumentException(
                    "RowKey " + Abbreviation.quoted(rowKey) + reason, new InvalidKeyException("RowKey: it" + reason));
        }
        return rowKey;
    }

    /** Returns whether a row is of the type, by its key and its value of the property. */
    public boolean matches(String rowKey, @Nullable Object found) {
        return rowKey.startsWith(prefix) && (property == null || value.equals(found));
    }
}
