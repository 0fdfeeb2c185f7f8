package io.stowline.benchmarks.ledger;

import static io.stowline.testkit.RequestMatch.requests;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An emulator, a witness before it that records what reaches it, and before that the doors through which the workers come, one each: what
 * happens to requests happens there.
 */
final class Arena implements AutoCloseable {

    /** An attempt's time at the server and the grace that Stowline is given: whoever brings a request later than this lies. */
    static final Duration HORIZON = Duration.ofMillis(1_500);

    private static final int RECORDED = 60_000;

    private final Azurite azurite = Azurite.start();
    private final FaultProxy witness =
            FaultProxy.builder().before(azurite).recordedExchanges(RECORDED).start();
    private final HttpClient deliveries = HttpClient.newHttpClient();
    private final com.azure.core.http.HttpClient direct = new NettyAsyncHttpClientBuilder().build();
    private final List<FaultProxy> doors = new ArrayList<>();

    Arena(int workers) {
        for (int i = 0; i < workers; i++) {
            doors.add(FaultProxy.builder().before(witness.storage()).start());
        }
    }

    FaultProxy witness() {
        return witness;
    }

    Later later() {
        return new Later(deliveries, witness::endpoint, HORIZON);
    }

    Store store(String name) {
        return new Store(witness.storage().connectionString(), name, direct);
    }

    /** Lets a worker's script decide about what comes through its door; returns how to reach the storage there. */
    String arm(int worker, Script script) {
        FaultProxy door = doors.get(worker);
        door.clear();
        for (Fault fault : Fault.values()) {
            fault.put(door.when(requests().when(fault.name(), request -> script.decide(request) == fault)));
        }
        return door.storage().connectionString();
    }

    @Override
    public void close() {
        doors.forEach(FaultProxy::close);
        witness.close();
        azurite.close();
    }
}
