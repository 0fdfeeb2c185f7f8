package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.writer.BatcherSettings;
import io.stowline.batching.internal.writer.FailedItem;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of the writers of tests, with the client's defaults and without its checks; they change as long as a test sets them. */
final class TestSettings implements BatcherSettings {

    private Duration linger = Duration.ZERO;
    private int bufferItems = 10_000;
    private long bufferBytes = 32L << 20;
    private Duration submitTimeout = Duration.ofSeconds(60);
    private @Nullable Duration deliveryTimeout = Duration.ofMinutes(2);
    private @Nullable Duration giveUpAfter = Duration.ofMinutes(5);
    private Duration closeTimeout = Duration.ofMinutes(2);
    private boolean coalesce;
    private boolean stopEntityOnFailure;
    private boolean warnAtExit = true;
    private @Nullable Consumer<? super FailedItem> onFailure;
    private @Nullable Executor callbacks;

    static TestSettings builder() {
        return new TestSettings();
    }

    static TestSettings defaults() {
        return new TestSettings();
    }

    TestSettings build() {
        return this;
    }

    TestSettings linger(Duration time) {
        this.linger = time;
        if (deliveryTimeout != null && time.compareTo(deliveryTimeout) >= 0) {
            deliveryTimeout = deliveryTimeout.plus(time);
        }
        return this;
    }

    TestSettings bufferItems(int items) {
        this.bufferItems = items;
        return this;
    }

    TestSettings bufferBytes(long bytes) {
        this.bufferBytes = bytes;
        return this;
    }

    TestSettings submitTimeout(Duration time) {
        this.submitTimeout = time;
        return this;
    }

    TestSettings deliveryTimeout(Duration time) {
        this.deliveryTimeout = Objects.requireNonNull(time);
        return this;
    }

    TestSettings withoutDeliveryTimeout() {
        this.deliveryTimeout = null;
        return this;
    }

    TestSettings giveUpAfter(Duration time) {
        this.giveUpAfter = Objects.requireNonNull(time);
        return this;
    }

    TestSettings withoutGivingUp() {
        this.giveUpAfter = null;
        return this;
    }

    TestSettings closeTimeout(Duration time) {
        this.closeTimeout = time;
        return this;
    }

    TestSettings coalesce(boolean merges) {
        this.coalesce = merges;
        return this;
    }

    TestSettings stopEntityOnFailure(boolean stops) {
        this.stopEntityOnFailure = stops;
        return this;
    }

    TestSettings warnAtExit(boolean warns) {
        this.warnAtExit = warns;
        return this;
    }

    TestSettings onFailure(Consumer<? super FailedItem> listener) {
        this.onFailure = listener;
        return this;
    }

    TestSettings callbacks(Executor executor) {
        this.callbacks = executor;
        return this;
    }

    @Override
    public Duration linger() {
        return linger;
    }

    @Override
    public int bufferItems() {
        return bufferItems;
    }

    @Override
    public long bufferBytes() {
        return bufferBytes;
    }

    @Override
    public Duration submitTimeout() {
        return submitTimeout;
    }

    @Override
    public @Nullable Duration deliveryTimeout() {
        return deliveryTimeout;
    }

    @Override
    public @Nullable Duration giveUpAfter() {
        return giveUpAfter;
    }

    @Override
    public Duration closeTimeout() {
        return closeTimeout;
    }

    @Override
    public boolean coalesce() {
        return coalesce;
    }

    @Override
    public boolean stopEntityOnFailure() {
        return stopEntityOnFailure;
    }

    @Override
    public boolean warnAtExit() {
        return warnAtExit;
    }

    @Override
    public @Nullable Consumer<? super FailedItem> onFailure() {
        return onFailure;
    }

    @Override
    public @Nullable Executor callbacks() {
        return callbacks;
    }
}
