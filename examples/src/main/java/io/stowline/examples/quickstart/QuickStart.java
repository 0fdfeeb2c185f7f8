package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.examples.load.EntityTally;
import io.stowline.examples.load.LoadResult;
import io.stowline.examples.load.TableLoad;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.table.Entity;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * The quick start: loads the cities of the world, or the rows of a file, into a table of Azure Storage, each once. What goes into an Azurite
 * or comes from a public data set is read back and compared.
 *
 * <p>Exits with 0 when every row is in the table, with 1 when one is missing or something failed, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record QuickStart(Options options, PrintStream out) {

    static final Program<Options> PROGRAM =
            Program.ofOptions(Options.HELP, Options::of, (options, out) -> new QuickStart(options, out).run());

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
        TableLoad load = TableLoad.prepare(options.load(), out);
        if (options.load().dryRun()) {
            return load.dryRun();
        }
        Long seed = options.faults();
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out)) {
            if (seed == null) {
                try (Stowline storage = account.connect()) {
                    return options.keeps() ? keep(load, storage) : prove(load, storage);
                }
            }
            try (FaultRun faults = FaultRun.before(account.azurite().orElseThrow(), seed);
                    Stowline storage = faults.connect()) {
                List<String> differences = prove(load, storage);
                out.println(faults.described());
                return differences;
            }
        }
    }

    private List<String> keep(TableLoad load, Stowline storage) throws IOException {
        LoadResult result = load.into(
                storage.table(options.load().table(), Entity.class),
                options.load().state(),
                new EntityTally());
        result.report().lines().forEach(out::println);
        return load.rejections(result);
    }

    private List<String> prove(TableLoad load, Stowline storage) throws IOException, InterruptedException {
        return new ProvenLoad(load, storage, options.load().hasCities(), out).run();
    }
}
