package io.stowline.system.ledger;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.CompetingWriter;
import io.stowline.system.ledger.script.DelayedDelivery;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.script.Weather;
import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.subject.Subject;
import io.stowline.system.ledger.verdict.Facts;
import io.stowline.system.ledger.verdict.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One seed, run once with one client. */
final class SeedRun {

    static final int WORKERS = 5;

    /** Within the horizon whatever came before: Azurite does not know of {@code timeout=}. */
    private static final long EMULATOR_AT_MOST = TestBed.HORIZON.toNanos() * 2 / 3;

    private final TestBed arena;
    private final int firstDoor;
    private final Client client;
    private final Weather weather;
    private final long seed;
    private final String name =
            "ledger" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    private final Clock clock = new Clock();

    SeedRun(TestBed arena, int slot, Client client, Weather weather, long seed) {
        this.arena = arena;
        this.firstDoor = slot * WORKERS;
        this.client = client;
        this.weather = weather;
        this.seed = seed;
    }

    Page run() throws InterruptedException {
        Store store = arena.store(name);
        store.create(blobs());
        try (ServerLog truth = new ServerLog(arena.witness(), name, clock)) {
            DelayedDelivery later = arena.later();
            List<OperationScript> scripts = scripts(store, later);
            List<Case> cases = work(store, scripts);
            for (int i = 0; i < WORKERS; i++) {
                arena.await(firstDoor + i);
            }
            later.await();
            truth.await();
            List<Message> messages = store.messages();
            List<Sending> writes = truth.writes();
            Facts sourceVersion =
                    new Facts(cases, arrivals(scripts), writes, end(store, messages), beyond(later, writes, scripts));
            Map<String, Integer> faults = new HashMap<>();
            scripts.forEach(
                    script -> script.faults().forEach((event, count) -> faults.merge(event, count, Integer::sum)));
            return Page.of(seed, sourceVersion, faults);
        } finally {
            store.delete();
        }
    }

    /** Delays are made on purpose, or come from the emulator and the proxies. */
    private static Set<String> beyond(DelayedDelivery later, List<Sending> writes, List<OperationScript> scripts) {
        Map<String, NavigableSet<Long>> came = new HashMap<>();
        scripts.forEach(script -> script.arrivals()
                .forEach(arrival -> came.computeIfAbsent(arrival.requestId(), id -> new TreeSet<>())
                        .add(arrival.time())));
        Set<String> beyond = new HashSet<>(later.beyond());
        writes.stream()
                .filter(write -> write.end() - write.begin() > EMULATOR_AT_MOST
                        || write.begin() - came(write, came) > TestBed.HORIZON.toNanos())
                .forEach(write -> beyond.add(write.requestId()));
        return beyond;
    }

    /** The time of the last attempt of that name before the write was handed to the service. */
    private static long came(Sending write, Map<String, NavigableSet<Long>> came) {
        Long last = came.getOrDefault(write.requestId(), new TreeSet<>()).floor(write.begin());
        return last == null ? write.begin() : last;
    }

    private static List<String> blobs() {
        List<String> blobs = new ArrayList<>(List.of(Workload.SHARED_BLOB));
        for (int i = 0; i < WORKERS; i++) {
            blobs.add(Workload.ownBlob(i));
        }
        return blobs;
    }

    private List<OperationScript> scripts(Store store, DelayedDelivery later) {
        CompetingWriter rival = store.rival();
        List<OperationScript> scripts = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            scripts.add(new OperationScript(seed * WORKERS + i, weather, clock, later, rival));
        }
        return scripts;
    }

    private List<Case> work(Store store, List<OperationScript> scripts) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Failures failures = new Failures();
        for (int i = 0; i < WORKERS; i++) {
            OperationScript script = scripts.get(i);
            Subject subject = client.connect(arena.arm(firstDoor + i, script), name, weather, seed, script.closing());
            Workload workload = new Workload(i, seed, weather, store::etag);
            Worker worker = new Worker(i, weather.steps(), subject, script, workload, clock);
            workers.add(worker);
            threads.add(failures.start("ledger-" + seed + "-" + i, worker, subject));
        }
        for (int i = 0; i < WORKERS; i++) {
            await(threads.get(i), workers.get(i));
        }
        failures.rethrow();
        return workers.stream().flatMap(worker -> worker.cases().stream()).toList();
    }

    /** Waits as long as the worker makes progress: on a slow machine all of its attempts may be too short. */
    private static void await(Thread thread, Worker worker) throws InterruptedException {
        long before;
        do {
            before = worker.progress();
            thread.join(Worker.STANDSTILL.toMillis());
        } while (thread.isAlive() && worker.progress() > before);
    }

    private static Map<Integer, List<OperationScript.Arrival>> arrivals(List<OperationScript> scripts) {
        Map<Integer, List<OperationScript.Arrival>> arrivals = new LinkedHashMap<>();
        for (int i = 0; i < scripts.size(); i++) {
            arrivals.put(i, scripts.get(i).arrivals());
        }
        return arrivals;
    }

    private static Facts.End end(Store store, List<Message> messages) {
        Map<String, String> blobs = new HashMap<>();
        blobs().forEach(blob -> blobs.put(blob, store.blob(blob)));
        return new Facts.End(store.rows(), blobs, messages);
    }

    /** Errors of the harness itself. */
    private static final class Failures {

        private @Nullable Throwable first;

        Thread start(String name, Worker worker, Subject subject) {
            Thread thread = new Thread(
                    () -> {
                        try (subject) {
                            worker.run();
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, error) -> set(error));
            thread.start();
            return thread;
        }

        private synchronized void set(Throwable error) {
            first = first == null ? error : first;
        }

        synchronized void rethrow() {
            if (first != null) {
                throw new IllegalStateException("a worker of the ledger failed", first);
            }
        }
    }
}
