package io.stowline.examples.workqueue;

import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.ShutdownSignal;
import io.stowline.examples.shared.Ticker;
import io.stowline.examples.workqueue.JobTracker.Deliveries;
import io.stowline.examples.workqueue.QueueWorker.Setup;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.table.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A run that starts the workers, sends the jobs, kills a worker, and compares what came of it with what should have.
 *
 * @param options the options
 * @param queue the queue for the jobs, which is empty
 * @param results the table for the results, which is empty
 * @param out where to print its progress
 */
record WorkQueueRun(WorkQueueOptions options, MessageQueue<WorkItem> queue, Table<JobResult> results, PrintStream out) {

    private static final int SENT_TOGETHER = 100;
    private static final int MAX_PEEKED = 32;
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration SLOWEST = Duration.ofSeconds(60);

    /** Does it, and returns what is not as it should be. */
    List<String> run(String connectionString, ShutdownSignal signal) throws IOException, InterruptedException {
        LiveDisplay display = LiveDisplay.of(out);
        JobTracker tracker = new JobTracker(options.jobs(), System::nanoTime);
        Setup setup = new Setup(0, queue.name(), results.name(), options.handlers(), options.lease());
        try (WorkerPool workers = WorkerPool.open(connectionString, setup, tracker)) {
            for (int i = 0; i < options.workers(); i++) {
                display.message(workers.start());
            }
            Ticker.during(
                    () -> work(workers, tracker, display, signal),
                    display.interval(),
                    () -> display.show(tracker.view()));
            List<String> differences = workers.stop();
            display.show(tracker.view());
            if (signal.isReceived()) {
                out.println("Stopped by a signal; the workers have given back what they had not begun.");
                return List.of("stopped before all jobs were done");
            }
            return differences.isEmpty() ? compare(tracker) : differences;
        }
    }

    /** Ends when each job is done or poison, and the queue is empty. */
    private void work(WorkerPool workers, JobTracker tracker, LiveDisplay display, ShutdownSignal signal)
            throws InterruptedException {
        while (!tracker.isReady()) {
            workers.check();
            if (signal.await(PAUSE)) {
                return;
            }
        }
        display.message(
                options.jobs() + " jobs go to the queue " + queue.name() + ", their results to a table of that name");
        Iterator<WorkItem> unsent = items();
        boolean kill = options.kill();
        while (!signal.await(unsent.hasNext() ? Duration.ZERO : PAUSE)
                && !(tracker.isComplete() && queue.approximateCount() == 0)) {
            send(unsent);
            workers.check();
            if (kill && tracker.done() >= options.jobs() / 4 && tracker.isBusy(victim())) {
                kill = false;
                display.message(workers.kill(victim()));
                if (options.replace()) {
                    display.message(workers.start());
                }
            }
            tracker.poisoned(poisoned());
            checkProgress(tracker);
        }
    }

    private Iterator<WorkItem> items() {
        return IntStream.rangeClosed(1, options.jobs())
                .mapToObj(number -> WorkItem.of(number, options.work()))
                .iterator();
    }

    private void send(Iterator<WorkItem> unsent) {
        List<WorkItem> next = new ArrayList<>();
        while (unsent.hasNext() && next.size() < SENT_TOGETHER) {
            next.add(unsent.next());
        }
        queue.sendAll(next).forEach(ItemResult::get);
    }

    private void checkProgress(JobTracker tracker) {
        Duration longest = SLOWEST.plusSeconds(options.lease()).plusMillis(options.work());
        if (tracker.sinceLastEvent().compareTo(longest) > 0) {
            throw new JobFailedException("no worker has done anything for " + longest.toSeconds() + " s");
        }
    }

    private int victim() {
        return Math.min(2, options.workers());
    }

    private Set<Integer> poisoned() {
        Set<Integer> numbers = new TreeSet<>();
        for (PoisonQueue.Message<WorkItem> message : queue.poison().peek(MAX_PEEKED)) {
            numbers.add(message.body().number());
        }
        return numbers;
    }

    private List<String> compare(JobTracker tracker) {
        for (PoisonQueue.Message<WorkItem> message : queue.poison().peek(MAX_PEEKED)) {
            out.printf(
                    Locale.ROOT,
                    "Job %d is poison: %s, %s%n",
                    message.body().number(),
                    message.reason().orElse("no reason"),
                    message.error().orElse("no error"));
        }
        List<JobResult> stored = results.query().partition(queue.name()).list();
        Set<Integer> poisoned = poisoned();
        announce(tracker, stored.size(), poisoned.size());

        Set<Integer> without = new TreeSet<>();
        items().forEachRemaining(item -> without.add(item.number()));
        stored.forEach(result -> without.remove(Integer.valueOf(result.job())));
        if (stored.size() == options.jobs() - 1
                && without.equals(Set.of(WorkItem.POISON))
                && poisoned.equals(without)) {
            out.println("Each job has one result, but the one that is poison.");
            return List.of();
        }
        return List.of("jobs without a result: " + without + ", in the poison queue: " + poisoned);
    }

    private void announce(JobTracker tracker, int stored, int poisoned) {
        TrackerView view = tracker.view();
        Deliveries deliveries = tracker.deliveries();
        Report report = new Report()
                .row("jobs", "%,d", view.jobs())
                .row("  with a result", "%,d", stored)
                .row("  poison", "%,d", poisoned)
                .row("  done twice, second result refused", "%,d", deliveries.repeated())
                .row("delivered again after a failure", "%,d", deliveries.retried())
                .row("  taken over from the killed worker", "%,d", deliveries.takenOver())
                .row("  for other reasons", "%,d", deliveries.redelivered());
        if (deliveries.takenOver() > 0) {
            report.row("first taken over after the kill, s", "%.1f", deliveries.firstTakeOver())
                    .row("  last, s", "%.1f", deliveries.lastTakeOver())
                    .row("  lease, s", "%d", options.lease());
        }
        view.workers().forEach(worker -> report.row("done by worker " + worker.number(), "%,d", worker.done()));
        report.row("seconds", "%.1f", view.seconds()).lines().forEach(out::println);
    }
}
