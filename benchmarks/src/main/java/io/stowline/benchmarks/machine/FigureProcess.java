package io.stowline.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A fresh process that measures, bound to the first core. Its figures come in a file and not by its standard output, where the JVM has its
 * own lines.
 */
public final class FigureProcess {

    /** The variable with the account's key, which is no argument: others could see it. */
    public static final String KEY = "STOWLINE_SIDE_KEY";

    private FigureProcess() {}

    /**
     * Runs a process, whose output is visible while it runs.
     *
     * @param title what it measures
     * @param main its class
     * @param flags of its JVM
     * @param key the account's key, which the process finds in {@link #KEY}
     * @param args its arguments for the file to write
     * @return the content of the file
     * @throws IllegalStateException if the process failed
     */
    public static String run(
            String title, Class<?> main, List<String> flags, String key, Function<Path, List<String>> args)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("stowline-", ".out");
        try {
            ProcessBuilder builder =
                    new CpuPin(0).java(flags, main, args.apply(file)).redirectOutput(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put(KEY, key);
            int status = statusOf(builder.start());
            if (status != 0) {
                throw new IllegalStateException("the process that measures " + title + " ended with " + status);
            }
            return Files.readString(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static int statusOf(Process process) throws InterruptedException {
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }
}
