package io.stowline.table.internal.request;

import io.stowline.table.TableOperation;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An operation on one entity. */
public enum EntityVerb {
    /** Inserts an entity that does not exist yet. */
    INSERT("insert"),
    /** Inserts an entity, or sets its properties on the existing one. */
    INSERT_OR_MERGE("insertOrMerge"),
    /** Inserts an entity, or replaces the existing one. */
    INSERT_OR_REPLACE("insertOrReplace"),
    /** Replaces an entity whose ETag is known. */
    REPLACE("replace"),
    /** Sets properties on an entity whose ETag is known. */
    MERGE("merge"),
    /** Removes an entity. */
    DELETE("delete");

    private static final Map<String, EntityVerb> BY_LABEL =
            Arrays.stream(values()).collect(Collectors.toMap(EntityVerb::label, Function.identity()));

    private final String label;

    EntityVerb(String label) {
        this.label = label;
    }

    /** Returns the verb of an operation. */
    public static EntityVerb of(TableOperation<?, ?> operation) {
        return Objects.requireNonNull(BY_LABEL.get(operation.verb()), "verb");
    }

    /** Returns the name of the method of a table that does it, such as {@code insertOrMerge}. */
    public String label() {
        return label;
    }

    /**
     * Returns whether it needs an {@code If-Match}. With one an upsert would be a replacement, and without one a replacement an upsert.
     *
     * @return true for {@link #REPLACE}, {@link #MERGE} and {@link #DELETE}
     */
    public boolean conditional() {
        return this == REPLACE || this == MERGE || this == DELETE;
    }

    /**
     * Returns whether it sends properties.
     *
     * @return true for all but {@link #DELETE}
     */
    public boolean hasBody() {
        return this != DELETE;
    }

    /**
     * Returns whether it leaves the same state whatever was there, so that a later one can stand for an earlier one.
     *
     * @return true for {@link #INSERT_OR_MERGE} and {@link #INSERT_OR_REPLACE}
     */
    public boolean upsert() {
        return this == INSERT_OR_MERGE || this == INSERT_OR_REPLACE;
    }

    /**
     * Returns whether the properties that it sends are the whole entity afterwards.
     *
     * @return true for {@link #INSERT}, {@link #INSERT_OR_REPLACE} and {@link #REPLACE}
     */
    public boolean replaces() {
        return this == INSERT || this == INSERT_OR_REPLACE || this == REPLACE;
    }
}
