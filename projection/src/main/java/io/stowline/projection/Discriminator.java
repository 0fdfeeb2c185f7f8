package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the text property by which the rows of a type are known among those of other types in the same partitions. Each write sets it; a row
 * without it or with another value is refused on reading, and queries of the type find its rows only. The service compares no property of a write
 * by key: a deletion, an update or a partial update of this type at the key of another one changes that row. Keys that a {@link RowPrefix} keeps
 * apart do not have this danger.
 *
 * <pre>{@code
 * sealed interface Payment permits Card, Transfer {}
 *
 * @Discriminator(property = "kind", value = "card")
 * record Card(@PartitionKey String customer, @RowKey String id, String holder) implements Payment {}
 *
 * @Discriminator(property = "kind", value = "transfer")
 * record Transfer(@PartitionKey String customer, @RowKey String id, String iban) implements Payment {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Discriminator {

    /**
     * Returns the property.
     *
     * @return its name in the table; no component of the type has it
     */
    String property();

    /**
     * Returns the value that the rows of the type have.
     *
     * @return text of at least one character
     */
    String value();
}
