package io.stowline.table;

import io.stowline.table.internal.Page;
import io.stowline.table.internal.PageWalk;
import io.stowline.transport.internal.Await;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The rows of a walk as a stream that waits for a page only when it has no row left. Rows are decoded on the reading thread. */
final class PageStream<T, R> extends Spliterators.AbstractSpliterator<R> {

    private final PageWalk walk;
    private final Function<Page, List<T>> decoding;
    private final Function<T, R> shape;
    private Iterator<T> rows = Collections.emptyIterator();

    private PageStream(PageWalk walk, Function<Page, List<T>> decoding, Function<T, R> shape) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.walk = walk;
        this.decoding = decoding;
        this.shape = shape;
    }

    static <V> Stream<V> values(QueryPlan<V> plan) {
        return limited(plan, new PageStream<>(plan.values(), plan::values, Function.identity()));
    }

    static <V> Stream<Stored<V>> stored(QueryPlan<V> plan) {
        return limited(plan, new PageStream<>(plan.versions(), plan::rows, RowShape::stored));
    }

    private static <R> Stream<R> limited(QueryPlan<?> plan, PageStream<?, R> rows) {
        Stream<R> results = StreamSupport.stream(rows, false).onClose(rows.walk::cancel);
        return plan.limit() == 0 ? results : results.limit(plan.limit());
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        while (!rows.hasNext()) {
            Page page = Await.on(walk.next());
            if (page == null) {
                return false;
            }
            rows = decoding.apply(page).iterator();
        }
        action.accept(shape.apply(rows.next()));
        return true;
    }
}
