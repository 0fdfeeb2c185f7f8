package io.stowline.examples.shared;

import io.stowline.error.StorageException;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * A program of the command line. Ends with 0 when all is as it should be, with 1 when something differs or failed, and with 2 when the options
 * are wrong.
 *
 * @param reader reads the options
 * @param job what it does with them
 * @param <O> its options
 */
public record Program<O extends Program.ProgramOptions>(OptionsReader<O> reader, Job<O> job) {

    private static final int RIGHT = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

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
     * Reads the options of a program.
     *
     * @param <O> its options
     */
    @FunctionalInterface
    public interface OptionsReader<O> {

        /**
         * Reads them.
         *
         * @param arguments the command line
         * @param environment the environment of the process
         * @return the options
         * @throws UsageException if one is unknown or wrong
         */
        O read(List<String> arguments, Map<String, String> environment);
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
         * @param out where it tells what it does
         * @return what is not as it should be
         * @throws IOException if a file cannot be read or written
         * @throws InterruptedException if the thread is interrupted
         */
        List<String> run(O options, PrintStream out) throws IOException, InterruptedException;
    }

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the command line
     * @throws InterruptedException if the thread is interrupted
     */
    public void runAndExit(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /**
     * Shows the options, or does the job.
     *
     * @param arguments the command line
     * @param environment the environment of the process
     * @param out where to show the options, and where the job tells what it does
     * @param err where to say what differs, failed or is wrong with the options
     * @return the exit code
     * @throws InterruptedException if the thread is interrupted
     */
    public int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        try {
            O options = reader.read(arguments, environment);
            if (options.help()) {
                out.print(options.description());
                return RIGHT;
            }
            List<String> differences = job.run(options, out);
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
