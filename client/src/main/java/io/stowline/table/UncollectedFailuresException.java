package io.stowline.table;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.Map;

/** The failure of a closed writer: some of its items failed, and their results were not taken. */
public final class UncollectedFailuresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ItemResult<Object, WriteResult>> failures;
    private final transient Map<Class<?>, Long> kinds;

    private final long count;

    /**
     * Makes the exception.
     *
     * @param failures the first failures
     * @param kinds the number of all failures by the class of their causes
     */
    public UncollectedFailuresException(List<ItemResult<Object, WriteResult>> failures, Map<Class<?>, Long> kinds) {
        super(describe(kinds), failures.isEmpty() ? null : failures.get(0).error());
        this.failures = List.copyOf(failures);
        this.kinds = Map.copyOf(kinds);
        this.count = sum(kinds);
    }

    /**
     * Returns the first failures: at most 1,000, and items of at most an eighth of {@code bufferBytes}.
     *
     * @return the items with their errors, in the order of failing
     */
    public List<ItemResult<Object, WriteResult>> failures() {
        return failures;
    }

    /**
     * Returns the number of all failures by the class of their causes.
     *
     * @return the counts
     */
    public Map<Class<?>, Long> kinds() {
        return kinds;
    }

    /**
     * Returns the number of all failures.
     *
     * @return the count
     */
    public long count() {
        return count;
    }

    private static String describe(Map<Class<?>, Long> kinds) {
        StringBuilder text = new StringBuilder(64)
                .append(sum(kinds))
                .append(sum(kinds) == 1 ? " item failed and its result was" : " items failed and their results were")
                .append(" not taken:");
        kinds.forEach((kind, count) ->
                text.append(' ').append(kind.getSimpleName()).append(' ').append(count));
        return text.toString();
    }

    private static long sum(Map<Class<?>, Long> kinds) {
        return kinds.values().stream().mapToLong(Long::longValue).sum();
    }
}
