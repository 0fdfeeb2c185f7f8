package io.stowline.table.internal.writer;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.PlayTime;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A table service in virtual time that is well, or refuses everything in one way, and counts how often it has written each row. */
public final class JournaledService implements SimulatedConnection.Exchange {

    private static final Pattern KEYS = Pattern.compile("RowKey='([^']+)'");
    private static final Pattern ROW = Pattern.compile("\"RowKey\":\"([^\"]+)\"");
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);

    final PlayTime time = new PlayTime();
    final Map<String, Integer> written = new TreeMap<>();

    /** Bodies that plain requests have written. */
    private final Map<String, String> bodies = new TreeMap<>();

    final List<Duration> requests = new ArrayList<>();

    /** The numbers of operations in the requests. */
    final List<Integer> sizes = new ArrayList<>();

    /** The rows of each request, in their order. */
    final List<List<String>> carried = new ArrayList<>();

    /** The threads on which requests were sent. */
    final Set<String> threads = ConcurrentHashMap.newKeySet();

    private final ClientRuntime runtime;
    private final TableService tables;
    private @Nullable Refusal refusal;

    /** True if it takes requests and never responds. */
    boolean silent;

    /** The number of operations from which on a request is too much. */
    int tooMany = Integer.MAX_VALUE;

    /** True if it carries out a request, and reports that it has failed. */
    boolean losesResponses;

    /** True if it is too busy for reads. */
    boolean blind;

    /** The response to every request. */
    record Refusal(int status, String code) {}

    public JournaledService() {
        this.runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
                Bench.settings(8, RetrySettings.defaults()),
                true,
                this);
        this.tables = new TableService(Bench.account(), runtime, RetrySettings.defaults(), ScanPolicy.ALLOW);
    }

    public Table<Entity> table() {
        return DefaultTable.of(tables, "notes", Entity.class, Mapping.standard());
    }

    TableService tables() {
        return tables;
    }

    /** The gauge of the paused writers. */
    long paused() {
        return SimulatedConnection.pausedWriters(runtime);
    }

    /** Closes as a client does. */
    CompletableFuture<Void> close() {
        return tables.close(Duration.ofMinutes(1))
                .onErrorComplete()
                .then(runtime.close(Duration.ofSeconds(10)).doOnTerminate(tables::release))
                .toFuture();
    }

    static Entity row(String partition, String row) {
        return Entity.builder(partition, row).set("Text", "text").build();
    }

    void refuses(int status, String code) {
        refusal = new Refusal(status, code);
    }

    void isWell() {
        refusal = null;
        silent = false;
        tooMany = Integer.MAX_VALUE;
    }

    /** Lets time pass, in steps that let the journal's own thread come in between. */
    public void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    @Override
    public Mono<HttpResponse> of(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            threads.add(Thread.currentThread().getName());
            line.begin();
            line.whole();
            if (silent) {
                return Mono.never();
            }
            return Mono.delay(ROUND_TRIP, time).map(over -> respond(request));
        });
    }

    private synchronized HttpResponse respond(HttpRequest request) {
        requests.add(Duration.ofNanos(time.now(TimeUnit.NANOSECONDS)));
        String body = request.getBodyAsBinaryData() == null
                ? ""
                : request.getBodyAsBinaryData().toString();
        List<String> rows = new ArrayList<>();
        for (Matcher found = ROW.matcher(body); found.find(); ) {
            rows.add(found.group(1));
        }
        sizes.add(rows.size());
        carried.add(List.copyOf(rows));
        Refusal all = refusal;
        if (all == null && rows.size() >= tooMany) {
            all = new Refusal(500, "OperationTimedOut");
        }
        if (all != null) {
            return respond(request, all.status, MultipartText.error(all.code, "refused"));
        }
        if (request.getHttpMethod() == HttpMethod.GET) {
            return blind ? respond(request, 503, MultipartText.error("ServerBusy", "blind")) : read(request);
        }
        boolean batch = request.getUrl().getPath().endsWith("$batch");
        for (int i = 0; i < rows.size(); i++) {
            if (written.containsKey(rows.get(i))) {
                return batch
                        ? respond(request, 202, MultipartText.failure(409, "EntityAlreadyExists", i + ":there"))
                        : respond(request, 409, MultipartText.error("EntityAlreadyExists", "there"));
            }
        }
        rows.forEach(row -> written.merge(row, 1, Integer::sum));
        if (!batch) {
            rows.forEach(row -> bodies.put(row, body));
        }
        if (losesResponses) {
            return respond(request, 500, MultipartText.error("InternalError", "lost"));
        }
        return batch ? respond(request, 202, MultipartText.success(rows.size())) : respond(request, 204, "");
    }

    private HttpResponse read(HttpRequest request) {
        Matcher keys = KEYS.matcher(request.getUrl().getPath());
        String stored = keys.find() ? bodies.get(keys.group(1)) : null;
        return stored != null
                ? respond(request, 200, stored)
                : respond(request, 404, MultipartText.error("ResourceNotFound", "not there"));
    }

    private static HttpResponse respond(HttpRequest request, int status, String body) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.ETAG, "W/\"1\"")
                .set(HttpHeaderName.CONTENT_TYPE, status == 202 ? "multipart/mixed; boundary=b" : "application/json");
        return SimulatedConnection.response(request, status, headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
