package io.stowline.examples.load;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of a load: the input, its keys and its types. Filled while the command line is read, then only read. */
public final class LoadOptions {

    /** The lines of these options in a help text. */
    public static final String HELP = """
          --input FILE            CSV with a header, JSON lines, or a JSON array of objects, in UTF-8
          --sample NAME           in place of --input, a public data set: cities (default) or zipcodes
          --limit N               take the first N rows only
          --partition-key T       the template of partition keys, such as '{country}'
          --row-key T             the template of row keys, such as '{admin1}:{name}'
                                  {column} takes any text; {column:KIND} is plain, number(DIGITS), time, newestFirst,
                                  secondsFirst or uuid; '{hash(16)}!{id}' spreads keys over 16 buckets
          --types LIST            types of columns, such as population:long,lat:double
                                  (string, int, long, double, boolean, time, uuid, none; the others are inferred)
          --format F              csv, tsv, jsonl or json, if the file's name does not end so
          --delimiter C           the character between the values of CSV
          --dry-run               only read, and show partitions, hot spots and the rows to be refused
          --table NAME            the table of --input, made if it is missing (default: rows)
          --rejected FILE         where the rows go that are not loaded (default: TABLE.rejected.csv)
          --state FOLDER          the state that a killed load leaves for the next process (default: TABLE.load)
        """;

    private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{2,62}");

    private final Arguments arguments;
    private final @Nullable SampleData sample;
    private final Map<String, ColumnType> types = new LinkedHashMap<>();

    private LoadOptions(Arguments arguments, @Nullable SampleData sample) {
        this.arguments = arguments;
        this.sample = sample;
        if (sample != null) {
            takeTypes(sample.types());
        }
        takeTypes(arguments.value("--types", ""));
    }

    /**
     * Reads the options.
     *
     * @param arguments the command line
     * @return the options
     * @throws UsageException if a value is wrong or missing
     */
    public static LoadOptions of(Arguments arguments) {
        if (arguments.has("--input") && arguments.has("--sample")) {
            throw new UsageException("--input and --sample exclude each other");
        }
        if (arguments.has("--input") && !(arguments.has("--partition-key") && arguments.has("--row-key"))) {
            throw new UsageException("--partition-key and --row-key are needed");
        }
        LoadOptions options = new LoadOptions(
                arguments, arguments.has("--input") ? null : SampleData.named(arguments.value("--sample", "cities")));
        if (!TABLE.matcher(options.table()).matches()) {
            throw new UsageException(
                    "--table needs 3 to 63 letters and digits, the first of them a letter, not " + options.table());
        }
        if (arguments.value("--delimiter", ",").length() != 1) {
            throw new UsageException("--delimiter needs one character, not " + arguments.value("--delimiter"));
        }
        arguments.number("--limit", 1);
        return options;
    }

    private void takeTypes(String list) {
        for (String entry : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            ColumnType type = ColumnType.named(entry.substring(colon + 1));
            if (colon < 1 || type == null) {
                throw new UsageException(
                        "--types needs column:type, with the types " + ColumnType.labels() + ", not " + entry);
            }
            types.put(entry.substring(0, colon), type);
        }
    }

    /**
     * Returns whether the input is a file of the caller's.
     *
     * @return false if it is a sample
     */
    public boolean hasFile() {
        return sample == null;
    }

    /**
     * Returns whether the input is the cities under the keys of the sample.
     *
     * @return true unless there is another input, or other keys were given
     */
    public boolean hasCities() {
        return sample == SampleData.CITIES && !arguments.has("--partition-key") && !arguments.has("--row-key");
    }

    /**
     * Returns whether the load only reads.
     *
     * @return true for a dry run
     */
    public boolean dryRun() {
        return arguments.has("--dry-run");
    }

    /** Returns the file to load; npm installs that of a sample. */
    InputFile input(PrintStream out) throws InterruptedException {
        Path file = sample == null ? Path.of(arguments.value("--input", "")) : sample.install(out);
        return InputFile.of(
                file, arguments.value("--format"), arguments.value("--delimiter"), arguments.number("--limit", 1));
    }

    KeyTemplate partitionKey() {
        String template = arguments.value("--partition-key", sample == null ? "" : sample.partitionKey());
        return KeyTemplate.parse("--partition-key", template);
    }

    KeyTemplate rowKey() {
        return KeyTemplate.parse("--row-key", arguments.value("--row-key", sample == null ? "" : sample.rowKey()));
    }

    Map<String, ColumnType> types() {
        return types;
    }

    /**
     * Returns the name of the table.
     *
     * @return the given name, or {@code rows}
     */
    public String table() {
        return arguments.value("--table", "rows");
    }

    Path rejected() {
        return Path.of(arguments.value("--rejected", table() + ".rejected.csv"));
    }

    /**
     * Returns the folder for the state of the load.
     *
     * @return the given folder, or one that is named after the table
     */
    public Path state() {
        return Path.of(arguments.value("--state", table() + ".load"));
    }
}
