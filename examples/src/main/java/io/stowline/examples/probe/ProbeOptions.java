package io.stowline.examples.probe;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.ProgramAccount;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param connections the most connections; the numbers of connections are the powers of two below it, and itself
 * @param seconds how long each step takes
 * @param roundTrips how many small calls are measured
 * @param connectionString the account, or null for an emulator
 */
record ProbeOptions(
        int connections,
        int seconds,
        int roundTrips,
        @Nullable String connectionString) {

    static final String HELP = """
        Measures the way to a storage account: round trips, the difference of the clocks, and throughput up and down at 1, 2, 4
        and more connections with retries and errors. Shows a table, and says what limits.

          --connections N         the most connections, 1 to 64; 16 unless given
          --seconds N             how long each step takes, 1 to 60; 3 unless given
          --round-trips N         how many small calls of each kind, 5 to 1,000; 50 unless given
          --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                  without both the program starts an Azurite); the program makes a container there and
                                  removes it again
          --help                  show this text

        A step sends or receives as much as the line carries in its time: 3 s at 1 Gbit/s are 375 MB. Outside of the account's
        region what is received is billed.
        """;

    static ProbeOptions of(Arguments arguments, Map<String, String> environment) {
        return new ProbeOptions(
                arguments.within("--connections", 1, 64, 16),
                arguments.within("--seconds", 1, 60, 3),
                arguments.within("--round-trips", 5, 1_000, 50),
                ProgramAccount.connectionString(arguments, environment));
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "ProbeOptions[connections=" + connections + ", seconds=" + seconds + ", roundTrips=" + roundTrips + ", "
                + (connectionString == null ? "own Azurite" : "given account") + "]";
    }
}
