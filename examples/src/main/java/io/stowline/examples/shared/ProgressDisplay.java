package io.stowline.examples.shared;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress of a job of known size: a bar on a terminal, and a line every few seconds elsewhere. Used by one thread. */
public interface ProgressDisplay extends AutoCloseable {

    /**
     * Shows how far the job is.
     *
     * @param done how much of the size is done
     * @param text what else to show
     */
    void show(long done, String text);

    /** Ends the display. */
    @Override
    void close();

    /**
     * Returns a display that suits the process.
     *
     * @param out where to show progress
     * @param task what is done, in a word or two
     * @param size the size of the job
     * @return the display; close it
     */
    static ProgressDisplay of(PrintStream out, String task, long size) {
        return Terminals.canRedraw(System.console(), System.getenv())
                ? new Bar(out, task, size)
                : new Lines(out, task, size, System::nanoTime);
    }

    /** A bar that a library draws. */
    final class Bar implements ProgressDisplay {

        private static final int UPDATE_MILLIS = 200;
        private static final int LARGE = 1 << 20;

        private final ProgressBar bar;

        Bar(PrintStream out, String task, long size) {
            this.bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(size)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUnit(size >= LARGE ? " Mi" : "", size >= LARGE ? LARGE : 1)
                    .setUpdateIntervalMillis(UPDATE_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(out))
                    .build();
        }

        @Override
        public void show(long done, String text) {
            bar.stepTo(done);
            bar.setExtraMessage(" " + text);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** Plain lines, for logs and pipes. */
    final class Lines implements ProgressDisplay {

        private static final long INTERVAL = Duration.ofSeconds(3).toNanos();

        private final PrintStream out;
        private final String task;
        private final long size;
        private final LongSupplier nanoTime;
        private long last;

        Lines(PrintStream out, String task, long size, LongSupplier nanoTime) {
            this.out = out;
            this.task = task;
            this.size = size;
            this.nanoTime = nanoTime;
            this.last = nanoTime.getAsLong();
        }

        @Override
        public void show(long done, String text) {
            long now = nanoTime.getAsLong();
            if (now - last >= INTERVAL) {
                last = now;
                out.printf(Locale.ROOT, "  %s %3d%%  %s%n", task, size == 0 ? 100 : 100 * done / size, text);
            }
        }

        @Override
        public void close() {
            out.flush();
        }
    }
}
