package io.stowline.system.ledger.lease;

import static io.stowline.testkit.RequestMatch.requests;

import com.azure.data.tables.TableClientBuilder;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.retry.Backoff;
import io.stowline.system.ledger.lease.LeaseVerdict.Origin;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.CompetingWriter;
import io.stowline.system.ledger.script.DelayedDelivery;
import io.stowline.system.ledger.script.Fault;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.Weather;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Runs seeds of workers with leases against an emulator of its own; each worker has a door with faults, and a witness records what the service did. Close it. */
final class LeaseLedger implements AutoCloseable {

    private static final int WORKERS = 5;

    /** Longer than any delay that the faults make, so that a slow emulator does not pass it. */
    private static final Duration HORIZON = Duration.ofSeconds(4);

    private static final Duration ATTEMPT = Duration.ofMillis(400);
    private static final Duration GUARD = Duration.ofSeconds(30);
    private static final int RECORDED = 60_000;

    private final Azurite azurite = Azurite.start();
    /** Before the start of the witness, so that no request counts as later than it was. */
    private final long started = System.nanoTime();

    private final FaultProxy witness =
            FaultProxy.builder().inFrontOf(azurite).recordedExchanges(RECORDED).start();
    private final HttpClient deliveries = HttpClient.newHttpClient();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final Duration time;

    /** Starts the emulator for seeds of this time. */
    LeaseLedger(Duration time) {
        this.time = time;
    }

    /** Runs one seed. */
    LeasePage run(long seed) throws InterruptedException {
        String name = "lease" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
        Clock clock = new Clock();
        long begun = System.nanoTime();
        DelayedDelivery later = new DelayedDelivery(deliveries, witness::endpoint, HORIZON);
        LeaseBook book = new LeaseBook();
        List<OperationScript> scripts = new ArrayList<>();
        List<FaultProxy> doors = new ArrayList<>();
        List<Stowline> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (Stowline storage = Stowline.connect(witness.storage().connectionString())) {
            BlobContainer container = storage.container(name);
            container.create();
            container.upload(new byte[1], LeaseWorker.PLAIN);
            container.upload(new byte[1], LeaseWorker.BROKEN);
            for (int i = 0; i < WORKERS; i++) {
                OperationScript script = new OperationScript(seed * WORKERS + i, Weather.WIDE, clock, later, rival());
                FaultProxy door = door(script);
                Stowline client = client(door);
                scripts.add(script);
                doors.add(door);
                clients.add(client);
                LeaseWorker worker = new LeaseWorker(i, seed, script, clock, client, name, book, timer, time);
                Thread thread = new Thread(worker, "leases-" + seed + "-" + i);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            clients.forEach(Stowline::close);
            for (FaultProxy door : doors) {
                door.awaitIdle(GUARD);
            }
            later.await();
        } finally {
            doors.forEach(FaultProxy::close);
        }
        return page(seed, name, begun, book, scripts, later);
    }

    private CompetingWriter rival() {
        return new CompetingWriter(new TableClientBuilder()
                .connectionString(witness.storage().connectionString())
                .tableName("rival")
                .buildClient());
    }

    private FaultProxy door(OperationScript script) {
        FaultProxy door = FaultProxy.builder().inFrontOf(witness.storage()).start();
        for (Fault fault : Fault.values()) {
            fault.put(door.when(requests().when(fault.name(), request -> script.decide(request) == fault)));
        }
        return door;
    }

    private static Stowline client(FaultProxy door) {
        return Stowline.builder()
                .connectionString(door.storage().connectionString())
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1)))
                        .retries(4)
                        .attemptTimeout(ATTEMPT)
                        .serverTimeout(Duration.ofSeconds(1))
                        .grace(HORIZON.minusSeconds(1))
                        .minAttempt(Duration.ofMillis(100))
                        .deadline(ATTEMPT.multipliedBy(30)))
                .closeTimeout(Duration.ofSeconds(20))
                .build();
    }

    private LeasePage page(
            long seed, String name, long begun, LeaseBook book, List<OperationScript> scripts, DelayedDelivery later) {
        Map<String, Origin> origins = new HashMap<>();
        Map<String, Long> came = new HashMap<>();
        Map<String, Integer> faults = new HashMap<>();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < scripts.size(); i++) {
            int worker = i;
            scripts.get(i)
                    .arrivals()
                    .forEach(arrival -> lines.add("worker " + worker + ", step " + arrival.step() + ", "
                            + arrival.requestId() + ": " + arrival.line()));
            scripts.get(i).arrivals().forEach(arrival -> {
                origins.putIfAbsent(arrival.requestId(), new Origin(worker, arrival.step()));
                came.merge(arrival.requestId(), arrival.time(), Math::max);
            });
            scripts.get(i).faults().forEach((fault, count) -> faults.merge(fault, count, Integer::sum));
        }
        List<LeaseSending> sendings = witness.recorded().stream()
                .filter(exchange -> exchange.request().path().contains(name)
                        || exchange.request().text().contains(name))
                .map(exchange ->
                        LeaseSending.of(exchange, started + exchange.arrived().toNanos() - begun))
                .toList();
        Set<String> beyond = new HashSet<>(later.beyond());
        sendings.stream()
                .filter(sending ->
                        sending.at() - came.getOrDefault(sending.requestId(), sending.at()) > HORIZON.toNanos() / 2)
                .forEach(sending -> beyond.add(sending.requestId()));
        List<String> violations = new LeaseVerdict(book, origins, sendings, beyond, lines).violations();
        return LeasePage.of(seed, book, beyond.size(), faults, violations);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        witness.close();
        azurite.close();
    }
}
