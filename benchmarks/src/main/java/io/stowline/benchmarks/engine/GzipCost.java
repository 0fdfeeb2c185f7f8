package io.stowline.benchmarks.engine;

import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.blob.internal.gzip.GzipEncoder;
import io.stowline.blob.internal.gzip.GzipSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The processor time of a MiB of text that is compressed on its way to a blob, beside the JDK's stream and deflaters alone, and what each
 * leaves of it. Processor time and not the time of a clock, so that other processes disturb little.
 */
public final class GzipCost {

    private static final int PART = 64 << 10;
    private static final int WARM_UPS = 20;
    private static final int RUNS = 101;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private GzipCost() {}

    /**
     * Measures and prints a table.
     *
     * @param args none
     */
    public static void main(String[] args) {
        System.out.println("| | CPU ms per MiB, least | median | left of the text |");
        System.out.println("|---|---:|---:|---:|");
        measure("`gzip()`", GzipCost::encoder);
        measure("`GZIPOutputStream`", GzipCost::stream);
        measure("deflater alone, level 6", () -> deflater(6));
        measure("deflater alone, level 1", () -> deflater(1));
        measure("sample of 64 KiB", GzipCost::sample);
    }

    private static void measure(String title, LongSupplier work) {
        long left = 0;
        long[] times = new long[RUNS];
        for (int run = -WARM_UPS; run < RUNS; run++) {
            long start = THREADS.getCurrentThreadCpuTime();
            left = work.getAsLong();
            if (run >= 0) {
                times[run] = THREADS.getCurrentThreadCpuTime() - start;
            }
        }
        Arrays.sort(times);
        System.out.printf(
                "| %s | %.2f | %.2f | %.1f %% |%n",
                title, times[0] / 1e6, times[RUNS / 2] / 1e6, 100.0 * left / Blobs.TEXT.length);
    }

    private static long encoder() {
        long stored = 0;
        try (GzipEncoder encoder = new GzipEncoder()) {
            ByteBuffer text = ByteBuffer.wrap(Blobs.TEXT);
            for (ByteBuffer some = encoder.next(text); some != null; some = encoder.next(text)) {
                stored += some.remaining();
            }
            for (ByteBuffer some = encoder.last(); some != null; some = encoder.last()) {
                stored += some.remaining();
            }
        }
        return stored;
    }

    private static long stream() {
        ByteArrayOutputStream stored = new ByteArrayOutputStream(Blobs.TEXT.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(stored, PART)) {
            gzip.write(Blobs.TEXT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stored.size();
    }

    private static long deflater(int level) {
        byte[] output = new byte[PART];
        Deflater deflater = new Deflater(level, true);
        deflater.setInput(Blobs.TEXT);
        deflater.finish();
        long stored = 0;
        while (!deflater.finished()) {
            stored += deflater.deflate(output);
        }
        deflater.end();
        return stored;
    }

    private static long sample() {
        return GzipSample.compresses(ByteBuffer.wrap(Blobs.TEXT, 0, GzipSample.SIZE)) ? GzipSample.SIZE : 0;
    }
}
