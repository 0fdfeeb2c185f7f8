package io.stowline.examples.workqueue;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program.ProgramOptions;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the command line sets. Filled while it is read, then only read. */
final class WorkQueueOptions implements ProgramOptions {

    static final String HELP = """
            Sends jobs to a queue, has several processes work on them, and kills one of them after a quarter. A live table
            shows which worker handles which job. At the end each job has one result.

              --workers N             how many processes, 1 to 16; 3 unless given
              --handlers N            how many jobs each works on at a time, 1 to 64; 4 unless given
              --jobs N                how many jobs, 20 to 100000; 400 unless given
              --work MILLIS           how long a job takes, up to 60000; 200 unless given
              --lease SECONDS         how long a killed worker's jobs stay hidden, 10 to 3600; 10 unless given
              --no-kill               kills no worker
              --replace               starts another worker in place of the killed one
              --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                      without both the program starts an Azurite, which ends with it); the program makes
                                      two queues and a table there and removes them again
              --help                  show this text
            """;

    private int workers = 3;
    private int handlers = 4;
    private int jobs = 400;
    private int work = 200;
    private int lease = 10;
    private boolean kill = true;
    private boolean replace;
    private @Nullable String connectionString;
    private boolean help;

    private WorkQueueOptions(@Nullable String connectionString) {
        this.connectionString = connectionString;
    }

    static WorkQueueOptions parse(List<String> arguments, Map<String, String> environment) {
        WorkQueueOptions options = new WorkQueueOptions(environment.get(ProgramAccount.VARIABLE));
        new Arguments(arguments).forEach(options::take);
        options.check();
        return options;
    }

    private void take(String option, Arguments rest) {
        switch (option) {
            case "--workers" -> workers = rest.within(option, 1, 16);
            case "--handlers" -> handlers = rest.within(option, 1, 64);
            case "--jobs" -> jobs = rest.within(option, 20, 100_000);
            case "--work" -> work = rest.within(option, 0, 60_000);
            case "--lease" -> lease = rest.within(option, 10, 3_600);
            case "--no-kill" -> kill = false;
            case "--replace" -> replace = true;
            case "--connection-string" -> connectionString = rest.value(option);
            case "--help" -> help = true;
            default -> throw new UsageException("unknown option " + option);
        }
    }

    private void check() {
        if (workers == 1 && kill && !replace && !help) {
            throw new UsageException("--workers 1 needs --replace or --no-kill, as no worker would be left");
        }
        if (!kill && replace) {
            throw new UsageException("--replace and --no-kill exclude each other");
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

    int workers() {
        return workers;
    }

    int handlers() {
        return handlers;
    }

    int jobs() {
        return jobs;
    }

    /** How long a job takes, in ms. */
    int work() {
        return work;
    }

    /** The lease, in seconds. */
    int lease() {
        return lease;
    }

    boolean kill() {
        return kill;
    }

    boolean replace() {
        return replace;
    }

    @Nullable
    String connectionString() {
        return connectionString;
    }
}
