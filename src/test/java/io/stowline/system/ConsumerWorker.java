package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.retry.Backoff;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A separate process with a consumer of a queue, which logs its events on its standard output, each behind the time of day in ms.
 *
 * <pre>
 * READY                    the consumer polls
 * START job deliveries     a handler has begun
 * DONE job                 it returns
 * FAIL job                 it throws
 * LOST job                 its message is lost
 * STOPPED completed failed released abandoned
 * </pre>
 *
 * It obeys the lines {@code go}, which lets held handlers go on, and {@code stop} with a time in ms. It ends when its input does.
 */
final class ConsumerWorker {

    /** The work of a handler with a job. */
    enum Kind {
        /** Returns at once. */
        QUICK,
        /** Waits until the process has the line {@code go}. */
        HOLD,
        /** Ends its process at once, as a crash does. */
        HALT
    }

    record Job(String name, Kind kind) {}

    static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration MAX_POLL = Duration.ofSeconds(1);
    static final int HALTED = 42;

    private final CountDownLatch go = new CountDownLatch(1);

    /**
     * Consumes until it is stopped or killed.
     *
     * @param args the connection string, the queue, and how many handlers run at a time
     */
    public static void main(String[] args) throws Exception {
        try (Stowline storage = Stowline.connect(args[0])) {
            new ConsumerWorker().work(storage.queue(args[1], Job.class), Integer.parseInt(args[2]));
        }
    }

    private void work(MessageQueue<Job> queue, int concurrency) throws Exception {
        try (QueueConsumer consumer = queue.consume(this::handle)
                        .concurrency(concurrency)
                        .lease(LEASE)
                        .pollDelay(Duration.ofMillis(50), MAX_POLL)
                        .retryDelay(Backoff.none())
                        .start();
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("READY");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                if (line.equals("go")) {
                    go.countDown();
                } else {
                    StopReport report = consumer.stop(Duration.ofMillis(Long.parseLong(line.substring(5))));
                    say("STOPPED " + report.completed() + " " + report.failed() + " " + report.released() + " "
                            + report.abandoned());
                    return;
                }
            }
        }
    }

    private void handle(MessageLease<Job> message) throws InterruptedException {
        String job = message.body().name();
        say("START " + job + " " + message.dequeueCount());
        message.onLost(() -> say("LOST " + job));
        switch (message.body().kind()) {
            case QUICK -> {}
            case HOLD -> hold(job);
            case HALT -> Runtime.getRuntime().halt(HALTED);
        }
        say("DONE " + job);
    }

    private void hold(String job) throws InterruptedException {
        try {
            go.await();
        } catch (InterruptedException e) {
            say("FAIL " + job);
            throw e;
        }
    }

    private static synchronized void say(String event) {
        System.out.println(System.currentTimeMillis() + " " + event);
        System.out.flush();
    }
}
