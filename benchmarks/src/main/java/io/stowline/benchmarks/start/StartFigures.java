package io.stowline.benchmarks.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The figures of a process from its start to its first insert.
 *
 * @param cpuMillis the processor time of all its threads, compiler and collector included, in the system's ticks of 10 ms
 * @param wallMillis the time from the start of the process to the end of the insert
 * @param peakKilobytes the most physical memory that it has had
 */
record StartFigures(double cpuMillis, double wallMillis, double peakKilobytes) {

    private static final int MILLIS_OF_TICK = 10;
    /** Positions behind the name in {@code /proc/PID/stat}, see {@code proc(5)}. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    /** Reads the figures of a live process. */
    static StartFigures of(long pid, double wallMillis) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        return new StartFigures(
                cpuMillis(Files.readString(process.resolve("stat"))),
                wallMillis,
                peakKilobytes(Files.readString(process.resolve("status"))));
    }

    /** The name may have blanks and brackets, so that the fields are counted behind its last one. */
    static double cpuMillis(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return MILLIS_OF_TICK * (Double.parseDouble(fields[USER]) + Double.parseDouble(fields[SYSTEM]));
    }

    static double peakKilobytes(String status) {
        return status.lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
