package io.stowline.spring.boot.batch;

import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamException;
import org.springframework.batch.infrastructure.item.ReaderNotOpenException;
import org.springframework.batch.infrastructure.item.support.AbstractItemStreamItemReader;

/**
 * A reader of Spring Batch that reads the results of a query, page by page, and goes on at its position after a restart.
 *
 * <pre>{@code
 * TableItemReader<Runner> reader = TableItemReader.of("runners", runners.query().partition("full").pageSize(100));
 * }</pre>
 *
 * <p><b>Position</b>: each commit stores the token of the page and the number of its rows that were read. A restart reads that page again and
 * passes over these rows. No row is skipped or read twice, unless rows of that page were inserted, or removed, or left the conditions of
 * the query since. With a page size that is the size of the chunks each commit falls between two pages. Then a changed table moves no position:
 * rows behind it are read as they are, and rows before it are not. A run that has read its last row is at its end: a restart reads nothing more,
 * as the same run without a failure would not have.
 *
 * <p>The execution context keeps the token, which holds keys in readable form. It belongs to table and conditions of the query. The page size
 * may change between the runs. The query is neither divided nor limited.
 *
 * <p>It can be a bean of the step scope. Not thread-safe: {@code SynchronizedItemStreamReader} of Spring Batch wraps it for a step with several threads, whose restart is no longer
 * exact.
 *
 * @param <T> the type of the items
 */
public class TableItemReader<T> extends AbstractItemStreamItemReader<T> {

    private static final String TOKEN = "page.token";
    private static final String READ = "page.read";

    /** The first page has no token: that of the next one shows at a restart whether the query is the same. */
    private static final String NEXT = "page.next";

    /** In the place of the number of rows: the end has no token, and a count would pass over rows that were inserted or removed since. */
    private static final long END = -1;

    private final PagedRead<T> source;
    private boolean saveState = true;
    private @Nullable String token;
    private Query.@Nullable Page<T> page;
    private int read;

    /** A read of the pages of a query. */
    @FunctionalInterface
    interface PagedRead<T> {

        /** Reads the page of a token, or the first page. */
        Query.Page<T> page(@Nullable String token);
    }

    /** Visible to the proxies of the step scope. */
    @SuppressWarnings("this-escape") // a setter of the framework
    TableItemReader(String name, PagedRead<T> source) {
        this.source = source;
        setName(name);
    }

    /**
     * Returns a reader of values.
     *
     * @param name the name below which the execution context of the step keeps the position
     * @param query the query
     * @param <T> what a result is
     * @return the reader
     */
    public static <T> TableItemReader<T> of(String name, Query<T> query) {
        Objects.requireNonNull(query, "query");
        return new TableItemReader<>(
                Objects.requireNonNull(name, "name"), token -> token == null ? query.page() : query.page(token));
    }

    /**
     * Returns a reader of values with their ETags, for a writer that changes or deletes the versions that were read.
     *
     * @param name the name below which the execution context of the step keeps the position
     * @param query the query
     * @param <T> the type of the values
     * @return the reader
     */
    public static <T> TableItemReader<StoredEntity<T>> stored(String name, Query<T> query) {
        Objects.requireNonNull(query, "query");
        return new TableItemReader<>(
                Objects.requireNonNull(name, "name"),
                token -> token == null ? query.pageStored() : query.pageStored(token));
    }

    /**
     * Sets whether commits store the position, as the readers of Spring Batch have it.
     *
     * @param saveState {@code false} for a reader that begins again after a restart, such as one whose rows leave the conditions of the query
     *     when they are done; {@code true} by default
     */
    public void setSaveState(boolean saveState) {
        this.saveState = saveState;
    }

    /**
     * Reads the first page, or the one at which an earlier run of the step has stopped.
     *
     * @throws ItemStreamException if the stored position belongs to another query
     * @throws IllegalStateException if the query is divided, limited, or a scan that the table's policy refuses
     */
    @Override
    public void open(ExecutionContext executionContext) {
        boolean again = saveState && executionContext.containsKey(getExecutionContextKey(READ));
        token = again ? executionContext.get(getExecutionContextKey(TOKEN), String.class) : null;
        long before = again ? executionContext.getLong(getExecutionContextKey(READ)) : 0;
        if (before == END) {
            page = new Query.Page<>(List.of(), Optional.empty());
            read = 0;
            return;
        }
        String next = again && token == null ? executionContext.get(getExecutionContextKey(NEXT), String.class) : null;
        try {
            if (next != null) {
                source.page(next);
            }
            Query.Page<T> current = source.page(token);
            // A page can be shorter than before: the page size or the table has changed.
            while (before > current.values().size() && current.nextToken().isPresent()) {
                before -= current.values().size();
                token = current.nextToken().get();
                current = source.page(token);
            }
            page = current;
            read = (int) Math.min(before, current.values().size());
        } catch (InvalidPageTokenException e) {
            throw new ItemStreamException(
                    "The reader '" + getName() + "' cannot go on at the position that the execution context has under '"
                            + getExecutionContextKey(next == null ? TOKEN : NEXT) + "': " + e.getMessage()
                            + ". Restart the job with the query of its earlier run, or start a new instance of the"
                            + " job.",
                    e);
        }
    }

    /**
     * Reads the next item. After a failure the call can be repeated.
     *
     * @return the item; {@code null} at the end
     * @throws ReaderNotOpenException if the reader is not open
     */
    @Override
    public @Nullable T read() {
        Query.Page<T> current = page;
        if (current == null) {
            throw new ReaderNotOpenException(
                    "The reader '" + getName() + "' is not open. Register it as a stream of its step.");
        }
        while (read == current.values().size()) {
            Optional<String> next = current.nextToken();
            if (next.isEmpty()) {
                return null;
            }
            current = source.page(next.get());
            turnTo(next.get(), current);
        }
        return current.values().get(read++);
    }

    private void turnTo(String token, Query.Page<T> next) {
        this.token = token;
        page = next;
        read = 0;
    }

    @Override
    public void update(ExecutionContext executionContext) {
        Query.Page<T> current = page;
        if (!saveState || current == null) {
            return;
        }
        boolean whole = read == current.values().size();
        String position = whole ? current.nextToken().orElse(null) : token;
        if (position != null) {
            executionContext.putString(getExecutionContextKey(TOKEN), position);
        } else if (current.nextToken().isPresent()) {
            executionContext.putString(
                    getExecutionContextKey(NEXT), current.nextToken().get());
        }
        executionContext.putLong(getExecutionContextKey(READ), !whole ? read : position == null ? END : 0);
    }

    @Override
    public void close() {
        page = null;
    }
}
