package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.system.ConsumerWorker.Job;
import io.stowline.system.ConsumerWorker.Kind;
import io.stowline.system.WorkerLog.Event;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.StubResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One queue that processes consume, each a JVM: one crashes, renewals are refused, all stop. */
@Timeout(240)
class ConsumerProcessesIT extends StorageTest {

    private static final int PROCESSES = 3;
    private static final int CONCURRENCY = 4;
    private static final int SLOTS = PROCESSES * CONCURRENCY;

    private static final Duration STOP = Duration.ofSeconds(3);

    /** The delivery by which a message that kills its process is poison. */
    private static final int LAST_DELIVERY = 11;

    private static final Duration GUARD = Duration.ofSeconds(60);

    /** The delay of a busy machine before work that the service allows. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final String name = "p" + UUID.randomUUID().toString().substring(0, 30);
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final WorkerLog log = new WorkerLog();
    private MessageQueue<Job> queue;

    @TempDir
    Path folder;

    @BeforeEach
    void make() {
        queue = storage.queue(name, Job.class);
        queue.create();
    }

    @AfterEach
    void remove() {
        workers.forEach(WorkerProcess::close);
        queue.dropIfExists();
        storage.queue(name + "-poison").dropIfExists();
    }

    private void send(String prefix, Kind kind, int jobs) {
        List<Job> all = IntStream.range(0, jobs)
                .mapToObj(i -> new Job(prefix + i, kind))
                .toList();
        assertThat(queue.sendAll(all)).allMatch(ItemResult::succeeded);
    }

    private WorkerProcess worker() throws Exception {
        WorkerProcess worker = WorkerProcess.start(workers.size(), connectionString(), name, CONCURRENCY, folder, log);
        workers.add(worker);
        return worker;
    }

    private void threeWorkers() throws Exception {
        for (int i = 0; i < PROCESSES; i++) {
            worker();
        }
        for (WorkerProcess worker : workers) {
            log.await("READY", worker);
        }
    }

    private static void command(List<WorkerProcess> running, String line) throws Exception {
        for (WorkerProcess worker : running) {
            worker.command(line);
        }
    }

    private void stop(List<WorkerProcess> running) throws Exception {
        command(running, "stop 20000");
        for (WorkerProcess worker : running) {
            worker.awaitExit(0);
        }
    }

    @Test
    @DisplayName("QUEUE-1 QUEUE-2: a process that is killed inside handlers loses no message, and others take over"
            + " within a lease and a poll")
    void survivesAKill() throws Exception {
        threeWorkers();
        send("held", Kind.HOLD, SLOTS);
        log.await("START", SLOTS);
        List<String> inHandlers =
                log.events("START", 0).stream().map(Event::job).toList();
        long killed = workers.get(0).kill();
        List<WorkerProcess> others = workers.subList(1, PROCESSES);
        command(others, "go");
        send("quick", Kind.QUICK, 48);
        log.await("DONE", SLOTS + 48);
        stop(others);

        assertThat(inHandlers).hasSize(CONCURRENCY);
        assertThat(log.counts("DONE")).hasSize(SLOTS + 48).values().containsOnly(1L);
        assertThat(log.counts("START"))
                .allSatisfy((job, times) -> assertThat(times).as(job).isEqualTo(inHandlers.contains(job) ? 2 : 1));
        assertThat(log.events("LOST")).isEmpty();
        assertThat(queue.approximateCount()).isZero();
        assertThat(queue.poison().count()).isZero();
        Duration max = ConsumerWorker.LEASE.plus(ConsumerWorker.MAX_POLL).plus(SLACK);
        assertThat(log.events("START").stream()
                        .filter(start -> start.process() > 0 && inHandlers.contains(start.job()))
                        .map(start -> Duration.ofMillis(start.time() - killed)))
                .as("times until others took over")
                .hasSize(CONCURRENCY)
                .allSatisfy(time -> assertThat(time).isPositive().isLessThan(max));
    }

    @Test
    @Tag("soak")
    @DisplayName(
            "QUEUE-1: each message keeps its one owner beyond its lease although two of its renewals are answered 503")
    void keepsItsMessages() throws Exception {
        Map<String, Integer> renewals = new ConcurrentHashMap<>();
        // The second renewal that succeeds comes after the lease of the receive.
        CountDownLatch renewedTwice = new CountDownLatch(SLOTS);
        FaultRule busy = proxy().when(requests()
                        .method("PUT")
                        .path("/**/" + name + "/messages/*")
                        .when("the first two renewals of a message", request -> {
                            int number = renewals.merge(request.path(), 1, Integer::sum);
                            if (number == 4) {
                                renewedTwice.countDown();
                            }
                            return number <= 2;
                        }))
                .respond(StubResponse.error(503, "ServerBusy", "busy"));
        threeWorkers();
        send("held", Kind.HOLD, SLOTS);
        log.await("START", SLOTS);
        assertThat(renewedTwice.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        command(workers, "go");
        log.await("DONE", SLOTS);
        stop(workers);

        assertThat(busy.hits()).isEqualTo(2 * SLOTS);
        assertThat(log.counts("START")).hasSize(SLOTS).values().containsOnly(1L);
        assertThat(log.counts("DONE")).hasSize(SLOTS).values().containsOnly(1L);
        assertThat(log.events("LOST")).isEmpty();
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName(
            "QUEUE-5: three processes stop by their deadline while 200 messages wait, and show at once what no handler"
                    + " has")
    void stopsWhileMessagesWait() throws Exception {
        threeWorkers();
        send("quick", Kind.QUICK, 60);
        log.await("DONE", 60);
        while (queue.approximateCount() > 0) {
            // A deletion that is still in flight would count as completed by the stop.
            ShortPause.park();
        }
        send("held", Kind.HOLD, 200);
        log.await("START", 60 + SLOTS);
        long before = System.currentTimeMillis();
        command(workers, "stop " + STOP.toMillis());
        for (WorkerProcess worker : workers) {
            worker.awaitExit(0);
        }

        List<Duration> released = proxy()
                .recorded(requests()
                        .method("PUT")
                        .path("/**/" + name + "/messages/*")
                        .query("visibilitytimeout", "0"))
                .stream()
                .map(RecordedExchange::arrived)
                .toList();
        assertThat(released).as("what was received and not started").hasSizeGreaterThan(PROCESSES);
        assertThat(released.get(released.size() - 1).minus(released.get(0)))
                .as("from the first release to the last, which wait for no handler")
                .isLessThan(STOP);
        int visible = 0;
        for (List<ReceivedMessage<Job>> next = queue.receive(32); !next.isEmpty(); next = queue.receive(32)) {
            visible += next.size();
        }
        assertThat(visible).as("messages that no handler had").isEqualTo(200 - SLOTS);
        assertThat(log.events("STOPPED")).hasSize(PROCESSES).allSatisfy(stopped -> {
            assertThat(Duration.ofMillis(stopped.time() - before)).isLessThan(STOP.plus(SLACK));
            assertThat(stopped.job()).as("completed").isEqualTo("0");
            assertThat(stopped.rest()).as("failed, released, abandoned").endsWith(" " + CONCURRENCY);
        });
    }

    @Test
    @Tag("soak")
    @DisplayName(
            "QUEUE-3: a message that kills its process is poison by delivery 11, and no handler sees that delivery")
    void poisonsWhatKills() throws Exception {
        send("killer", Kind.HALT, 1);
        deliveries(LAST_DELIVERY - 2);
        worker().awaitExit(ConsumerWorker.HALTED);
        long poisoned = awaitPoison(worker());
        stop(workers.subList(1, 2));

        assertThat(log.events("START")).singleElement().satisfies(start -> assertThat(start.rest())
                .isEqualTo(String.valueOf(LAST_DELIVERY - 1)));
        assertThat(poisoned).isEqualTo(1);
        PoisonQueue.Message<Job> message = queue.poison().peek(1).get(0);
        assertThat(message.body().name()).isEqualTo("killer0");
        assertThat(message.deliveries()).isEqualTo(LAST_DELIVERY);
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @Tag("soak")
    @DisplayName("QUEUE-3: a message that kills eleven processes in turn is poison by delivery 11")
    void poisonsWhatKillsAgain() throws Exception {
        send("killer", Kind.HALT, 1);
        for (int delivery = 1; delivery < LAST_DELIVERY; delivery++) {
            worker().awaitExit(ConsumerWorker.HALTED);
        }
        WorkerProcess last = worker();
        assertThat(awaitPoison(last)).isEqualTo(1);
        stop(List.of(last));

        assertThat(log.counts("START")).containsEntry("killer0", LAST_DELIVERY - 1L);
        assertThat(queue.approximateCount()).isZero();
    }

    /** Deliveries without a result, whose leases end at once. */
    private void deliveries(int count) {
        for (int i = 0; i < count; i++) {
            queue.update(queue.receive().orElseThrow(), Duration.ZERO);
        }
    }

    private long awaitPoison(WorkerProcess worker) throws Exception {
        log.await("READY", worker);
        long count = 0;
        while (count == 0 || queue.approximateCount() > 0) {
            count = queue.poison().count();
        }
        return count;
    }
}
