package io.stowline.examples.quickstart;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program.ProgramOptions;
import io.stowline.examples.shared.UsageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param limit the most cities to take, from the beginning of the file
 * @param connectionString the account to write to, or null for an Azurite of the program's own
 * @param faults the seed of the faults on the way to that Azurite, or null for none
 * @param help whether only the options are to be shown
 */
record Options(
        long limit,
        @Nullable String connectionString,
        @Nullable Long faults,
        boolean help) implements ProgramOptions {

    static final String HELP = """
            Writes the cities of the world to Azure Table storage, reads them back and proves that nothing was lost.

              --limit N               take the first N cities only
              --connection-string S   use this storage account; the program makes a table there and removes it again
                                      (without it, the program starts an Azurite of its own, which needs Node.js 20 or newer)
              --faults SEED           lose answers, refuse and reset some requests on the way to that Azurite, as the seed decides
              --help                  show this text
            """;

    static Options parse(List<String> arguments) {
        Options options = new Options(Long.MAX_VALUE, null, null, false);
        Arguments rest = new Arguments(arguments);
        while (rest.hasNext()) {
            options = options.with(rest.next(), rest);
        }
        if (options.faults != null && options.connectionString != null) {
            throw new UsageException("--faults goes with the program's own Azurite, not with --connection-string");
        }
        return options;
    }

    private Options with(String option, Arguments rest) {
        return switch (option) {
            case "--limit" -> new Options(rest.positive(option), connectionString, faults, help);
            case "--connection-string" -> new Options(limit, rest.value(option), faults, help);
            case "--faults" -> new Options(limit, connectionString, rest.fromZero(option), help);
            case "--help" -> new Options(limit, connectionString, faults, true);
            default -> throw new UsageException("unknown option " + option);
        };
    }

    @Override
    public String description() {
        return HELP;
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "Options[limit=" + limit + ", account=" + (connectionString == null ? "own Azurite" : "given")
                + ", faults=" + faults + ", help=" + help + "]";
    }
}
