package io.stowline.examples.stress;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program.ProgramOptions;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param partitions the most partitions; the numbers of partitions are the powers of two up to it
 * @param seconds how long each step takes
 * @param entities how many entities each request writes
 * @param out where the chart goes
 * @param connectionString the account, or null for an emulator with throttling
 * @param help whether only the options are to be shown
 */
record StressOptions(
        int partitions,
        int seconds,
        int entities,
        Path out,
        @Nullable String connectionString,
        boolean help) implements ProgramOptions {

    static final String HELP = """
            Writes to one partition of a new table, then to 2, 4, 8 and more, each time faster until the service throttles or the
            latency says that it is enough. Shows a table, a chart and a verdict.

              --partitions N          the most partitions, 1 to 64; 16 unless given
              --seconds N             how long each step takes, 1 to 600; 2 unless given
              --entities N            how many entities each request writes, 1 to 100; 1 unless given
              --out FILE              where the chart goes; partition-stress.svg unless given
              --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                      without both the program starts an Azurite behind a proxy, which throttles above limits
                                      that are scaled down to it); the program makes a table there and removes it again
              --help                  show this text
            """;

    private static final int MOST_PARTITIONS = 64;
    private static final int MOST_SECONDS = 600;
    private static final int MOST_ENTITIES = 100;

    static StressOptions parse(List<String> arguments, Map<String, String> environment) {
        StressOptions options = new StressOptions(
                16, 2, 1, Path.of("partition-stress.svg"), environment.get(ProgramAccount.VARIABLE), false);
        Arguments rest = new Arguments(arguments);
        while (rest.hasNext()) {
            options = options.with(rest.next(), rest);
        }
        return options;
    }

    /** A file that cannot be written is found out before the steps and not after them. */
    private static Path chart(String name) {
        Path chart = Path.of(name);
        Path folder = chart.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(chart) || !Files.isWritable(folder)) {
            throw new UsageException("--out needs a file in a folder that can be written, not " + name);
        }
        return chart;
    }

    private StressOptions with(String option, Arguments rest) {
        return switch (option) {
            case "--partitions" ->
                new StressOptions(
                        rest.within(option, 1, MOST_PARTITIONS), seconds, entities, out, connectionString, help);
            case "--seconds" ->
                new StressOptions(
                        partitions, rest.within(option, 1, MOST_SECONDS), entities, out, connectionString, help);
            case "--entities" ->
                new StressOptions(
                        partitions, seconds, rest.within(option, 1, MOST_ENTITIES), out, connectionString, help);
            case "--out" ->
                new StressOptions(partitions, seconds, entities, chart(rest.value(option)), connectionString, help);
            case "--connection-string" ->
                new StressOptions(partitions, seconds, entities, out, rest.value(option), help);
            case "--help" -> new StressOptions(partitions, seconds, entities, out, connectionString, true);
            default -> throw new UsageException("unknown option " + option);
        };
    }

    /** 1, 2, 4 and so on. */
    List<Integer> steps() {
        return IntStream.iterate(1, number -> number <= partitions, number -> 2 * number)
                .boxed()
                .toList();
    }

    @Override
    public String description() {
        return HELP;
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "StressOptions[partitions=" + partitions + ", seconds=" + seconds + ", entities=" + entities + ", out="
                + out + ", " + (connectionString == null ? "own Azurite" : "given account") + "]";
    }
}
