package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the prefix of the row keys of a type whose rows share partitions with those of other types. A key without it is refused on writing
 * and on reading, and queries of the type find its rows only.
 *
 * <pre>{@code
 * sealed interface StaffRow permits Department, Employee {}
 *
 * @RowPrefix("D:")
 * record Department(@PartitionKey String name, @RowKey String key, String head) implements StaffRow {}
 *
 * @RowPrefix("E:")
 * record Employee(@PartitionKey String department, @RowKey String key, String name) implements StaffRow {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RowPrefix {

    /**
     * Returns the prefix.
     *
     * @return one or more characters that a key may have
     */
    String value();
}
