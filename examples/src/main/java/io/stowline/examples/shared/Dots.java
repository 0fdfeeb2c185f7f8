package io.stowline.examples.shared;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A display that shows a step of unknown length: its name, a dot for each second, and the end of the line. */
public final class Dots {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private Dots() {}

    /**
     * Does a step.
     *
     * @param out where to show it
     * @param name what is done
     * @param step does it
     * @param <T> the type of its result
     * @return its result
     * @throws InterruptedException if the thread is interrupted
     */
    public static <T> T during(PrintStream out, String name, Supplier<T> step) throws InterruptedException {
        return during(out, name, INTERVAL, step);
    }

    static <T> T during(PrintStream out, String name, Duration interval, Supplier<T> step) throws InterruptedException {
        AtomicReference<T> result = new AtomicReference<>();
        show(out, name);
        try {
            Ticker.during(() -> result.set(step.get()), interval, () -> show(out, "."));
        } finally {
            out.println();
        }
        return Objects.requireNonNull(result.get());
    }

    // A line without an end is not flushed by itself.
    private static void show(PrintStream out, String text) {
        out.print(text);
        out.flush();
    }
}
