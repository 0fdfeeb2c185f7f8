package io.stowline.table;

import io.stowline.table.internal.Page;
import io.stowline.table.internal.PageWalk;
import io.stowline.table.internal.Row;
import io.stowline.transport.internal.Await;
import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The rows of a walk as a stream that waits for a page only when it has no row left. Rows are decoded on the reading thread. */
final class PageStream<T, R> extends Spliterators.AbstractSpliterator<R> {

    private final QueryPlan<T> plan;
    private final PageWalk walk;
    private final Function<Row<T>, R> shape;
    private Iterator<Row<T>> rows = Collections.emptyIterator();

    private PageStream(QueryPlan<T> plan, PageWalk walk, Function<Row<T>, R> shape) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.plan = plan;
        this.walk = walk;
        this.shape = shape;
    }

    static <T, R> Stream<R> of(QueryPlan<T> plan, PageWalk walk, Function<Row<T>, R> shape) {
        Stream<R> results =
                StreamSupport.stream(new PageStream<>(plan, walk, shape), false).onClose(walk::cancel);
        return plan.limit() == 0 ? results : results.limit(plan.limit());
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        while (!rows.hasNext()) {
            Page page = Await.on(walk.next());
            if (page == null) {
                return false;
            }
            rows = plan.rows(page).iterator();
        }
        action.accept(shape.apply(rows.next()));
        return true;
    }
}
