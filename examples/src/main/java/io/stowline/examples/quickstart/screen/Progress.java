package io.stowline.examples.quickstart.screen;

import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shows how far a job is that began when this was made. To be used by one thread at a time. */
public final class Progress {

    private static final double NANOS = 1e9;

    private final Screen screen;
    private final LongSupplier nanoTime;
    private final long start;
    private final long total;
    private final LongSupplier done;
    private final Supplier<String> detail;

    /**
     * Begins to measure.
     *
     * @param screen where to show it
     * @param nanoTime the clock
     * @param total how many entities there are
     * @param done how many of them are done
     * @param detail what else to show between the speed and the time left; may be empty
     */
    public Progress(Screen screen, LongSupplier nanoTime, long total, LongSupplier done, Supplier<String> detail) {
        this.screen = screen;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.total = total;
        this.done = done;
        this.detail = detail;
    }

    public void show() {
        long now = done.getAsLong();
        screen.progress(total == 0 ? 1 : (double) now / total, text(now, (nanoTime.getAsLong() - start) / NANOS));
    }

    /** Shows it for the last time. */
    public void end() {
        show();
        screen.end();
    }

    private String text(long now, double seconds) {
        double speed = seconds > 0 ? now / seconds : 0;
        String more = detail.get();
        return String.format(
                Locale.ROOT,
                "%3d%%  %,.0f entities/s%s  %s left",
                total == 0 ? 100 : 100 * now / total,
                speed,
                more.isEmpty() ? "" : "  " + more,
                speed > 0 ? time(Math.round((total - now) / speed)) : "-:--");
    }

    private static String time(long seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
