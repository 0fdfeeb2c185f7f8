package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.PropertyConversionException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/**
 * The failure of a read of an entity that its Java type cannot take. A property has another type or is missing, or the
 * type's constructor or converter refuses it. Others of the same response can be read: see {@link Query#skipUnreadable}.
 * The cause is a {@link PropertyConversionException}, an exception of the application's code, or {@link
 * java.io.UncheckedIOException} for a value that is no JSON.
 */
public final class UnreadableEntityException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String table;
    private final String partitionKey;
    private final String rowKey;

    /**
     * An entity that cannot be read.
     *
     * @param table the table's name
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param cause why
     */
    public UnreadableEntityException(String table, String partitionKey, String rowKey, RuntimeException cause) {
        super(
                PrintableText.of("the entity (" + partitionKey + ", " + rowKey + ") of table " + table
                        + " cannot be read: "
                        + (cause instanceof PropertyConversionException || cause instanceof UncheckedIOException
                                ? cause.getMessage()
                                : cause.toString())),
                Objects.requireNonNull(cause, "cause"));
        this.table = Objects.requireNonNull(table, "table");
        this.partitionKey = Objects.requireNonNull(partitionKey, "partitionKey");
        this.rowKey = Objects.requireNonNull(rowKey, "rowKey");
    }

    /**
     * Returns where the entity is.
     *
     * @return the table's name
     */
    public String table() {
        return table;
    }

    /**
     * Returns which partition the entity is in.
     *
     * @return its partition key; empty if the read did not fetch it
     */
    public String partitionKey() {
        return partitionKey;
    }

    /**
     * Returns which entity of the partition it is.
     *
     * @return its row key; empty if the read did not fetch it
     */
    public String rowKey() {
        return rowKey;
    }

    /**
     * Returns which property does not fit.
     *
     * @return its name in the table; empty if the type's constructor refused the whole
     */
    public Optional<String> property() {
        return getCause() instanceof PropertyConversionException conversion
                ? Optional.of(conversion.property())
                : Optional.empty();
    }
}
