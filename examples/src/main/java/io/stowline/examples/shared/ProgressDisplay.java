package io.stowline.examples.shared;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Progress of a job whose size is known, or becomes known: a bar on a terminal, and a line every few seconds elsewhere. Used by one thread at a time. */
public interface ProgressDisplay extends AutoCloseable {

    /** A size that is not known yet, of bytes. */
    long UNKNOWN = -1;

    /** An estimate beyond this means only that the work has just begun. */
    Duration MAX_LEFT = Duration.ofDays(1);

    /**
     * Sets the size of a job that began without one.
     *
     * @param size the size
     */
    void size(long size);

    /**
     * Shows how far the job is.
     *
     * @param done how much of the size is done
     * @param text what else to show
     */
    void show(long done, String text);

    /**
     * Prints a line of results beside the display.
     *
     * @param line the line
     */
    void print(String line);

    /** Ends the display. */
    @Override
    void close();

    /**
     * Returns the time left as text.
     *
     * @param time the estimate, if there is one
     * @return such as {@code 1:05 left}; empty without a useful estimate
     */
    static String left(Optional<Duration> time) {
        return time.filter(left -> left.compareTo(MAX_LEFT) < 0)
                .map(left -> String.format(Locale.ROOT, "%d:%02d left", left.toMinutes(), left.toSecondsPart()))
                .orElse("");
    }

    /**
     * Returns a display that suits the process.
     *
     * @param out where to show progress
     * @param task what is done, in a word or two
     * @param size the size of the job, or {@link #UNKNOWN}
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

        /** Clears the line of the bar, which is drawn again below. */
        private static final String CLEARED = "\r\u001B[K";

        private final PrintStream out;
        private final ProgressBar bar;

        Bar(PrintStream out, String task, long size) {
            this.out = out;
            boolean large = size >= LARGE || size == UNKNOWN;
            this.bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(size)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUnit(large ? " Mi" : "", large ? LARGE : 1)
                    .setUpdateIntervalMillis(UPDATE_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(out))
                    .build();
        }

        @Override
        public void size(long size) {
            bar.maxHint(size);
        }

        @Override
        public void show(long done, String text) {
            bar.stepTo(done);
            bar.setExtraMessage(" " + text);
        }

        @Override
        public void print(String line) {
            out.print(CLEARED + line + System.lineSeparator());
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** Plain lines, for logs and pipes. Where there are some, the last of them shows the end. */
    final class Lines implements ProgressDisplay {

        private static final long INTERVAL = Duration.ofSeconds(3).toNanos();

        private final PrintStream out;
        private final String task;
        private long size;
        private final LongSupplier nanoTime;
        private long last;
        private boolean begun;
        private @Nullable Supplier<String> unshown;

        Lines(PrintStream out, String task, long size, LongSupplier nanoTime) {
            this.out = out;
            this.task = task;
            this.size = size;
            this.nanoTime = nanoTime;
            this.last = nanoTime.getAsLong();
        }

        @Override
        public void size(long size) {
            this.size = size;
        }

        private String share(long done) {
            return size == UNKNOWN ? " ..." : String.format(Locale.ROOT, "%3d%%", size == 0 ? 100 : 100 * done / size);
        }

        private String line(long done, String text) {
            return String.format(Locale.ROOT, "  %s %s  %s", task, share(done), text)
                    .stripTrailing();
        }

        @Override
        public void show(long done, String text) {
            long now = nanoTime.getAsLong();
            boolean due = now - last >= INTERVAL;
            unshown = due ? null : () -> line(done, text);
            if (due) {
                last = now;
                begun = true;
                out.println(line(done, text));
            }
        }

        @Override
        public void print(String line) {
            out.println(line);
        }

        @Override
        public void close() {
            if (begun && unshown != null) {
                out.println(unshown.get());
            }
            out.flush();
        }
    }
}
