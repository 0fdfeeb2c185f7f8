package io.stowline.examples.stress;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param partitions the most partitions; the numbers of partitions are the powers of two up to it
 * @param seconds how long each step takes
 * @param entities how many entities each request writes
 * @param reads the percentage of the requests that read
 * @param out where the chart goes
 * @param connectionString the account, or null for an emulator with throttling
 */
record StressOptions(
        int partitions,
        int seconds,
        int entities,
        int reads,
        Path out,
        @Nullable String connectionString) {

    static final String HELP = """
        Reads and writes one partition of a new table, then 2, 4, 8 and more, each time faster until the service throttles or
        the client cannot send more. Shows a table, a chart and a verdict.

          --partitions N          the most partitions, 1 to 64; 16 unless given
          --seconds N             how long each step takes, 1 to 600; 2 unless given
          --entities N            how many entities each write has, 1 to 100; 1 unless given
          --reads N               the percentage of point reads, 0 to 99; 50 unless given
          --out FILE              where the chart goes; partition-stress.svg unless given
          --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                  without both the program starts an Azurite behind a proxy, which throttles above limits
                                  that are scaled down to it); the program makes a table there and removes it again
          --help                  show this text
        """;

    static StressOptions of(Arguments arguments, Map<String, String> environment) {
        return new StressOptions(
                arguments.within("--partitions", 1, 64, 16),
                arguments.within("--seconds", 1, 600, 2),
                arguments.within("--entities", 1, 100, 1),
                arguments.within("--reads", 0, 99, 50),
                chart(arguments.value("--out", "partition-stress.svg")),
                ProgramAccount.connectionString(arguments, environment));
    }

    /** Checks before the steps, not after them, that the file can be written. */
    private static Path chart(String name) {
        Path chart = Path.of(name);
        Path folder = chart.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(chart) || !Files.isWritable(folder)) {
            throw new UsageException("--out needs a file in a folder that can be written, not " + name);
        }
        return chart;
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "StressOptions[partitions=" + partitions + ", seconds=" + seconds + ", entities=" + entities + ", reads="
                + reads + ", out="
                + out + ", " + (connectionString == null ? "own Azurite" : "given account") + "]";
    }
}
