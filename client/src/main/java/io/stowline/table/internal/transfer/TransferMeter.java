package io.stowline.table.internal.transfer;

import io.stowline.table.transfer.TableTransferProgress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;

/** The progress of one transfer, with its listener. Thread-safe. */
final class TransferMeter {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Optional<Consumer<? super TableTransferProgress>> listener;
    private final Scheduler timer;
    private final long began;
    private long reported;
    private long before;
    private long rows;
    private double fractionBefore = -1;

    TransferMeter(Optional<Consumer<? super TableTransferProgress>> listener, Scheduler timer) {
        this.listener = listener;
        this.timer = timer;
        this.began = timer.now(TimeUnit.NANOSECONDS);
        this.reported = began - PAUSE;
    }

    /** Takes the rows of earlier runs. */
    synchronized void resumed(long earlier) {
        before = earlier;
    }

    /** Adds rows that are done. */
    synchronized void done(long more, double fraction) {
        rows += more;
        fractionBefore = fractionBefore < 0 ? fraction : fractionBefore;
        long now = timer.now(TimeUnit.NANOSECONDS);
        if (now - reported >= PAUSE) {
            reported = now;
            report(now, fraction);
        }
    }

    /** Reports the end. */
    synchronized void ended() {
        report(timer.now(TimeUnit.NANOSECONDS), 1);
    }

    private void report(long now, double fraction) {
        double seconds = Math.max(1, now - began) / 1e9;
        double gained = fraction - fractionBefore;
        Optional<Duration> left = fraction >= 1
                ? Optional.of(Duration.ZERO)
                : Optional.of(gained)
                        .filter(share -> share > 0)
                        .map(share -> Duration.ofMillis((long) (seconds * 1_000 * (1 - fraction) / share)));
        listener.ifPresent(
                taker -> taker.accept(new TableTransferProgress(before + rows, fraction, rows / seconds, left)));
    }

    /** Returns how long the transfer has run. */
    Duration elapsed() {
        return Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - began);
    }
}
