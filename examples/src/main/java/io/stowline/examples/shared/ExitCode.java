package io.stowline.examples.shared;

import io.stowline.error.StorageException;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What a program ends with: 0 when all is as it should be, 1 when something differs or failed, 2 when the options are wrong. */
public final class ExitCode {

    private static final int RIGHT = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ExitCode() {}

    /** What a program does. */
    @FunctionalInterface
    public interface Job {

        /**
         * Does it.
         *
         * @return what is not as it should be
         * @throws IOException if a file cannot be read or written
         * @throws InterruptedException if the thread is interrupted
         */
        List<String> run() throws IOException, InterruptedException;
    }

    /**
     * Does a job.
     *
     * @param job the job
     * @param err where to say what differs, failed or is wrong with the options
     * @return the exit code
     * @throws InterruptedException if the thread is interrupted
     */
    public static int of(Job job, PrintStream err) throws InterruptedException {
        try {
            List<String> differences = job.run();
            differences.forEach(difference -> err.println("differs: " + difference));
            return differences.isEmpty() ? RIGHT : FAILED;
        } catch (UsageException e) {
            err.println(e.getMessage() + " (--help lists the options)");
            return MISUSED;
        } catch (IOException | JobFailedException | StorageException | TestkitException e) {
            err.println("failed: " + e.getMessage());
            return FAILED;
        }
    }
}
