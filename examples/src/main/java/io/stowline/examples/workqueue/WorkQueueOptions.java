package io.stowline.examples.workqueue;

import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param workers how many processes
 * @param handlers how many jobs each works on at a time
 * @param jobs how many jobs
 * @param work how long a job takes, in ms
 * @param lease the lease, in seconds
 * @param kill whether one is killed
 * @param replace whether another one is started in its place
 * @param connectionString the account, or null for an Azurite
 */
record WorkQueueOptions(
        int workers,
        int handlers,
        int jobs,
        int work,
        int lease,
        boolean kill,
        boolean replace,
        @Nullable String connectionString) {

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

    static WorkQueueOptions of(Arguments arguments, Map<String, String> environment) {
        WorkQueueOptions options = new WorkQueueOptions(
                arguments.within("--workers", 1, 16, 3),
                arguments.within("--handlers", 1, 64, 4),
                arguments.within("--jobs", 20, 100_000, 400),
                arguments.within("--work", 0, 60_000, 200),
                arguments.within("--lease", 10, 3_600, 10),
                !arguments.has("--no-kill"),
                arguments.has("--replace"),
                ProgramAccount.connectionString(arguments, environment));
        if (options.workers == 1 && options.kill && !options.replace) {
            throw new UsageException("--workers 1 needs --replace or --no-kill, as no worker would be left");
        }
        if (!options.kill && options.replace) {
            throw new UsageException("--replace and --no-kill exclude each other");
        }
        return options;
    }

    /** Keeps the connection string, which holds a secret, out of messages. */
    @Override
    public String toString() {
        return "WorkQueueOptions[workers=" + workers + ", jobs=" + jobs + "]";
    }
}
