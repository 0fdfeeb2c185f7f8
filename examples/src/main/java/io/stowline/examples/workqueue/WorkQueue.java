package io.stowline.examples.workqueue;

import io.stowline.Stowline;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.examples.shared.ShutdownSignal;
import io.stowline.queue.MessageQueue;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * A work queue with several processes, one of which is killed on the way.
 *
 * <p>Exits with 0 when each job has one result, with 1 when one has not or something failed, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record WorkQueue(WorkQueueOptions options, PrintStream out) {

    static final Program<WorkQueueOptions> PROGRAM = Program.ofOptions(
            WorkQueueOptions.HELP, WorkQueueOptions::of, (options, out) -> new WorkQueue(options, out).run());

    // The workers have their time, and then the queues are removed.
    private static final Duration PATIENCE = QueueWorker.STOP.plusSeconds(20);

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private List<String> run() throws IOException, InterruptedException {
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out);
                ShutdownSignal signal = ShutdownSignal.register(PATIENCE);
                Stowline storage = account.connect()) {
            return run(storage, account.connectionString(), signal);
        }
    }

    private List<String> run(Stowline storage, String connectionString, ShutdownSignal signal)
            throws IOException, InterruptedException {
        try (ScratchTable<JobResult> results = ScratchTable.create(storage, "jobs", JobResult.class)) {
            MessageQueue<WorkItem> queue =
                    storage.queue(results.table().name(), WorkItem.class).withEnvelope(e -> e);
            try {
                queue.createIfMissing(); // its name is new
                return new WorkQueueRun(options, queue, results.table(), out).run(connectionString, signal);
            } finally {
                queue.dropIfExists();
                storage.queue(queue.poison().name()).dropIfExists();
            }
        }
    }
}
