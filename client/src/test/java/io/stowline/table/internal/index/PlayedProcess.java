package io.stowline.table.internal.index;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.PlayTime;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.function.IntFunction;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** One process with a client over a storage in memory, in virtual time; each of its requests has a fate. */
public final class PlayedProcess {

    private static final Duration ROUND_TRIP = Duration.ofMillis(10);

    /** The fate of a request. */
    public enum Fate {
        SERVED,
        /** The connection breaks before the service has the request. */
        REQUEST_LOST,
        /** The connection breaks after the service has carried it out. */
        RESPONSE_LOST,
        /** The service neither carries it out nor responds. */
        SILENT,
        /** The table does not exist, as the service reports. */
        TABLE_MISSING,
        /** The process ends before the service has the request. */
        DEATH_BEFORE,
        /** The process ends after the service has carried it out. */
        DEATH_AFTER
    }

    private final MemoryStorage memory;
    private final PlayTime time;
    private final TableService tables;
    private final ClientRuntime runtime;
    private IntFunction<Fate> fates = number -> Fate.SERVED;
    private int requests;
    private boolean dead;

    public PlayedProcess(MemoryStorage memory, PlayTime time, RetrySettings retry) {
        this.memory = memory;
        this.time = time;
        this.runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run, time),
                Bench.settings(8, retry),
                true,
                this::exchange);
        this.tables = new TableService(Bench.account(), runtime, retry, ScanPolicy.ALLOW);
    }

    public <T> Table<T> table(String name, Class<T> type) {
        return DefaultTable.of(tables, name, type, Mapping.standard());
    }

    /** Gives each request from now on its fate, the first one with the number 1. */
    public void fates(IntFunction<Fate> given) {
        fates = given;
        requests = 0;
    }

    /** Returns the number of requests since the fates were given. */
    public int requests() {
        return requests;
    }

    public boolean isDead() {
        return dead;
    }

    public long paused() {
        return SimulatedConnection.pausedWriters(runtime);
    }

    public int permits() {
        return runtime.to(Service.TABLE).gate().inUse();
    }

    /** Clears the remains of the process away, without a word to the service. */
    public void end() {
        dead = true;
        Disposable unused = tables.close(Duration.ZERO).subscribe(nothing -> {}, error -> {});
        tables.release();
    }

    private Mono<HttpResponse> exchange(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            if (dead) {
                return Mono.never();
            }
            line.begin();
            line.whole();
            requests++;
            Mono<HttpResponse> served = memory.httpClient().send(request);
            Mono<Long> way = Mono.delay(ROUND_TRIP, time);
            return switch (fates.apply(requests)) {
                case SERVED -> way.flatMap(over -> dead ? Mono.never() : served);
                case REQUEST_LOST -> way.then(Mono.error(new IOException("reset")));
                case RESPONSE_LOST -> way.then(served).then(Mono.error(new IOException("reset")));
                case SILENT -> Mono.never();
                case TABLE_MISSING -> way.map(over -> refused(request));
                case DEATH_BEFORE -> {
                    dead = true;
                    yield Mono.never();
                }
                case DEATH_AFTER -> {
                    dead = true;
                    yield served.then(Mono.never());
                }
            };
        });
    }

    private static HttpResponse refused(HttpRequest request) {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json");
        byte[] body = "{\"odata.error\":{\"code\":\"TableNotFound\",\"message\":{\"lang\":\"en\",\"value\":\"gone\"}}}"
                .getBytes(StandardCharsets.UTF_8);
        return SimulatedConnection.response(request, 404, headers, body);
    }
}
