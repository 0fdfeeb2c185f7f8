package io.stowline.table.internal.operation;

import io.stowline.batching.internal.writer.BatcherSettings;
import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.WriterSettings;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of a writer as the engine reads them. */
public record LaneSettings(
        Duration linger,
        int bufferItems,
        long bufferBytes,
        Duration submitTimeout,
        @Nullable Duration deliveryTimeout,
        @Nullable Duration giveUpAfter,
        Duration closeTimeout,
        boolean coalesce,
        boolean stopEntityOnFailure,
        boolean warnAtExit,
        @Nullable Consumer<? super FailedItem> onFailure,
        @Nullable Executor callbacks)
        implements BatcherSettings {

    public LaneSettings(WriterSettings given) {
        this(
                given.linger(),
                given.bufferItems(),
                given.bufferBytes(),
                given.submitTimeout(),
                given.deliveryTimeout(),
                given.giveUpAfter(),
                given.closeTimeout(),
                given.coalesce(),
                given.stopEntityOnFailure(),
                given.warnAtExit(),
                failures(given.onFailure()),
                given.callbacks());
    }

    private static @Nullable Consumer<FailedItem> failures(
            @Nullable Consumer<? super ItemResult<Object, WriteResult>> listener) {
        return listener == null
                ? null
                : failed -> listener.accept(new ItemResult<Object, WriteResult>(failed.item(), null, failed.cause()));
    }
}
