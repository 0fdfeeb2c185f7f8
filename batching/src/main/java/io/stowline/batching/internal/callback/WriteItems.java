package io.stowline.batching.internal.callback;

import io.stowline.batching.internal.callback.WriteFlux.WriteRun;
import io.stowline.batching.internal.writer.PendingItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Items of one {@link WriteRun}: those without a result, and the results that wait to be handed out. */
final class WriteItems<C, R> {

    private final ArrayDeque<TaggedResult<C, R>> results = new ArrayDeque<>();
    private final IntrusiveList<WriteItem<C, R>> open = new IntrusiveList<>();

    /** Notes what would cancel an item, unless its result has come. */
    synchronized void enter(WriteItem<C, R> item, PendingItem<R> submission) {
        if (!item.landed) {
            item.submission = submission;
            open.add(item);
        }
    }

    /** Has a result wait in the place of its item. */
    synchronized void land(WriteItem<C, R> item, Object outcome) {
        item.landed = true;
        if (item.submission != null) {
            open.remove(item);
            item.submission = null;
        }
        results.add(new TaggedResult<>(item.tag, outcome));
    }

    synchronized @Nullable TaggedResult<C, R> poll() {
        return results.poll();
    }

    synchronized void clear() {
        results.clear();
    }

    /**
     * Returns the cancels of the items without a result, the newest first: so no item takes the room of a cancelled
     * one.
     */
    synchronized List<PendingItem<R>> open() {
        List<PendingItem<R>> submissions = new ArrayList<>(open.size());
        open.forEach(item -> submissions.add(Objects.requireNonNull(item.submission)));
        Collections.reverse(submissions);
        return submissions;
    }

    /** Item of a {@link WriteRun} on its way to its result. */
    static final class WriteItem<C, R> extends IntrusiveList.Node<WriteItem<C, R>>
            implements BiConsumer<@Nullable R, @Nullable Throwable> {

        final C tag;
        private final WriteRun<?, ?, C, R> run;

        /** The rest is guarded by the lock of {@link WriteItems}. */
        boolean landed;

        @Nullable
        PendingItem<R> submission;

        WriteItem(WriteRun<?, ?, C, R> run, C tag) {
            this.run = run;
            this.tag = tag;
        }

        /** Takes the result; called as a callback. */
        @Override
        @SuppressWarnings("NullAway") // a callback gets one of the two
        public void accept(@Nullable R value, @Nullable Throwable error) {
            run.land(this, error == null ? value : new FailedOutcome(error));
        }
    }
}
