package io.stowline.testkit.internal.wire;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a table or of an entity: {@code T}, {@code T()} or {@code T(PartitionKey='p',RowKey='r')}.
 *
 * @param table the table's name as sent
 * @param predicate what stands between the parentheses, decoded; {@code null} without parentheses
 * @param partitionKey the key, when the predicate names both
 * @param rowKey the key, when the predicate names both
 */
public record TableAddress(
        String table,
        @Nullable String predicate,
        @Nullable String partitionKey,
        @Nullable String rowKey) {

    private static final String KEY = "\\s*(PartitionKey|RowKey)\\s*='((?:[^']|'')*+)'";
    private static final Pattern KEYS = Pattern.compile(KEY + ",(?!\\s*\\1)" + KEY + "\\s*");

    /**
     * Reads the address at the end of a path.
     *
     * @param path the raw path; a slash in a key is encoded there
     */
    public static TableAddress of(String path) {
        int open = path.indexOf('(');
        String table = path.substring(path.lastIndexOf('/', open < 0 ? path.length() : open) + 1);
        if (open < 0) {
            return new TableAddress(table, null, null, null);
        }
        int close = path.lastIndexOf(')');
        String predicate = Targets.decodedPath(path.substring(open + 1, Math.max(close, open + 1)));
        Matcher keys = KEYS.matcher(predicate);
        boolean both = keys.matches();
        boolean partitionFirst = both && keys.group(1).equals("PartitionKey");
        return new TableAddress(
                table.substring(0, table.indexOf('(')),
                predicate,
                both ? unquoted(keys.group(partitionFirst ? 2 : 4)) : null,
                both ? unquoted(keys.group(partitionFirst ? 4 : 2)) : null);
    }

    private static String unquoted(String key) {
        return key.replace("''", "'");
    }

    /**
     * Returns whether it is the address of an entity.
     *
     * @return whether both keys are there
     */
    public boolean isEntity() {
        return partitionKey != null && rowKey != null;
    }

    /**
     * Returns whether the address is one of a query.
     *
     * @return whether it is a table without keys
     */
    public boolean isQuery() {
        return !table.isEmpty() && !isTables() && !isBatch() && (predicate == null || predicate.isBlank());
    }

    /**
     * Returns whether it is the list of tables or one of its members.
     *
     * @return whether it begins with {@code Tables}
     */
    public boolean isTables() {
        return table.equals("Tables");
    }

    /**
     * Returns the member of the list of tables.
     *
     * @return the name in {@code Tables('name')}, empty for any other address
     */
    public Optional<String> listed() {
        String name = predicate == null ? "" : predicate;
        boolean quoted = name.length() > 2 && name.startsWith("'") && name.endsWith("'");
        return isTables() && quoted ? Optional.of(name.substring(1, name.length() - 1)) : Optional.empty();
    }

    /**
     * Returns whether batches are sent there.
     *
     * @return whether it is {@code $batch}
     */
    public boolean isBatch() {
        return table.equals("$batch");
    }

    /** Returns whether the parentheses of the address contain something else than a pair of keys. */
    public boolean isMalformed() {
        return predicate != null && !predicate.isBlank() && !isEntity();
    }
}
