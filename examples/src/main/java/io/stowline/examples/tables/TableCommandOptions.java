package io.stowline.examples.tables;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.UsageException;
import io.stowline.projection.filter.Filter;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.PropertyKind;
import io.stowline.table.transfer.TableTransferSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of the command line. Immutable. */
final class TableCommandOptions {

    static final String HELP = """
        Exports, imports, copies, compares and empties tables.

          tables export TABLE FILE    writes a table to a file; a killed export goes on with the same command
          tables import FILE TABLE    writes a file into a table; a killed import goes on with the same command
          tables copy TABLE TABLE     writes a table into another one; a killed copy goes on with the same command
          tables compare SIDE SIDE    prints the entities that differ between two tables, or a table and a file, or two files
          tables rm TABLE             deletes entities, or the table

        A table is NAME, or ACCOUNT/NAME. A file has an ending: .jsonl or .csv, or one of them with .gz. A table that is a
        target is made if it is missing.

          --partition KEY         only this partition
          --prefix TEXT           only partitions whose keys begin with this
          --row-prefix TEXT       only rows whose keys begin with this
          --where FILTER          only entities that match this OData filter, such as 'age ge 40'
          --select NAMES          export, import, copy, compare: only these properties, such as name,age; an export to CSV needs it
          --mode MODE             import, copy: replace, merge, insert-only, or replace-if-newer:PROPERTY (default: replace)
          --types LIST            import, compare: types of the columns of a CSV file, such as age:int32,paid:int64
          --allow-empty-keys      import: rows whose partition key or row key is empty are no mistake of the file
          --rejected FILE         import, copy: where rejected rows go (default: beside the file, or SOURCE-to-TARGET.rejected.jsonl)
          --state FOLDER          import, copy: where the state is kept (default: beside the file, or SOURCE-to-TARGET.copy)
          --overwrite             export: replace a file that exists
          --whole-table           rm: delete the table itself
          --parallel N            ranges that are read, or transactions in flight, at a time; 1 to 64 (default: 8)
          --rate N                rows per second at the most, of a comparison those of each table (default: unlimited)
          --dry-run               export, import, copy, rm: write nothing, and print what would be done
          --help                  show this text

        The variable AZURE_STORAGE_CONNECTION_STRING names the account, and AZURE_STORAGE_CONNECTION_STRING_BACKUP that of
        backup/NAME.

        Nothing is a snapshot: each entity is exported as it stood when its page was read. Timestamp is not restored.

        Exits with 0 when all is done or nothing differs, with 1 when something differs, failed or was rejected, and with 2 when
        the options are wrong.
        """;

    private static final int MAX_PARALLEL = 64;
    private static final int USUAL_PARALLEL = 8;
    private static final int MAX_RATE = 10_000_000;
    private static final Set<String> OF_SCOPE = Set.of("--partition", "--prefix", "--row-prefix");

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final Verb verb;

    /** The verbs. */
    enum Verb {
        EXPORT("--where", "--select", "--overwrite", "--rate", "--dry-run"),
        IMPORT(
                "--where",
                "--select",
                "--mode",
                "--types",
                "--allow-empty-keys",
                "--rejected",
                "--state",
                "--rate",
                "--dry-run"),
        COPY("--where", "--select", "--mode", "--rejected", "--state", "--rate", "--dry-run"),
        COMPARE("--where", "--select", "--types", "--rate"),
        RM("--where", "--whole-table", "--rate", "--dry-run");

        @SuppressWarnings("ImmutableEnumChecker") // it is unmodifiable
        private final Set<String> options;

