package io.stowline.table.internal.query;

import io.stowline.table.StoredEntity;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.PageSource;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The rows of pages as a stream that waits for a page only when it has no row left. Rows are decoded on the reading thread. */
public final class PageStream<T, R> extends Spliterators.AbstractSpliterator<R> {

    private final PageSource pages;
    private final Function<QueryPage, List<T>> decoding;
    private final Function<T, R> shape;
    private Iterator<T> rows = Collections.emptyIterator();
    private long left;
    private @Nullable RuntimeException failure;
    private volatile boolean closed;

    private PageStream(PageSource pages, Function<QueryPage, List<T>> decoding, Function<T, R> shape, long limit) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.pages = pages;
        this.decoding = decoding;
        this.shape = shape;
        this.left = limit == 0 ? Long.MAX_VALUE : limit;
    }

    public static <V> Stream<V> values(QueryPlan<V> plan) {
        return new PageStream<>(plan.values(), plan::values, Function.identity(), plan.limit()).stream();
    }

    static <V> Stream<StoredEntity<V>> stored(QueryPlan<V> plan) {
        return new PageStream<>(plan.versions(), plan::rows, RowMapper::stored, plan.limit()).stream();
    }

    private Stream<R> stream() {
        return StreamSupport.stream(this, false).onClose(this::close);
    }

    private void close() {
        closed = true;
        pages.cancel();
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        if (left > 0) {
            refuseClosed(failure);
        }
        if (failure != null) {
            throw (CancellationException)
                    new CancellationException("the query ended with a failure before").initCause(failure);
        }
        while (left > 0 && !rows.hasNext()) {
            if (!turned()) {
                left = 0;
            }
        }
        return left > 0 && advanced(action);
    }

    /** A closed reading has not come to its end, and must not appear so. */
    private void refuseClosed(@Nullable Throwable cause) {
        if (closed) {
            throw new IllegalStateException("the results were closed while they were read", cause);
        }
    }

    /** A page that did not reach the reader is lost, so that a failure ends the reading. */
    private boolean turned() {
        try {
            QueryPage page = BlockingAwait.on(pages.next());
            refuseClosed(null);
            if (page != null) {
                rows = decoding.apply(page).iterator();
            }
            return page != null;
        } catch (RuntimeException e) {
            failure = e;
            pages.cancel();
            if (e instanceof CancellationException) {
                refuseClosed(e);
            }
            throw e;
        }
    }

    /** The last wanted result ends the reading before its reader sees it. */
    private boolean advanced(Consumer<? super R> action) {
        left--;
        if (left == 0) {
            pages.cancel();
        }
        action.accept(shape.apply(rows.next()));
        return true;
    }
}
