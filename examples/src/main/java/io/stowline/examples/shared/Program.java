package io.stowline.examples.shared;

import io.stowline.error.StorageException;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A program of the command line. Ends with 0 when all is as it should be, with 1 when something differs or failed, and with 2 when the options
 * are wrong.
 *
 * @param help the text that describes the options, and declares them
 * @param reader reads the options from the command line and the environment of the process
 * @param job what it does with them
 * @param <O> its options
 */
public record Program<O>(String help, BiFunction<Arguments, Map<String, String>, O> reader, Job<O> job) {

    private static final int RIGHT = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /**
     * The work of a program.
     *
     * @param <O> its options
     */
    @FunctionalInterface
    public interface Job<O> {

        /**
         * Does it.
         *
         * @param options its options
         * @param out where it prints its progress
         * @return what is not as it should be
         * @throws IOException if a file cannot be read or written
         * @throws InterruptedException if the thread is interrupted
         */
        List<String> run(O options, PrintStream out) throws IOException, InterruptedException;
    }

    /**
     * Makes a program without words beside its options.
     *
     * @param help the text that describes the options, and declares them
     * @param reader reads the options from the command line and the environment of the process
     * @param job what it does with them
     * @param <O> its options
     * @return the program
     */
    public static <O> Program<O> ofOptions(
            String help, BiFunction<Arguments, Map<String, String>, O> reader, Job<O> job) {
        return new Program<>(
                help,
                (arguments, environment) -> {
                    arguments.words().forEach(word -> {
                        throw new UsageException("unknown option " + word);
                    });
                    return reader.apply(arguments, environment);
                },
                job);
    }

    /**
     * Reads options.
     *
     * @param arguments the command line
     * @param environment the environment of the process
     * @return the options
     * @throws UsageException if one is unknown or wrong
     */
    public O options(List<String> arguments, Map<String, String> environment) {
        return reader.apply(Arguments.parse(help, arguments), environment);
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
     * @param out where to show the options, and where the job prints its progress
     * @param err where to print what differs, failed or is wrong with the options
     * @return the exit code
     * @throws InterruptedException if the thread is interrupted
     */
    public int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        try {
            if (Arguments.parse(help, arguments).has("--help")) {
                out.print(help);
                return RIGHT;
            }
            List<String> differences = job.run(options(arguments, environment), out);
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
