package io.stowline.table.transfer;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.internal.edm.PropertyNames;
import java.util.Objects;
import java.util.Optional;

/**
 * The treatment of entities that the target of an import or a copy has already. All modes can be repeated: an import that was killed gives
 * the rows that it gives in one run.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class ImportMode {

    /** The decision about a row whose entity exists. */
    public enum Rule {
        /** Rejects the row unless it equals the entity. */
        INSERT_ONLY,
        /** Sets the properties of the row; the entity's others stay. */
        MERGE,
        /** Replaces the entity. */
        REPLACE,
        /** Replaces the entity if a property of the row is greater. */
        REPLACE_IF_NEWER
    }

    private static final ImportMode INSERT_ONLY = new ImportMode(Rule.INSERT_ONLY, Optional.empty());
    private static final ImportMode MERGE = new ImportMode(Rule.MERGE, Optional.empty());
    private static final ImportMode REPLACE = new ImportMode(Rule.REPLACE, Optional.empty());

    private final Rule rule;
    private final Optional<String> property;

    private ImportMode(Rule rule, Optional<String> property) {
        this.rule = rule;
        this.property = property;
    }

    /**
     * Inserts entities that do not exist. A row whose entity exists with equal properties counts as unchanged; one that differs is rejected.
     *
     * @return the mode
     */
    public static ImportMode insertOnly() {
        return INSERT_ONLY;
    }

    /**
     * Inserts entities, or sets the properties of the row on the existing ones.
     *
     * @return the mode
     */
    public static ImportMode merge() {
        return MERGE;
    }

    /**
     * Inserts entities, or replaces the existing ones.
     *
     * @return the mode, the default
     */
    public static ImportMode replace() {
        return REPLACE;
    }

    /**
     * Inserts entities, or replaces those in which a property is less than in the row, or absent. The version that was compared is replaced
     * and no other. A row without the property, or with another type of it, is rejected. Costs one query more for each transaction.
     *
     * @param property the property's name, or {@code Timestamp}, which the file and the service both have
     * @return the mode
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public static ImportMode replaceIfNewer(String property) {
        Objects.requireNonNull(property, "property");
        return new ImportMode(
                Rule.REPLACE_IF_NEWER,
                Optional.of(property.equals(PropertyNames.TIMESTAMP) ? property : PropertyNames.check(property)));
    }

    /**
     * Returns the decision about existing entities.
     *
     * @return the rule
     */
    public Rule rule() {
        return rule;
    }

    /**
     * Returns the property that decides which entity is newer.
     *
     * @return its name; empty but for {@link Rule#REPLACE_IF_NEWER}
     */
    public Optional<String> property() {
        return property;
    }

    @Override
    public String toString() {
        return PrintableText.of(rule + property.map(name -> "(" + name + ")").orElse(""));
    }
}
