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

/** View of a writer's settings for the engine. */
public record LaneSettings(WriterSettings given) implements BatcherSettings {

    @Override
    public Duration linger() {
        return given.linger();
    }

    @Override
    public int bufferItems() {
        return given.bufferItems();
    }

    @Override
    public long bufferBytes() {
        return given.bufferBytes();
    }

    @Override
    public Duration submitTimeout() {
        return given.submitTimeout();
    }

    @Override
    public @Nullable Duration deliveryTimeout() {
        return given.deliveryTimeout();
    }

    @Override
    public @Nullable Duration giveUpAfter() {
        return given.giveUpAfter();
    }

    @Override
    public Duration closeTimeout() {
        return given.closeTimeout();
    }

    @Override
    public boolean coalesce() {
        return given.coalesce();
    }

    @Override
    public boolean stopEntityOnFailure() {
        return given.stopEntityOnFailure();
    }

    @Override
    public boolean warnAtExit() {
        return given.warnAtExit();
    }

    @Override
    public @Nullable Consumer<? super FailedItem> onFailure() {
        Consumer<? super ItemResult<Object, WriteResult>> listener = given.onFailure();
        return listener == null
                ? null
                : failed -> listener.accept(new ItemResult<Object, WriteResult>(failed.item(), null, failed.cause()));
    }

    @Override
    public @Nullable Executor callbacks() {
        return given.callbacks();
    }
}
