package io.stowline.examples.bulkload;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program.ProgramOptions;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the command line asks for. Filled while it is read, then only read. */
final class LoadOptions implements ProgramOptions {

    private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{2,62}");

    static final String HELP = """
            Loads the rows of a CSV or JSON file into an Azure table, each once, also when the process is killed on the way:
            run the same command again, and it goes on where it was.

              --input FILE            CSV with a header, JSON lines, or a JSON array of objects, in UTF-8
              --sample NAME           in place of --input, a public data set: cities or zipcodes
              --partition-key T       how the partition key is made, such as '{country}'
              --row-key T             how the row key is made, such as '{admin1}:{name}'
                                      {column} takes any text; {column:KIND} is plain, number(DIGITS), time, newestFirst,
                                      secondsFirst or uuid; '{hash(16)}!{id}' spreads keys over 16 buckets
              --types LIST            types of columns, such as population:long,lat:double
                                      (string, int, long, double, boolean, time, uuid, none; the others are inferred)
              --table NAME            the table, made if it is missing (default: bulkload, or the name of the sample)
              --format F              csv, tsv, jsonl or json, if the file's name does not end so
              --delimiter C           what stands between the values of CSV
              --dry-run               only read, and show partitions, hot spots, batches and what would be refused
              --rejected FILE         where the rows go that are not loaded (default: TABLE.rejected.csv)
              --state FOLDER          what is needed to go on after a kill (default: TABLE.load)
              --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                      without both the program starts an Azurite of its own, which ends with it)
              --help                  show this text
            """;

    private final Map<String, ColumnType> types = new LinkedHashMap<>();
    private @Nullable Path input;
    private @Nullable SampleData sample;
    private @Nullable String partitionKey;
    private @Nullable String rowKey;
    private @Nullable String table;
    private @Nullable String format;
    private @Nullable Character delimiter;
    private @Nullable Path rejected;
    private @Nullable Path state;
    private @Nullable String connectionString;
    private boolean dryRun;
    private boolean help;

    private LoadOptions() {}

    static LoadOptions parse(List<String> arguments, Map<String, String> environment) {
        LoadOptions options = new LoadOptions();
        options.connectionString = environment.get(ProgramAccount.VARIABLE);
        new Arguments(arguments).forEach(options::take);
        if (!options.help) {
            options.complete();
        }
        return options;
    }

    private void take(String option, Arguments rest) {
        switch (option) {
            case "--input" -> input = Path.of(rest.value(option));
            case "--sample" -> sample = sample(rest.value(option));
            case "--partition-key" -> partitionKey = rest.value(option);
            case "--row-key" -> rowKey = rest.value(option);
            case "--types" -> takeTypes(rest.value(option));
            case "--table" -> table = table(rest.value(option));
            case "--format" -> format = rest.value(option);
            case "--delimiter" -> delimiter = delimiter(rest.value(option));
            case "--dry-run" -> dryRun = true;
            case "--rejected" -> rejected = Path.of(rest.value(option));
            case "--state" -> state = Path.of(rest.value(option));
            case "--connection-string" -> connectionString = rest.value(option);
            case "--help" -> help = true;
            default -> throw new UsageException("unknown option " + option);
        }
    }

    private static SampleData sample(String name) {
        SampleData sample = SampleData.named(name);
        if (sample == null) {
            throw new UsageException("--sample needs cities or zipcodes, not " + name);
        }
        return sample;
    }

    private static String table(String name) {
        if (!TABLE.matcher(name).matches()) {
            throw new UsageException(
                    "--table needs 3 to 63 letters and digits, the first of them a letter, not " + name);
        }
        return name;
    }

    private static char delimiter(String value) {
        if (value.length() != 1) {
            throw new UsageException("--delimiter needs one character, not " + value);
        }
        return value.charAt(0);
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

    private void complete() {
        if ((input == null) == (sample == null)) {
            throw new UsageException("either --input or --sample is needed");
        }
        if (sample != null) {
            Map<String, ColumnType> given = new LinkedHashMap<>(types);
            takeTypes(sample.types());
            types.putAll(given);
            partitionKey = partitionKey != null ? partitionKey : sample.partitionKey();
            rowKey = rowKey != null ? rowKey : sample.rowKey();
            table = table != null ? table : sample.label();
        }
        if (partitionKey == null || rowKey == null) {
            throw new UsageException("--partition-key and --row-key are needed");
        }
    }

    @Override
    public boolean help() {
        return help;
    }

    @Override
    public String description() {
        return HELP;
    }

    boolean dryRun() {
        return dryRun;
    }

    @Nullable
    SampleData sample() {
        return sample;
    }

    /** The file to load; npm installs that of a sample. */
    InputFile input() {
        Path path = input != null ? input : sample != null ? sample.install() : Path.of("");
        return InputFile.of(path, format, delimiter);
    }

    KeyTemplate partitionKey() {
        return KeyTemplate.parse("--partition-key", partitionKey == null ? "" : partitionKey);
    }

    KeyTemplate rowKey() {
        return KeyTemplate.parse("--row-key", rowKey == null ? "" : rowKey);
    }

    Map<String, ColumnType> types() {
        return types;
    }

    String table() {
        return table != null ? table : "bulkload";
    }

    Path rejected() {
        return rejected != null ? rejected : Path.of(table() + ".rejected.csv");
    }

    Path state() {
        return state != null ? state : Path.of(table() + ".load");
    }

    @Nullable
    String connectionString() {
        return connectionString;
    }
}
