package io.stowline.examples.lookup;

import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.SizedProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Configuration that many threads look up and another client changes. Shows how few requests that takes with the cache.
 *
 * <p>Exits with 0 when no read was older than allowed, with 1 when one was or something failed, and with 2 when the options are wrong.
 */
public final class Lookup {

    static final Program<?> PROGRAM = new SizedProgram(
                    "Looks up settings and a blob on many threads while another client changes them, and tells what the cache saved.",
                    "--seconds",
                    "for so many seconds",
                    1,
                    10)
            .of(Lookup::work);

    private Lookup() {}

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private static List<String> work(ProgramAccount account, int seconds, PrintStream out)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("stowline-lookup");
        try {
            List<String> differences = new LookupJob(account, folder, out).run(seconds);
            out.println(
                    differences.isEmpty()
                            ? "No read was older than allowed."
                            : "Some reads were not as they should be.");
            return differences;
        } finally {
            remove(folder);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
