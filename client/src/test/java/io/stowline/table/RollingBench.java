package io.stowline.table;

import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A table in memory and in virtual time, far from the beginning of time. */
final class RollingBench {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final MemoryStorage memory = MemoryStorage.create();
    private final Table<Entity> table;
    private int forgotten;
    private Runnable beforeRequest = () -> {};

    RollingBench() {
        RetrySettings retry = RetrySettings.defaults();
        TableService service = new TableService(
                Bench.account(),
                SimulatedConnection.open(
                        new SimulatedConnection.Machine(time, Instant.EPOCH, new Random(1), Runnable::run),
                        Bench.settings(8, retry),
                        true,
                        (request, line) -> Mono.defer(() -> {
                            line.begin();
                            line.whole();
                            beforeRequest.run();
                            return memory.httpClient().send(request);
                        })),
                retry,
                ScanPolicy.ALLOW);
        table = DefaultTable.of(service, "weather", Entity.class, Mapping.standard());
        table.createIfMissing();
        forget();
        pass(Duration.ofDays(20_000));
    }

    Table<Entity> table() {
        return table;
    }

    MemoryStorage memory() {
        return memory;
    }

    /** Returns the requests since they were forgotten. */
    List<String> requests() {
        return memory.requests().subList(forgotten, memory.requests().size());
    }

    void forget() {
        forgotten = memory.requests().size();
    }

    Instant now() {
        return Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    /** Runs code when a request is on its way. */
    void beforeRequest(Runnable code) {
        beforeRequest = code;
    }
}
