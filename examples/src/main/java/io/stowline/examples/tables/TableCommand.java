package io.stowline.examples.tables;

import io.stowline.Stowline;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.UsageException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.TableTransferProgress;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A command that exports, imports, copies, compares and empties tables, with a progress bar. A command that was killed goes on when it is
 * given again.
 *
 * <p>Exits with 0 when all is done or nothing differs, with 1 when something differs, failed or was rejected, and with 2 when the options are
 * wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record TableCommand(TableCommandOptions options, PrintStream out) {

    static final Program<TableCommandOptions> PROGRAM = new Program<>(
            TableCommandOptions.HELP, TableCommandOptions::of, (options, out) -> new TableCommand(options, out).run());

    private static final int PERCENT = 100;

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the verb and its options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    /** A transfer with its settings. */
    @FunctionalInterface
    private interface Transfer {
        TableTransferReport run(UnaryOperator<TableTransferSettings.Builder> settings);
    }

    private List<String> run() throws InterruptedException {
        try {
            return switch (options.verb()) {
                case EXPORT -> exportTable();
                case IMPORT -> importFile();
                case COPY -> copy();
                case COMPARE -> compare();
                case RM -> delete();
            };
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw new JobFailedException(String.valueOf(e.getMessage()), e);
        } catch (UncheckedIOException e) {
            throw new JobFailedException(String.valueOf(e.getCause()), e);
        }
    }

    private List<String> exportTable() {
        try (Stowline storage = storage(options.source())) {
            return transferred("Exporting", settings -> storage.tables()
                    .export(options.source().name(), options.target().path(), settings));
        }
    }

    private List<String> importFile() {
        Path file = options.source().path();
        if (!Files.isRegularFile(file)) {
            throw new JobFailedException("the file " + file + " does not exist");
        }
        try (Stowline storage = storage(options.target())) {
            Table<Entity> table = storage.table(options.target().name());
            make(table);
            return transferred("Importing", settings -> storage.tables().importFrom(file, table.name(), settings));
        }
    }

    private List<String> copy() {
        try (Stowline source = storage(options.source());
                Stowline target = storage(options.target())) {
            Table<Entity> table = target.table(options.target().name());
            make(table);
            return transferred(
                    "Copying", settings -> source.tables().copy(options.source().name(), table, settings));
        }
    }

    private void make(Table<Entity> table) {
        if (options.dryRun()) {
            if (!table.exists()) {
                out.println("The table " + table.name() + " would be made");
            }
        } else if (table.createIfMissing()) {
            out.println("The table " + table.name() + " was made");
        }
    }

    private List<String> transferred(String task, Transfer transfer) {
        TableTransferReport report;
        try (ProgressDisplay progress = ProgressDisplay.of(out, task, PERCENT)) {
            report = transfer.run(settings -> options.on(settings).progress(now -> show(now, progress)));
        }
        if (report.resumed()) {
            out.println("Went on where an earlier run had ended");
        }
        summary(report).lines().forEach(out::println);
        if (report.rejected() > 0) {
            throw new JobFailedException(
                    report.rejected() + " rows were rejected; " + options.rejected() + " has them with their reasons");
        }
        return List.of();
    }

    private static void show(TableTransferProgress now, ProgressDisplay progress) {
        progress.show(
                (long) (now.fraction() * PERCENT),
                String.format(
                        Locale.ROOT,
                        "%,d rows  %,.0f/s  %s",
                        now.rows(),
                        now.rate(),
                        ProgressDisplay.left(now.timeLeft())));
    }

    private Report summary(TableTransferReport report) {
        double seconds = report.elapsed().toNanos() / 1e9;
        Report lines = new Report()
                .row("read", "%,d", report.read())
                .row(options.dryRun() ? "would be written" : "written", "%,d", report.written())
                .row("unchanged", "%,d", report.unchanged())
                .row("rejected", "%,d", report.rejected())
                .row("seconds", "%.1f", seconds)
                .row("  rows/s", "%,.0f", report.read() / Math.max(seconds, 1e-3));
        report.checksum().ifPresent(sum -> lines.row("checksum", "%s", sum));
        return lines;
    }

    private List<String> compare() {
        long count;
        try (Stowline first = storage(options.source());
                Stowline second = storage(options.target());
                ProgressDisplay progress = ProgressDisplay.of(out, "Comparing", PERCENT);
                Stream<EntityDifference> differences = first.tables()
                        .compare(side(first, options.source()), side(second, options.target()), settings -> options.on(
                                        settings)
                                .progress(now -> show(now, progress)))) {
            count = differences
                    .peek(difference -> progress.print(text(difference)))
                    .count();
        }
        out.println(count == 0 ? "Both have the same entities" : "");
        return count == 0 ? List.of() : List.of(String.format(Locale.ROOT, "%,d entities", count));
    }

    private static EntitySource side(Stowline storage, TableLocation location) {
        return location.file().map(EntitySource::of).orElseGet(() -> EntitySource.of(storage.table(location.name())));
    }

    private String text(EntityDifference difference) {
        String entity = "('" + difference.partitionKey() + "', '" + difference.rowKey() + "')";
        return switch (difference.kind()) {
            case ONLY_IN_FIRST -> "only in " + options.source() + ": " + entity;
            case ONLY_IN_SECOND -> "only in " + options.target() + ": " + entity;
            case DIFFERENT -> "different: " + entity + " in " + String.join(", ", difference.properties());
        };
    }

    private List<String> delete() throws InterruptedException {
        try (Stowline storage = storage(options.source())) {
            Table<Entity> table = storage.table(options.source().name());
            if (!options.wholeTable()) {
                return new EntityDeletion(options, out).from(table);
            }
            if (options.dryRun()) {
                out.println("The table " + table.name() + (table.exists() ? " would be deleted" : " does not exist"));
            } else {
                table.drop();
                out.println("The table " + table.name() + " was deleted");
            }
            return List.of();
        }
    }

    /** Files need no account; a client that sends nothing serves them. */
    private Stowline storage(TableLocation location) {
        String connectionString =
                location.file().isPresent() ? "UseDevelopmentStorage=true" : options.connectionString(location);
        Stowline.Builder builder = Stowline.builder();
        if (options.verb() == TableCommandOptions.Verb.RM) {
            builder.parallelism(options.parallel());
        }
        try {
            return builder.connectionString(connectionString).build();
        } catch (IllegalArgumentException e) {
            throw new UsageException(location.variable() + ": " + e.getMessage());
        }
    }
}
