package io.stowline.examples.workqueue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.workqueue.WorkerEvent.Kind;
import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that works on the jobs of a queue. It prints its {@link WorkerEvent events}, stops at the line {@code stop} or the end of its
 * input, and at signals that end a process.
 */
public final class QueueWorker {

    /** The time in which handlers have to end when the worker stops. */
    static final Duration STOP = Duration.ofSeconds(20);

    /** The line that stops a worker. */
    static final String STOP_COMMAND = "stop";

    /** The number of failures after which a job is poison. */
    static final int POISON_AFTER = 3;

    private static final Duration MIN_POLL = Duration.ofMillis(100);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);
    private static final Backoff RETRY = Backoff.fixed(Duration.ofSeconds(1));

    private final Setup setup;
    private final Table<JobResult> results;
    private final QueueConsumer consumer;
    private final PrintStream events;
    private boolean stopped;

    /**
     * The setup of a worker beside the account.
     *
     * @param number the number of the worker
     * @param queue the queue with the jobs
     * @param table the table for the results
     * @param handlers how many jobs it works on at a time
     * @param lease how long a receive hides a job, in seconds
     */
    record Setup(int number, String queue, String table, int handlers, int lease) {

        static Setup parse(List<String> arguments) {
            return new Setup(
                    Integer.parseInt(arguments.get(0)),
                    arguments.get(1),
                    arguments.get(2),
                    Integer.parseInt(arguments.get(3)),
                    Integer.parseInt(arguments.get(4)));
        }

        Setup numbered(int other) {
            return new Setup(other, queue, table, handlers, lease);
        }

        List<String> arguments() {
            return List.of(String.valueOf(number), queue, table, String.valueOf(handlers), String.valueOf(lease));
        }
    }

    private QueueWorker(Stowline storage, Setup setup, PrintStream events) {
        this.setup = setup;
        this.events = events;
        this.results = storage.table(setup.table, JobResult.class);
        this.consumer = storage.queue(setup.queue, WorkItem.class)
                .withEnvelope(e -> e)
                .consume(this::handle)
                .concurrency(setup.handlers)
                .lease(Duration.ofSeconds(setup.lease))
                .pollDelay(MIN_POLL, MAX_POLL)
                .poisonAfter(POISON_AFTER)
                .retryDelay(RETRY)
                .start();
    }

    /**
     * Works until it is stopped.
     *
     * @param arguments those of {@link Setup}; the account is in the environment
     * @throws IOException if the input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream events = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        try (Stowline storage = Stowline.connect(System.getenv(ProgramAccount.VARIABLE))) {
            QueueWorker worker = new QueueWorker(storage, Setup.parse(List.of(arguments)), events);
            Runtime.getRuntime().addShutdownHook(new Thread(worker::stop, "stop"));
            worker.announce(Kind.READY);
            awaitStop(System.in);
            worker.stop();
        }
    }

    private static void awaitStop(InputStream input) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(input, UTF_8));
        String line = commands.readLine();
        while (line != null && !line.equals(STOP_COMMAND)) {
            line = commands.readLine();
        }
    }

    private void handle(MessageLease<WorkItem> message) throws InterruptedException {
        WorkItem item = message.body();
        announce(Kind.STARTED, item.number(), message.dequeueCount());
        try {
            TimeUnit.MILLISECONDS.sleep(item.millis());
            if (item.fails(message.dequeueCount())) {
                throw new IllegalStateException("job " + item.number() + " fails on purpose");
            }
            announce(store(item), item.number());
        } catch (InterruptedException | RuntimeException e) {
            announce(message.isLost() ? Kind.LOST : Kind.FAILED, item.number());
            throw e;
        }
    }

    /** One claim of a job succeeds, so that two runs of it make one result. */
    private Kind store(WorkItem item) {
        try {
            results.claim(new JobResult(setup.queue, item.key(), setup.number));
            return Kind.DONE;
        } catch (ConflictException e) {
            return Kind.REPEATED;
        }
    }

    private synchronized void stop() {
        if (!stopped) {
            stopped = true;
            StopReport report = consumer.stop(STOP);
            announce(Kind.STOPPED, report.completed(), report.failed(), report.released(), report.abandoned());
        }
    }

    private void announce(Kind kind, long... figures) {
        events.println(WorkerEvent.of(kind, figures).line());
    }
}
