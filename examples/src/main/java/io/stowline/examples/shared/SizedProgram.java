package io.stowline.examples.shared;

import io.stowline.examples.shared.Program.ProgramOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options of a program that takes a size and an account.
 *
 * @param about what it does, in a line or two
 * @param size the option that says how much of it
 * @param meaning what that is
 * @param least how much at the least
 * @param usual how much without the option
 */
public record SizedProgram(String about, String size, String meaning, int least, int usual) {

    /** What a program does with an account. */
    @FunctionalInterface
    public interface Work {

        /**
         * Does it.
         *
         * @param account the account
         * @param size how much of it
         * @param out where it tells what it does
         * @return what is not as it should be
         * @throws IOException if a file cannot be read or written
         * @throws InterruptedException if the thread is interrupted
         */
        List<String> run(ProgramAccount account, int size, PrintStream out) throws IOException, InterruptedException;
    }

    private record Options(int size, @Nullable String connectionString, boolean help, String description)
            implements ProgramOptions {

        /** Keeps the connection string, which holds a secret, out of messages. */
        @Override
        public String toString() {
            return "Options[size=" + size + ", help=" + help + "]";
        }
    }

    /**
     * The program that does this with its account and size.
     *
     * @param work what it does
     * @return the program
     */
    public Program<? extends ProgramOptions> of(Work work) {
        return new Program<>((arguments, environment) -> options(new Arguments(arguments)), (options, out) -> {
            try (ProgramAccount account = ProgramAccount.of(options.connectionString, out)) {
                return work.run(account, options.size, out);
            }
        });
    }

    private Options options(Arguments arguments) {
        Options options = new Options(usual, null, false, help());
        while (arguments.hasNext()) {
            options = with(options, arguments.next(), arguments);
        }
        return options;
    }

    private Options with(Options options, String option, Arguments rest) {
        if (option.equals(size)) {
            return new Options(
                    sized(rest.positive(option)), options.connectionString, options.help, options.description);
        }
        return switch (option) {
            case "--connection-string" ->
                new Options(options.size, rest.value(option), options.help, options.description);
            case "--help" -> new Options(options.size, options.connectionString, true, options.description);
            default -> throw new UsageException("unknown option " + option);
        };
    }

    private int sized(long number) {
        if (number < least || number > Integer.MAX_VALUE) {
            throw new UsageException(
                    size + " needs a number from " + least + " to " + Integer.MAX_VALUE + ", not " + number);
        }
        return (int) number;
    }

    /**
     * All options.
     *
     * @return a few lines
     */
    public String help() {
        return String.format(Locale.ROOT, """
                %s

                  %-21s %s; %d unless given
                  --connection-string S use this storage account; what the program makes there it removes again
                                        (without it, the program starts an Azurite of its own, which needs Node.js 20 or newer)
                  --help                show this text
                """, about, size + " N", meaning, usual);
    }
}