        Verb(String... options) {
            Set<String> all = new TreeSet<>(Arrays.asList(options));
            all.addAll(OF_SCOPE);
            all.add("--parallel");
            this.options = Collections.unmodifiableSet(all);
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private TableCommandOptions(Arguments arguments, Map<String, String> environment, Verb verb) {
        this.arguments = arguments;
        this.environment = environment;
        this.verb = verb;
    }

    static TableCommandOptions of(Arguments arguments, Map<String, String> environment) {
        List<String> words = arguments.words();
        Verb verb = Arrays.stream(Verb.values())
                .filter(one -> !words.isEmpty() && one.word().equals(words.get(0)))
                .findFirst()
                .orElseThrow(() -> new UsageException("export, import, copy, compare or rm is needed"
                        + (words.isEmpty() ? "" : ", not " + words.get(0))));
        int needed = verb == Verb.RM ? 2 : 3;
        if (words.size() != needed) {
            throw new UsageException(verb.word() + " needs "
                    + (verb == Verb.RM ? "a table" : verb == Verb.COMPARE ? "two sides" : "a source and a target")
                    + ", not " + (words.size() == 1 ? "nothing" : String.join(" ", words.subList(1, words.size()))));
        }
        TableCommandOptions options = new TableCommandOptions(arguments, environment, verb);
        options.check();
        return options;
    }

    private void check() {
        Set<String> others = new TreeSet<>(arguments.names());
        others.removeAll(verb.options);
        others.stream().findFirst().ifPresent(other -> {
            throw new UsageException(
                    other + " does not belong to " + verb.word() + ", which takes " + String.join(", ", verb.options));
        });
        if (verb == Verb.EXPORT || verb == Verb.COPY || verb == Verb.RM) {
            source().name();
        }
        if (verb == Verb.IMPORT || verb == Verb.COPY) {
            target().name();
        }
        if (verb == Verb.EXPORT) {
            checkColumns(target().path().toString());
        }
        if (verb == Verb.IMPORT) {
            source().path();
        }
        if (verb == Verb.COPY && source().equals(target())) {
            throw new UsageException(source() + " is both source and target");
        }
        if (verb == Verb.RM) {
            checkDeletion();
        }
        rate();
        with(TableTransferSettings.builder(), false).build();
    }

    private void checkColumns(String file) {
        if ((file.endsWith(".csv") || file.endsWith(".csv.gz")) && !arguments.has("--select")) {
            throw new UsageException(
                    "a CSV file needs its columns: name them with --select, or export " + file + " as .jsonl");
        }
    }

    private void checkDeletion() {
        boolean narrowed = arguments.has("--where") || OF_SCOPE.stream().anyMatch(arguments::has);
        if (narrowed == arguments.has("--whole-table")) {
            throw new UsageException(
                    narrowed
                            ? "--whole-table deletes the table with all entities: leave it out, or the conditions"
                            : source() + " is a whole table: say --whole-table to delete it, or --partition, --prefix,"
                                    + " --row-prefix or --where to delete entities");
        }
    }

    Verb verb() {
        return verb;
    }

    TableLocation source() {
        return TableLocation.of(arguments.words().get(1));
    }

    TableLocation target() {
        return TableLocation.of(arguments.words().get(2));
    }

    /** Returns the connection string of an account. */
    String connectionString(TableLocation location) {
        String variable = location.variable();
        String value = environment.get(variable);
        if (value == null || value.isEmpty()) {
            throw new UsageException("the variable " + variable + " is not set: it names the account of " + location);
        }
        return value;
    }

    /** Sets the options of the command line on a builder. */
    TableTransferSettings.Builder on(TableTransferSettings.Builder builder) {
        return with(builder, true);
    }

    private TableTransferSettings.Builder with(TableTransferSettings.Builder builder, boolean files) {
        scope(builder);
        set("--where", filter -> builder.where(Filter.raw(filter)));
        set("--select", names -> builder.select(names.split(",", -1)));
        set("--mode", mode -> builder.mode(mode(mode)));
        set("--types", types -> Arrays.stream(types.split(",", -1)).forEach(type -> declare(builder, type)));
        builder.parallelism(parallel());
        if (files && verb == Verb.COPY) {
            builder.state(Path.of(between() + ".copy")).rejected(rejected());
        }
        set("--state", folder -> builder.state(Path.of(folder)));
        set("--rejected", file -> builder.rejected(Path.of(file)));
        if (arguments.has("--allow-empty-keys")) {
            builder.allowEmptyKeys();
        }
        if (arguments.has("--overwrite")) {
            builder.overwrite();
        }
        if (rate() != null && verb != Verb.RM) {
            builder.rate(rate());
        }
        if (dryRun() && verb != Verb.RM) {
            builder.dryRun();
        }
        return builder;
    }

    private void scope(TableTransferSettings.Builder builder) {
        if (arguments.has("--partition") && arguments.has("--prefix")) {
            throw new UsageException("--partition and --prefix are both given: choose one");
        }
        set("--partition", builder::partition);
        set("--prefix", builder::partitionPrefix);
        set("--row-prefix", builder::rowPrefix);
    }

    /** Names the option in the error of a wrong value. */
    private void set(String option, Consumer<String> setter) {
        String value = arguments.value(option);
        if (value != null) {
            try {
                setter.accept(value);
            } catch (IllegalArgumentException e) {
                throw new UsageException(option + ": " + e.getMessage());
            }
        }
    }

    private static ImportMode mode(String text) {
        String newer = "replace-if-newer:";
        if (text.startsWith(newer)) {
            return ImportMode.replaceIfNewer(text.substring(newer.length()));
        }
        return switch (text) {
            case "replace" -> ImportMode.replace();
            case "merge" -> ImportMode.merge();
            case "insert-only" -> ImportMode.insertOnly();
            default ->
                throw new IllegalArgumentException(
                        text + " is no mode; there are replace, merge, insert-only and replace-if-newer:PROPERTY");
        };
    }

    private static void declare(TableTransferSettings.Builder builder, String type) {
        int colon = type.lastIndexOf(':');
        String kind = type.substring(colon + 1).toUpperCase(Locale.ROOT);
        if (colon < 0
                || Arrays.stream(PropertyKind.values())
                        .noneMatch(one -> one.name().equals(kind))) {
            throw new IllegalArgumentException("'" + type + "' is no name:type; types are "
                    + Arrays.toString(PropertyKind.values()).toLowerCase(Locale.ROOT));
        }
        builder.column(type.substring(0, colon), PropertyKind.valueOf(kind));
    }

    /** Returns where rejected rows go, unless an import leaves it to the library. */
    Path rejected() {
        String usual = verb == Verb.COPY ? between() : source().toString();
        return Path.of(arguments.value("--rejected", usual + ".rejected.jsonl"));
    }

    /** No word has a dot, so no two pairs of tables have one name. */
    private String between() {
        return (source() + "-to-" + target()).replace('/', '.');
    }

    /** Returns the scope of a deletion, as the settings of transfers have it. */
    TableTransferSettings scope() {
        return with(TableTransferSettings.builder(), false).build();
    }

    int parallel() {
        return arguments.within("--parallel", 1, MAX_PARALLEL, USUAL_PARALLEL);
    }

    @Nullable
    Integer rate() {
        return arguments.has("--rate") ? Integer.valueOf(arguments.within("--rate", 1, MAX_RATE, MAX_RATE)) : null;
    }

    boolean dryRun() {
        return arguments.has("--dry-run");
    }

    boolean wholeTable() {
        return arguments.has("--whole-table");
    }
}
