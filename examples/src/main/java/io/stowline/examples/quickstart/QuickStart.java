package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The quick start: writes the cities of the world to Azure Table storage, reads them back, and proves that they are the
 * same.
 *
 * <p>Exits with 0 when they are, with 1 when they differ or something failed, and with 2 when the options are wrong.
 */
public final class QuickStart {

    private static final int SAME = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

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
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        try {
            Options options = Options.parse(arguments);
            if (options.help()) {
                out.print(Options.HELP);
                return SAME;
            }
            return new QuickStart(options, out).run(err);
        } catch (UsageException e) {
            err.println(e.getMessage() + " (--help lists the options)");
            return MISUSED;
        } catch (IOException | JobFailedException | StorageException | TestkitException e) {
            err.println("failed: " + e.getMessage());
            return FAILED;
        }
    }

    private int run(PrintStream err) throws IOException, InterruptedException {
        List<String> differences = storeAndCompare();
        if (differences.isEmpty()) {
            out.println("All that was read back is the same as the source.");
            return SAME;
        }
        differences.forEach(difference -> err.println("differs: " + difference));
        return FAILED;
    }

    private List<String> storeAndCompare() throws IOException, InterruptedException {
        String given = options.connectionString();
        if (given != null) {
            try (Stowline storage = connect(given)) {
                return work(storage);
            }
        }
        out.println("Starting Azurite, which npm installs the first time");
        try (Azurite azurite = Azurite.start()) {
            return work(azurite, options.faults());
        }
    }

    private List<String> work(Azurite azurite, @Nullable Long seed) throws IOException, InterruptedException {
        if (seed == null) {
            try (Stowline storage = Stowline.connect(azurite.connectionString())) {
                return work(storage);
            }
        }
        try (Faults faults = Faults.before(azurite, seed);
                Stowline storage = faults.connect()) {
            List<String> differences = work(storage);
            out.println(faults.described());
            return differences;
        }
    }

    private List<String> work(Stowline storage) throws IOException, InterruptedException {
        out.println(CityFile.CREDIT);
        Atlas atlas = CityFile.read(CityFile.install(), options.limit());
        out.printf(
                Locale.ROOT,
                "Read %,d cities of %,d countries%n",
                atlas.tally().total(),
                atlas.countries().size());
        return new MainJob(atlas, out, screen, System::nanoTime).run(storage);
    }

    private static Stowline connect(String connectionString) {
        try {
            return Stowline.connect(connectionString);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--connection-string: " + e.getMessage());
        }
    }
}
