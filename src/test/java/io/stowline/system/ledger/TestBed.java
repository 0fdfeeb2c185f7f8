package io.stowline.system.ledger;

import static io.stowline.testkit.RequestMatch.requests;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.stowline.system.ledger.script.DelayedDelivery;
import io.stowline.system.ledger.script.Fault;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An emulator, a witness before it that records what reaches it, before that the doors through which the workers come, one each, and
 * before each door a relay that stands still now and then: faults happen at these two.
 */
final class TestBed implements AutoCloseable {

    /** An attempt's time at the server and the grace that Stowline is given: a network that delivers a request later than this breaks the contract. */
    static final Duration HORIZON = Duration.ofMillis(1_500);

    private static final Duration WAY = Duration.ofMillis(100);
    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final int RECORDED = 60_000;
    private static final Pattern PORT = Pattern.compile("(127\\.0\\.0\\.1:)(\\d+)");

    private final Azurite azurite = Azurite.start();
    private final FaultProxy witness =
            FaultProxy.builder().inFrontOf(azurite).recordedExchanges(RECORDED).start();
    private final HttpClient deliveries = HttpClient.newHttpClient();
    private final com.azure.core.http.HttpClient direct = new NettyAsyncHttpClientBuilder().build();
    private final List<FaultProxy> doors = new ArrayList<>();
    private final boolean wide;
    private final List<Map<Integer, Relay>> relays = new ArrayList<>();

    TestBed(int workers, boolean wide) {
        this.wide = wide;
        for (int i = 0; i < workers; i++) {
            FaultProxy door = FaultProxy.builder().inFrontOf(witness.storage()).start();
            doors.add(door);
            relays.add(wide ? relays(door.storage().connectionString()) : Map.of());
        }
    }

    private static Map<Integer, Relay> relays(String connectionString) {
        Map<Integer, Relay> relays = new HashMap<>();
        PORT.matcher(connectionString)
                .results()
                .forEach(port -> relays.computeIfAbsent(Integer.valueOf(port.group(2)), Relay::new));
        return relays;
    }

    FaultProxy witness() {
        return witness;
    }

    DelayedDelivery later() {
        return new DelayedDelivery(deliveries, witness::endpoint, HORIZON);
    }

    Store store(String name) {
        return new Store(witness.storage().connectionString(), name, direct);
    }

    /** Lets a worker's script decide about what comes through its door; returns how to reach the storage there. */
    String arm(int worker, OperationScript script) {
        FaultProxy door = doors.get(worker);
        door.clear();
        for (Fault fault : Fault.values()) {
            fault.put(door.when(requests().when(fault.name(), request -> script.decide(request) == fault)));
        }
        if (!wide) {
            return door.storage().connectionString();
        }
        relays.get(worker).values().forEach(relay -> relay.obey(script));
        return PORT.matcher(door.storage().connectionString())
                .replaceAll(port -> port.group(1)
                        + Objects.requireNonNull(relays.get(worker).get(Integer.valueOf(port.group(2))))
                                .port());
    }

    /** Waits until nothing of a worker's is kept between its client and the witness any more, however slow the machine is. */
    void await(int worker) throws InterruptedException {
        Map<Integer, Relay> ofWorker = relays.get(worker);
        while (ofWorker.values().stream().anyMatch(relay -> relay.kept() > 0)) {
            Thread.sleep(WAY.toMillis());
        }
        // From the relay to the door.
        Thread.sleep(ofWorker.isEmpty() ? 0 : WAY.toMillis());
        doors.get(worker).awaitIdle(GUARD);
    }

    @Override
    public void close() {
        relays.forEach(each -> each.values().forEach(Relay::close));
        doors.forEach(FaultProxy::close);
        witness.close();
        azurite.close();
    }
}
