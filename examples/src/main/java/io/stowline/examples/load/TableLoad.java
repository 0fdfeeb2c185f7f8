package io.stowline.examples.load;

import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.UsageException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A load of one file into a table, with the types of its columns and the templates of its keys. Used by one thread. */
public final class TableLoad {

    private final LoadOptions options;
    private final InputFile input;
    private final EntityMapper mapper;
    private final PrintStream out;

    private TableLoad(LoadOptions options, InputFile input, EntityMapper mapper, PrintStream out) {
        this.options = options;
        this.input = input;
        this.mapper = mapper;
        this.out = out;
    }

    /**
     * Reads the first rows of the input for the types of its columns, and shows them.
     *
     * @param options the input, its keys and its types
     * @param out where to show them
     * @return the load, which has sent nothing
     * @throws IOException if the input cannot be read
     * @throws InterruptedException if the thread is interrupted
     * @throws UsageException if the options do not suit the input
     */
    public static TableLoad prepare(LoadOptions options, PrintStream out) throws IOException, InterruptedException {
        KeyTemplate partitionKey = options.partitionKey();
        KeyTemplate rowKey = options.rowKey();
        InputFile input = options.input(out);
        try (RowSource source = input.open()) {
            LoadSchema schema = LoadSchema.of(SchemaInference.of(source), options.types(), !source.typed());
            Stream.of(partitionKey, rowKey)
                    .flatMap(key -> key.columns().stream())
                    .filter(column -> !source.typed() && !schema.has(column))
                    .forEach(column -> {
                        throw new UsageException("no column " + column + " for the keys in " + source.columns());
                    });
            out.printf(Locale.ROOT, "Keys %s and %s, properties%n", partitionKey, rowKey);
            schema.described().forEach(out::println);
            return new TableLoad(options, input, new EntityMapper(partitionKey, rowKey, schema), out);
        }
    }

    /**
     * Reads everything, sends nothing, and shows the effect of the load.
     *
     * @return a line if rows would be refused
     * @throws IOException if the input cannot be read
     */
    public List<String> dryRun() throws IOException {
        long refused = new DryRun(mapper, out).of(input);
        return refused == 0 ? List.of() : List.of(LoadResult.rows(refused) + " would be refused");
    }

    /**
     * Loads the rows, or goes on with the load that an earlier process has left in the folder.
     *
     * @param table the table; made if it is missing
     * @param folder where the state of the load is, which is removed at the end
     * @param written counts the entities that this process gives to the writer
     * @return the figures of the load
     * @throws IOException if the input cannot be read or has changed, or the state cannot be written
     * @throws UsageException if the folder has the state of another load
     */
    public LoadResult into(Table<Entity> table, Path folder, EntityTally written) throws IOException {
        try (LoadState state = LoadState.open(folder, description(table))) {
            LoadResult result = into(table, state, written);
            state.remove();
            return result;
        }
    }

    /**
     * Loads the rows into a table that is not worth going on with after a crash. Nothing is kept on disk, which saves a commit for each row.
     *
     * @param table the table; made if it is missing
     * @param written counts the entities that this process gives to the writer
     * @return the figures of the load
     * @throws IOException if the input cannot be read
     * @throws JobFailedException if the service refuses a row
     */
    public LoadResult into(Table<Entity> table, EntityTally written) throws IOException {
        return into(table, LoadState.none(), written);
    }

    private LoadResult into(Table<Entity> table, LoadState state, EntityTally written) throws IOException {
        table.createIfMissing(); // it may be there
        out.printf(Locale.ROOT, "Loading %s into the table %s%n", input.path().getFileName(), table.name());
        Checkpoint.Position position = state.position();
        try (RejectedRows rejects =
                RejectedRows.open(options.rejected(), position.rejectedBytes(), position.rejected())) {
            return new RowLoader(mapper, state, rejects, written, out).load(table, input);
        }
    }

    /** Returns the facts that must be the same when a load goes on. */
    private List<String> description(Table<Entity> table) {
        return List.of(
                "table " + table.name(),
                "input " + input.path().toAbsolutePath().normalize() + " " + input.format() + " " + input.delimiter()
                        + " " + input.limit(),
                "partition key " + mapper.partitionKey(),
                "row key " + mapper.rowKey(),
                "columns " + mapper.schema());
    }

    /**
     * Returns the difference between the input and the table.
     *
     * @param result the figures of the load
     * @return a line if rows were rejected
     */
    public List<String> rejections(LoadResult result) {
        return result.rejected() == 0
                ? List.of()
                : List.of(LoadResult.rows(result.rejected()) + " were rejected; " + options.rejected() + " says why");
    }
}
