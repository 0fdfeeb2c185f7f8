package io.stowline.examples.shared;

import io.stowline.error.StorageException;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/** What a program ends with: 0 when all is as it should be, 1 when something differs or failed, 2 when the options are wrong. */
public final class ExitCode {

    private static final int RIGHT = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ExitCode() {}

    /** The options of a program. */
    public interface ProgramOptions {

        /**
         * Returns whether only the options are to be shown.
         *
         * @return whether {@code --help} is among them
         */
        boolean help();

        /**
         * Describes the options.
         *
         * @return the text for {@code --help}
         */
        String description();
    }

    /**
     * What a program does.
     *
     * @param <O> its options
     */
    @FunctionalInterface
    public interface Job<O> {

        /**
         * Does it.
         *
         * @param options its options
         * @return what is not as it should be
         * @throws IOException if a file cannot be read or written
         * @throws InterruptedException if the thread is interrupted
         */
        List<String> run(O options) throws IOException, InterruptedException;
    }

    /**
     * Shows the options, or does a job.
     *
     * @param options reads the options
     * @param job the job
     * @param out where to show the options
     * @param err where to say what differs, failed or is wrong with the options
     * @param <O> the program's options
     * @return the exit code
     * @throws InterruptedException if the thread is interrupted
     */
    public static <O extends ProgramOptions> int of(
            Supplier<O> options, Job<? super O> job, PrintStream out, PrintStream err) throws InterruptedException {
        try {
            O given = options.get();
            if (given.help()) {
                out.print(given.description());
                return RIGHT;
            }
            List<String> differences = job.run(given);
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
