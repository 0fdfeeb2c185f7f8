package io.stowline.spark.internal.write;

import io.stowline.table.EntityKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a task that failed: their number, the reason of the first and the keys of the first ten, without values of properties. For the thread of the task. */
final class FailedRows {

    private static final int NAMED = 10;
    private static final int KEY_CHARS = 100;

    private final String table;
    private final List<String> others = new ArrayList<>();
    private String first = "";
    private @Nullable Throwable cause;
    private long count;

    FailedRows(String table) {
        this.table = table;
    }

    /** Returns the failure of a row that is not sent. */
    static IOException refused(String table, EntityKey key, RuntimeException reason) {
        FailedRows rows = new FailedRows(table);
        rows.add(key, String.valueOf(reason.getMessage()), reason);
        return rows.exception();
    }

    void add(EntityKey key, String reason, @Nullable Throwable failure) {
        count++;
        if (count == 1) {
            first = name(key) + ": " + reason;
            cause = failure;
        } else if (count <= NAMED) {
            others.add(name(key));
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    IOException exception() {
        StringBuilder text = new StringBuilder(count == 1 ? "a row was" : count + " rows were")
                .append(" not written to the table ")
                .append(table)
                .append(": ")
                .append(first);
        if (!others.isEmpty()) {
            text.append("; nor were ").append(String.join(", ", others));
        }
        if (count > NAMED) {
            text.append(" and ").append(count - NAMED).append(" more");
        }
        return new IOException(text.toString(), cause);
    }

    private static String name(EntityKey key) {
        return new EntityKey(shortened(key.partitionKey()), shortened(key.rowKey())).toString();
    }

    private static String shortened(String key) {
        return key.length() <= KEY_CHARS ? key : key.substring(0, KEY_CHARS) + "\u2026";
    }
}
