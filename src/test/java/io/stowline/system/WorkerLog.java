package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The log of {@link ConsumerWorker} processes so far. Thread-safe. */
final class WorkerLog {

    private static final Duration GUARD = Duration.ofSeconds(60);

    private final List<Event> events = new ArrayList<>();

    /**
     * A line.
     *
     * @param process the number of the process
     * @param time the time of day in ms
     * @param type such as START
     * @param job the job, or an empty text
     * @param rest what follows
     */
    record Event(int process, long time, String type, String job, String rest) {

        static Event of(int process, String line) {
            String[] words = line.split(" ", 4);
            return new Event(
                    process,
                    Long.parseLong(words[0]),
                    words[1],
                    words.length > 2 ? words[2] : "",
                    words.length > 3 ? words[3] : "");
        }
    }

    synchronized void add(Event event) {
        events.add(event);
        notifyAll();
    }

    synchronized List<Event> events(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    List<Event> events(String type, int process) {
        return events(type).stream().filter(event -> event.process() == process).toList();
    }

    /** Returns the number of each job's events of this type. */
    Map<String, Long> counts(String type) {
        return events(type).stream().collect(Collectors.groupingBy(Event::job, Collectors.counting()));
    }

    /** Waits until so many jobs have an event of a type. */
    synchronized void await(String type, int jobs) throws InterruptedException {
        long deadline = System.nanoTime() + GUARD.toNanos();
        while (counts(type).size() < jobs) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(left)
                    .as("time left for %d of %s in %s", jobs, type, events)
                    .isPositive();
            wait(left);
        }
    }

    /** Waits until a process has an event of a type. */
    synchronized void await(String type, WorkerProcess process) throws InterruptedException {
        long deadline = System.nanoTime() + GUARD.toNanos();
        while (events(type, process.number()).isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(left).as("time left for %s of %s", type, process).isPositive();
            wait(left);
        }
    }
}
