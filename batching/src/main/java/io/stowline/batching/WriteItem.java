package io.stowline.batching;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One item of a {@link WriteRun} on its way to its result. */
final class WriteItem<C, R> implements BiConsumer<@Nullable R, @Nullable Throwable> {

    final C tag;
    private final WriteRun<?, ?, C, R> run;

    /** The rest is guarded by the lock of {@link WriteItems}. */
    boolean landed;

    @Nullable
    Submission<R> submission;

    @Nullable
    WriteItem<C, R> prev;

    @Nullable
    WriteItem<C, R> next;

    WriteItem(WriteRun<?, ?, C, R> run, C tag) {
        this.run = run;
        this.tag = tag;
    }

    /** The result is there; called as a callback. */
    @Override
    @SuppressWarnings("NullAway") // a callback gets one of the two
    public void accept(@Nullable R value, @Nullable Throwable error) {
        run.land(this, error == null ? value : new Failure(error));
    }
}
