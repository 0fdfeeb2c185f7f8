package io.stowline.blob.internal.download;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.ProgressMeter.BlobMeter;
import io.stowline.blob.internal.transfer.RetryListener;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A meter that counts what one download moves: for the listener of its settings, and for the transfer of many blobs that it is a part of. Thread-safe. */
public final class DownloadMeter implements AutoCloseable {

    private final @Nullable ProgressMeter own;
    private final @Nullable BlobMeter whole;
    private final AtomicBoolean over = new AtomicBoolean();

    /**
     * The meter of a download.
     *
     * @param seen the Reactor context, in which a transfer of many blobs is found
     */
    public DownloadMeter(BlobContext context, DownloadSettings settings, ContextView seen) {
        this.own = settings.progress().map(listener -> meter(context, listener)).orElse(null);
        this.whole = ProgressMeter.in(seen);
    }

    private static ProgressMeter meter(BlobContext context, Consumer<? super TransferProgress> listener) {
        Scheduler clock = context.service().timer();
        return new ProgressMeter(listener, () -> clock.now(TimeUnit.NANOSECONDS), context.callbacks());
    }

    /** Expects so many bytes. */
    public void expect(long bytes) {
        if (own != null) {
            own.expect(Math.max(0, bytes));
            own.allExpected();
        }
    }

    public void moved(long bytes) {
        if (own != null) {
            own.moved(bytes);
        }
        if (whole != null) {
            whole.moved(bytes);
        }
    }

    /** Returns the context of the download's requests, in which they report that they are sent again. */
    public Context in(Context context) {
        return RetryListener.in(context, this::retried);
    }

    private void retried() {
        if (own != null) {
            own.retried();
        }
        if (whole != null) {
            whole.retried();
        }
    }

    /** Ends the download, in whatever way. Only the first call counts. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it never fails, and no download waits for a listener
    public void close() {
        if (own != null && over.compareAndSet(false, true)) {
            own.blobDone();
            own.finish();
        }
    }
}
