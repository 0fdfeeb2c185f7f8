package io.stowline.benchmarks.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The machine before and after a workload, when no process of the comparison works: what it does then would move the figures. Read from
 * {@code /proc/stat} of Linux; other systems count as quiet.
 */
public final class QuietMachine {

    /** The processor time of others that is borne, in cores. */
    static final double MAX_BUSY = 0.2;

    private static final Path STAT = Path.of("/proc/stat");
    private static final int SAMPLES = 10;
    private static final long SAMPLE_MILLIS = 2_000;

    private final Supplier<String> stat;
    private final Runnable pause;
    private final int cores;

    /**
     * A machine whose figures a test gives.
     *
     * @param stat returns the content of {@code /proc/stat}; empty where there is none
     * @param pause waits as long as a sample takes
     */
    public QuietMachine(Supplier<String> stat, Runnable pause, int cores) {
        this.stat = stat;
        this.pause = pause;
        this.cores = cores;
    }

    /** Returns this machine. */
    public static QuietMachine present() {
        return new QuietMachine(
                QuietMachine::read, QuietMachine::sleep, Runtime.getRuntime().availableProcessors());
    }

    private static String read() {
        try {
            return Files.isReadable(STAT) ? Files.readString(STAT) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(SAMPLE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the machine was observed", e);
        }
    }

    /**
     * Waits until a sample is quiet.
     *
     * @param when the time of the check, for the error
     * @throws IllegalStateException if none of ten samples is
     */
    public void await(String when) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < SAMPLES && least > MAX_BUSY; i++) {
            least = Math.min(least, busyCores());
        }
        if (least > MAX_BUSY) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "the machine is not quiet %s: other processes use %.2f of %d cores, and at most %.2f are borne; stop"
                            + " them, or measure all the same with --busy, which says so in the report",
                    when,
                    least,
                    cores,
                    MAX_BUSY));
        }
    }

    /** Returns the cores that were in use during a sample, on average; none where the system has no such figures. */
    public double busyCores() {
        long[] before = times(stat.get());
        pause.run();
        long[] after = times(stat.get());
        long idle = after[0] - before[0];
        long all = after[1] - before[1];
        return all <= 0 ? 0 : (all - idle) * (double) cores / all;
    }

    /** The idle and the whole time of all cores: user, nice, system, idle, iowait, irq, softirq, steal, and two that are in user. */
    private static long[] times(String stat) {
        String line =
                stat.lines().filter(one -> one.startsWith("cpu ")).findFirst().orElse("cpu 0 0 0 0 0");
        long[] ticks = Arrays.stream(line.substring(4).trim().split(" +"))
                .limit(8)
                .mapToLong(Long::parseLong)
                .toArray();
        return new long[] {ticks[3] + ticks[4], Arrays.stream(ticks).sum()};
    }
}
