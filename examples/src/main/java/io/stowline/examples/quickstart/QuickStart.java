package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.examples.quickstart.screen.Screen;
import io.stowline.examples.shared.Dots;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The quick start: writes the cities of the world to Azure Table storage, reads them back, and proves that they are the
 * same.
 *
 * <p>Exits with 0 when they are, with 1 when they differ or something failed, and with 2 when the options are wrong.
 */
public final class QuickStart {

    static final Program<Options> PROGRAM = new Program<>(
            (arguments, environment) -> Options.parse(arguments), (options, out) -> new QuickStart(options, out).run());

    private final Options options;
    private final PrintStream out;
    private final Screen screen;

    private QuickStart(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.screen = Screen.of(out, System.console(), System.getenv());
    }

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private List<String> run() throws IOException, InterruptedException {
        List<String> differences = storeAndCompare();
        if (differences.isEmpty()) {
            out.println("All that was read back is the same as the source.");
        }
        return differences;
    }

    private List<String> storeAndCompare() throws IOException, InterruptedException {
        Long seed = options.faults();
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out)) {
            if (seed != null) {
                return work(account.azurite().orElseThrow(), seed);
            }
            try (Stowline storage = account.connect()) {
                return work(storage);
            }
        }
    }

    private List<String> work(Azurite azurite, long seed) throws IOException, InterruptedException {
        try (FaultRun faults = FaultRun.before(azurite, seed);
                Stowline storage = faults.connect()) {
            List<String> differences = work(storage);
            out.println(faults.described());
            return differences;
        }
    }

    private List<String> work(Stowline storage) throws IOException, InterruptedException {
        out.println(CityFile.CREDIT);
        Path cities =
                Dots.during(out, "Fetching the cities, which npm installs the first time (19 MB) ", CityFile::install);
        Atlas atlas = CityFile.read(cities, options.limit());
        out.printf(
                Locale.ROOT,
                "Read %,d cities of %,d countries%n",
                atlas.tally().total(),
                atlas.countries().size());
        return new MainJob(atlas, out, screen, System::nanoTime).run(storage);
    }
}
