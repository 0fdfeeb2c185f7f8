package io.stowline.examples.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the input.
 *
 * @param number its number among the rows, from 1
 * @param line the line in which it begins; in a JSON array, its number
 * @param values its values by column: text, a number of JSON as {@code BigDecimal}, or {@code Boolean}; absent columns are not there
 * @param text the row as text
 * @param problem why it cannot be read, or null
 */
public record InputRow(
        long number,
        long line,
        Map<String, Object> values,
        String text,
        @Nullable String problem) {}
