package io.stowline.examples.quickstart;

import io.stowline.examples.load.LoadOptions;
import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param load the options of the load
 * @param connectionString the account, or null for an Azurite
 * @param faults the seed of the faults on the way to that Azurite, or null for none
 */
record Options(
        LoadOptions load,
        @Nullable String connectionString,
        @Nullable Long faults) {

    static final String HELP = """
        Loads rows into a table of Azure Storage, each once. Without an account, and with a public data set, it reads them
        back, proves that nothing was lost, and removes the table. A file of yours stays in the table of your account; after
        a kill the same command goes on where it was.

        """ + LoadOptions.HELP + """
          --connection-string S   use this storage account; with --input the variable AZURE_STORAGE_CONNECTION_STRING, too
                                  (otherwise the program starts an Azurite, which needs Node.js 20 or newer and ends with it)
          --faults SEED           lose responses, refuse and reset some requests on the way to that Azurite, as the seed decides
          --help                  show this text
        """;

    static Options of(Arguments arguments, Map<String, String> environment) {
        LoadOptions load = LoadOptions.of(arguments);
        Long faults = arguments.number("--faults", 0);
        if (faults != null && arguments.has("--connection-string")) {
            throw new UsageException("--faults goes with the program's own Azurite, not with --connection-string");
        }
        boolean fromEnvironment = load.hasFile() && faults == null;
        return new Options(
                load, ProgramAccount.connectionString(arguments, fromEnvironment ? environment : Map.of()), faults);
    }

    /** Returns true if the table stays: the caller's file in the caller's account. */
    boolean keeps() {
        return connectionString != null && load.hasFile();
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "Options[" + (connectionString == null ? "own Azurite" : "given account") + ", faults=" + faults + "]";
    }
}
