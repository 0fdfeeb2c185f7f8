package io.stowline.examples.bulkload;

import io.stowline.Stowline;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.UsageException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Loads a file of rows into a table, each once, also when the process is killed on the way.
 *
 * <p>Exits with 0 when every row is in the table, with 1 when some were rejected or something failed, and with 2 when the options are wrong.
 */
public final class BulkLoad {

    static final Program<LoadOptions> PROGRAM =
            new Program<>(LoadOptions::parse, (options, out) -> new BulkLoad(options, out).run());

    private final LoadOptions options;
    private final PrintStream out;

    private BulkLoad(LoadOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
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
        KeyTemplate partitionKey = options.partitionKey();
        KeyTemplate rowKey = options.rowKey();
        SampleData sample = options.sample();
        if (sample != null) {
            out.println(sample.credit());
        }
        InputFile input = options.input();
        try {
            return run(input, partitionKey, rowKey);
        } catch (CharacterCodingException e) {
            throw new IOException(input.path() + " is no text in UTF-8", e);
        }
    }

    private List<String> run(InputFile input, KeyTemplate partitionKey, KeyTemplate rowKey)
            throws IOException, InterruptedException {
        LoadSchema schema = schema(input, partitionKey, rowKey);
        EntityMapper mapper = new EntityMapper(partitionKey, rowKey, schema);
        if (options.dryRun()) {
            long refused = new DryRun(mapper, out).of(input);
            return refused == 0 ? List.of() : List.of(rows(refused) + " would be refused");
        }
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out);
                Stowline storage = account.connect()) {
            Table<Entity> table = storage.table(options.table(), Entity.class);
            return account.azurite().isPresent() ? loadForShow(table, input, mapper) : load(table, input, mapper);
        }
    }

    private LoadSchema schema(InputFile input, KeyTemplate partitionKey, KeyTemplate rowKey) throws IOException {
        if (!Files.isRegularFile(input.path())) {
            throw new UsageException("--input: " + input.path() + " is no file");
        }
        try (RowSource source = input.open()) {
            boolean complete = !source.columns().isEmpty();
            LoadSchema schema = LoadSchema.of(SchemaInference.of(source), options.types(), complete);
            List<String> keyColumns = new ArrayList<>(partitionKey.columns());
            keyColumns.addAll(rowKey.columns());
            for (String column : keyColumns) {
                if (complete && !schema.has(column)) {
                    throw new UsageException("no column " + column + " for the keys in " + source.columns());
                }
            }
            out.printf(Locale.ROOT, "Keys %s and %s, properties%n", partitionKey, rowKey);
            schema.described().forEach(out::println);
            return schema;
        }
    }

    /** The emulator ends with this process, so nothing has to be kept; but what it holds can be counted. */
    private List<String> loadForShow(Table<Entity> table, InputFile input, EntityMapper mapper) throws IOException {
        Path folder = Files.createTempDirectory("stowline-bulkload");
        List<String> differences = new ArrayList<>();
        RowLoader.Result result = load(table, input, mapper, folder.resolve("state"));
        Files.delete(folder);
        long stored = table.query().count();
        out.printf(Locale.ROOT, "The table holds %,d entities%n", stored);
        if (stored != result.rows() - result.rejected()) {
            differences.add(stored + " entities, not " + (result.rows() - result.rejected()));
        }
        differences.addAll(rejections(result));
        return differences;
    }

    private List<String> load(Table<Entity> table, InputFile input, EntityMapper mapper) throws IOException {
        return rejections(load(table, input, mapper, options.state()));
    }

    private List<String> rejections(RowLoader.Result result) {
        return result.rejected() == 0
                ? List.of()
                : List.of(rows(result.rejected()) + " were rejected; " + options.rejected() + " says why");
    }

    private static String rows(long number) {
        return String.format(Locale.ROOT, "%,d rows", number);
    }

    private RowLoader.Result load(Table<Entity> table, InputFile input, EntityMapper mapper, Path folder)
            throws IOException {
        // The table may be there already.
        boolean made = table.createIfMissing();
        out.printf(
                Locale.ROOT,
                "Loading %s into the table %s, which was %s%n",
                input.path(),
                table.name(),
                made ? "made" : "there");
        long start = System.nanoTime();
        try (LoadState state = LoadState.open(folder, description(table, input, mapper))) {
            Checkpoint.Position position = state.checkpoint().position();
            RowLoader.Result result;
            try (RejectedRows rejects =
                    RejectedRows.open(options.rejected(), position.rejectedBytes(), position.rejected())) {
                result = new RowLoader(mapper, state, rejects, out).load(table, input);
            }
            state.remove();
            tell(result, (System.nanoTime() - start) / 1e9);
            return result;
        }
    }

    /** What must be the same when a load goes on. */
    private static List<String> description(Table<Entity> table, InputFile input, EntityMapper mapper) {
        return List.of(
                "table " + table.name(),
                "input " + input.path().toAbsolutePath().normalize() + " " + input.format() + " " + input.delimiter(),
                "partition key " + mapper.partitionKey(),
                "row key " + mapper.rowKey(),
                "columns " + mapper.schema());
    }

    private void tell(RowLoader.Result result, double seconds) {
        long written = result.rows() - result.resumedAt();
        Report report = new Report()
                .row("rows", "%,d", result.rows())
                .row("  loaded", "%,d", result.rows() - result.rejected())
                .row("  rejected", "%,d", result.rejected());
        if (result.resumedAt() > 0) {
            report.row("done by earlier processes", "%,d", result.resumedAt())
                    .row("  of these from the journal", "%,d", result.replayed());
        }
        report.row("requests", "%,d", result.sent().requests())
                .row("  entities in each", "%.1f", RowLoader.perRequest(result.sent()))
                .row("  retries", "%,d", result.sent().retries())
                .row("seconds", "%.1f", seconds)
                .row("  rows/s", "%,.0f", written / Math.max(seconds, 1e-3))
                .lines()
                .forEach(out::println);
        if (!result.keysCompared()) {
            out.printf(Locale.ROOT, "Only the first %,d keys were compared with each other.%n", KeySet.CAPACITY);
        }
    }
}
