package io.stowline.table.simulation;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The table service as its clients see it over a bad network: takes requests to pieces byte by byte, and carries them out or not. */
final class SimulatedService implements SimulatedConnection.Exchange {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** The largest error of the clock of one of the service's machines; two of them may differ by twice that. */
    private static final int SKEW = 900;

    final Scheduler time;
    final Random random;
    final Trace trace;
    final SimulatedStore store;
    final Books books;
    final SimulationScenario scenario;
    final Duration grace;
    private final Mutation mutation;
    private boolean calm;

    /** A defect of a broken service, which the checks must notice. */
    enum Mutation {
        NONE,
        FORGETS_WHAT_IT_CONFIRMS,
        REFUSES_WHAT_IT_DOES,
        REPEATS_WHAT_IT_CONFIRMED,
        LANDS_BEHIND_THE_HORIZON,
        HIDES_WHAT_IS_WRITTEN
    }

    SimulatedService(Scheduler time, Trace trace, SimulatedStore store, Books books, Setting setting) {
        this.time = time;
        this.trace = trace;
        this.store = store;
        this.books = books;
        this.random = setting.random();
        this.scenario = setting.scenario();
        this.mutation = setting.mutation();
        this.grace = scenario.retry().grace();
    }

    /** The setting of its behaviour. */
    record Setting(Random random, SimulationScenario scenario, Mutation mutation) {}

    /** Ends the faults. */
    void calm() {
        calm = true;
    }

    boolean is(Mutation wanted) {
        return mutation == wanted;
    }

    @Override
    public Mono<HttpResponse> of(HttpRequest request, SimulatedConnection.Line line) {
        SimulatedFault fault = calm
                ? SimulatedFault.NONE
                : SimulatedFault.draw(random, scenario, request.getHttpMethod() == HttpMethod.GET);
        return Mono.create(sink -> new Played(this, request, line, sink, fault).begin());
    }

    void after(Duration delay, Runnable task) {
        Disposable unused = time.schedule(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | AssertionError e) {
                        trace.violate("the simulation failed: " + e + " at " + e.getStackTrace()[0]);
                    }
                },
                delay.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    Duration millis(int max) {
        return Duration.ofNanos(random.nextLong(max * 1_000_000L));
    }

    long now() {
        return time.now(TimeUnit.NANOSECONDS);
    }

    /** Returns the changes that a request wants, or {@code null} if it is no write. */
    @Nullable
    List<StoreChange> changes(HttpRequest request) throws Malformed {
        byte[] body = request.getBodyAsBinaryData() == null
                ? new byte[0]
                : request.getBodyAsBinaryData().toBytes();
        Map<String, String> headers = RequestCheck.headers(request);
        RequestCheck.of(request, headers, body);
        String url = request.getUrl().toString();
        String address = url.substring(0, url.indexOf('?'));
        if (address.equals(SimulatedOperations.ROOT + "/$batch")) {
            List<StoreChange> changes =
                    BatchReading.of(request.getHeaders().getValue(HttpHeaderName.CONTENT_TYPE), body);
            Malformed.unless(changes.size() > 1, "BATCH-2: a batch of one");
            return changes;
        }
        SimulatedOperations.Address requested = SimulatedOperations.Address.of(address);
        if (request.getHttpMethod() == HttpMethod.GET) {
            Malformed.unless(requested.key() != null, "a query");
            return null;
        }
        return List.of(SimulatedOperations.change(request.getHttpMethod().toString(), requested, headers, body));
    }

    /** Carries a request out, or tells what keeps it from that. */
    SimulatedStore.@Nullable Refused carryOut(List<StoreChange> changes, List<String> etags) {
        SimulatedStore.Refused refused = store.refusal(changes);
        if (refused != null) {
            books.refused(changes.get(refused.index()), refused.why());
            return refused;
        }
        if (is(Mutation.FORGETS_WHAT_IT_CONFIRMS) && random.nextInt(10) == 0) {
            changes.forEach(change -> etags.add("W/\"forgotten\""));
            return null;
        }
        etags.addAll(store.apply(changes, skew()));
        for (StoreChange change : changes) {
            List<Event> history = store.history(change.key());
            Event event = history.get(history.size() - 1);
            trace.note("carried out " + event.change() + " " + event.etag());
            books.applied(event);
        }
        return is(Mutation.REFUSES_WHAT_IT_DOES) && random.nextInt(10) == 0
                ? new SimulatedStore.Refused(0, Refusal.CHANGED)
                : null;
    }

    HttpResponse respond(HttpRequest request, int status, @Nullable String etag, byte[] body) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaderName.DATE, DATE.format(clock()));
        headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length));
        headers.set(HttpHeaderName.fromString("x-ms-request-id"), "6ca9");
        if (etag != null) {
            headers.set(HttpHeaderName.ETAG, etag);
        }
        if (status >= 500 && random.nextInt(4) == 0) {
            headers.set(HttpHeaderName.RETRY_AFTER, "1");
        }
        return SimulatedConnection.response(request, status, headers, body);
    }

    HttpResponse batchResponse(HttpRequest request, String text) {
        return respond(request, 202, null, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the clock of the machine that responds. */
    Instant clock() {
        return store.instant().plusMillis(skew());
    }

    private long skew() {
        return random.nextLong(2L * SKEW) - SKEW;
    }

    /** Another client writes. */
    void rival(List<SimulatedKey> keys) {
        SimulatedKey key = keys.get(random.nextInt(keys.size()));
        List<StoreChange> change = new ArrayList<>();
        change.add(Rival.change(random, key, store.row(key)));
        if (store.refusal(change) == null) {
            store.apply(change, skew());
            trace.note("a rival: " + change);
        }
    }
}
