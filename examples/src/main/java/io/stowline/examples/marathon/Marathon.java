package io.stowline.examples.marathon;

import io.stowline.Stowline;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.RequestLog;
import io.stowline.examples.shared.SizedProgram;
import java.io.PrintStream;
import java.util.List;

/**
 * Marathons and their runners, found by name, bib and age. Shows of every question what the service has to look at for it and how many
 * requests it takes.
 *
 * <p>Exits with 0 when all answers are right, with 1 when one is not or something failed, and with 2 when the options are wrong.
 */
public final class Marathon {

    static final Program<?> PROGRAM = new SizedProgram(
                    "Registers the runners of some marathons with index rows, asks for them, and tells what each question costs.",
                    "--runners",
                    "so many runners in each of the " + Race.ALL.size() + " races",
                    50,
                    500)
            .of(Marathon::work);

    private Marathon() {}

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private static List<String> work(ProgramAccount account, int runners, PrintStream out) {
        RequestLog log = new RequestLog();
        try (Stowline storage = account.connect(settings -> settings.listener(log))) {
            List<String> differences = new MarathonJob(storage, log, out).run(runners);
            out.println(differences.isEmpty() ? "Every answer was right." : "Some answers were wrong.");
            return differences;
        }
    }
}
