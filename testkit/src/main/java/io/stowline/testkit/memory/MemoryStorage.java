package io.stowline.testkit.memory;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.ServiceHeaders;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A storage account in memory, for unit tests without a network: tables, queues and blobs behind an HTTP client of azure-core.
 *
 * <pre>{@code
 * MemoryStorage memory = MemoryStorage.create();
 * try (Stowline client = Stowline.builder()
 *         .connectionString(memory.connectionString())
 *         .httpClient(memory.httpClient())
 *         .build()) {
 *     client.table("registrations").create(); // the code under test
 * }
 * }</pre>
 *
 * <p>It holds what an application meets: entities with ETags, filters, projection, pages and entity group transactions; messages with
 * receipts, leases and dequeue counts; block, append and page blobs with conditions, ranges, metadata, leases and copies within the
 * account; stored access policies and the properties of services, without their effect. A request that it does not know, such as
 * a snapshot, is refused with 501 and a text that names it. Signatures are not checked and limits of the service are not enforced:
 * test these against Azurite in strict mode.
 *
 * <p>Time is that of the given clock, so that a test moves it to end a lease. Failures are planned by {@link #refuseNext} and {@link
 * #loseNextResponse}. Thread-safe; requests are carried out one after the other, on the thread that sends them.
 */
public final class MemoryStorage {

    private static final AtomicInteger ACCOUNTS = new AtomicInteger();
    private static final int MAX_REQUESTS = 10_000;

    private final String account = "memory" + ACCOUNTS.incrementAndGet();
    private final ServiceTimes times;
    private final MemoryTables tables;
    private final MemoryQueues queues;
    private final MemoryBlobs blobs;
    private final MemoryProperties properties = new MemoryProperties();
    private final List<PlannedFault> planned = new ArrayList<>();
    private final Deque<String> requests = new ArrayDeque<>();

    private MemoryStorage(Clock clock) {
        this.times = new ServiceTimes(clock);
        this.tables = new MemoryTables(times);
        this.queues = new MemoryQueues(times);
        this.blobs = new MemoryBlobs(account, times);
    }

    /** A fault for one later request. */
    private record PlannedFault(String method, String path, int status, String errorCode) {

        boolean meets(StorageRequest request) {
            return request.method().equals(method) && request.path().contains(path);
        }

        boolean losesTheResponse() {
            return status == 0;
        }
    }

    /**
     * Makes an empty account with the time of this machine.
     *
     * @return the account
     */
    public static MemoryStorage create() {
        return create(Clock.systemUTC());
    }

    /**
     * Makes an empty account.
     *
     * @param clock the time of the service: of timestamps, leases and visibility
     * @return the account
     */
    public static MemoryStorage create(Clock clock) {
        return new MemoryStorage(Objects.requireNonNull(clock, "clock"));
    }

    /**
     * Returns the account's name, the first label of its hosts.
     *
     * @return the name, another one for each account of the JVM
     */
    public String accountName() {
        return account;
    }

    /**
     * Returns the connection string of this account. Its addresses lead nowhere without {@link #httpClient()}.
     *
     * @return account, a key that opens nothing, and the three endpoints
     */
    public String connectionString() {
        return "AccountName=" + account + ";AccountKey=bWVtb3J5;TableEndpoint=https://" + account
                + ".table.test;QueueEndpoint=https://" + account + ".queue.test;BlobEndpoint=https://" + account
                + ".blob.test";
    }

    /**
     * Returns the HTTP client that sends its requests to this account.
     *
     * @return a client that opens no connection
     */
    @SuppressWarnings("exports") // who has no azure-core has no use for it
    public HttpClient httpClient() {
        return request -> Mono.defer(() -> BinaryData.fromFlux(body(request)).flatMap(body -> respond(request, body)));
    }

    private static Flux<ByteBuffer> body(HttpRequest request) {
        return request.getBody() == null ? Flux.empty() : request.getBody();
    }

    private Mono<HttpResponse> respond(HttpRequest http, BinaryData body) {
        List<Map.Entry<String, String>> headers = http.getHeaders().stream()
                .map(header -> Map.entry(header.getName(), header.getValue()))
                .toList();
        SentRequest sent = SentRequest.received(
                http.getHttpMethod().toString(), http.getUrl().getFile(), headers, body.toBytes());
        try {
            StubResponse response =
                    respond(StorageRequest.atHost(sent, service(http.getUrl().getHost())));
            String id = UUID.randomUUID().toString();
            return Mono.just(new MemoryResponse(http, ServiceHeaders.on(response, sent, id, times.now())));
        } catch (IOException e) {
            return Mono.error(e);
        }
    }

    private static StorageService service(String host) {
        String[] labels = host.split("\\.", -1);
        String name = labels.length > 1 ? labels[1] : host;
        for (StorageService service : StorageService.values()) {
            if (service.name().equalsIgnoreCase(name)) {
                return service;
            }
        }
        throw new IllegalArgumentException("MemoryStorage has tables, queues and blobs, and no " + name);
    }

    private synchronized StubResponse respond(StorageRequest request) throws IOException {
        if (requests.size() == MAX_REQUESTS) {
            requests.removeFirst();
        }
        requests.addLast(request.toString());
        PlannedFault fault = takeFault(request);
        StubResponse response;
        try {
            if (fault != null && !fault.losesTheResponse()) {
                throw new RefusedOperation(fault.status(), fault.errorCode(), "refused as the test has planned");
            }
            response = MemoryProperties.isMeantBy(request)
                    ? properties.respond(request)
                    : switch (request.service()) {
                        case TABLE -> tables.respond(request);
                        case QUEUE -> queues.respond(request);
                        case BLOB -> blobs.respond(request);
                    };
        } catch (RefusedOperation refusal) {
            response = refusal.response(request);
        }
        if (fault != null && fault.losesTheResponse()) {
            throw new IOException("the response to " + request + " is lost, as the test has planned");
        }
        return response;
    }

    /** Returns a parameter of a query that is a number. */
    static int number(StorageRequest request, String name, int otherwise) {
        String text = request.parameter(name);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new RefusedOperation(400, "InvalidQueryParameterValue", name + " is no number: " + text);
        }
    }

    private @Nullable PlannedFault takeFault(StorageRequest request) {
        for (PlannedFault fault : planned) {
            if (fault.meets(request)) {
                planned.remove(fault);
                return fault;
            }
        }
        return null;
    }

    /**
     * Refuses the next request that fits, with no effect. Calls add up: each concerns one request.
     *
     * @param method its HTTP method
     * @param path a part of its path, such as {@code /people}; empty for any
     * @param status the status of the response, 400 to 599
     * @param errorCode the service's code, such as {@code ServerBusy}
     * @return this account
     * @throws IllegalArgumentException if the status is no refusal
     */
    public synchronized MemoryStorage refuseNext(String method, String path, int status, String errorCode) {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status is 400 to 599, not " + status);
        }
        return plan(method, path, status, errorCode);
    }

    /**
     * Carries the next request that fits out and loses its response, as a broken connection does.
     *
     * @param method its HTTP method
     * @param path a part of its path; empty for any
     * @return this account
     */
    public synchronized MemoryStorage loseNextResponse(String method, String path) {
        return plan(method, path, 0, "");
    }

    /**
     * Keeps later copies by Copy Blob pending, as the service may. Other copies end with their request.
     *
     * @return this account
     */
    public synchronized MemoryStorage holdCopies() {
        blobs.copies().hold();
        return this;
    }

    /**
     * Ends the pending copies; later ones end at once.
     *
     * @param status {@code success}, {@code failed} or {@code aborted}; the last two leave empty blobs, as the service does
     * @return this account
     * @throws IllegalArgumentException if it is none of these
     */
    public synchronized MemoryStorage endCopies(String status) {
        if (!Set.of("success", "failed", "aborted").contains(status)) {
            throw new IllegalArgumentException("status is success, failed or aborted, not " + status);
        }
        blobs.copies().end(status);
        return this;
    }

    private MemoryStorage plan(String method, String path, int status, String errorCode) {
        planned.add(new PlannedFault(
                Objects.requireNonNull(method, "method").toUpperCase(Locale.ROOT),
                Objects.requireNonNull(path, "path"),
                status,
                Objects.requireNonNull(errorCode, "errorCode")));
        return this;
    }

    /**
     * Returns the newest requests, as method, path and query: 10,000 of them at the most, so that a long test does not fill the memory.
     *
     * @return a copy of the list, the newest one last
     */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** Removes all tables, queues, containers and properties of services, the planned faults and the list of requests. */
    public synchronized void clear() {
        tables.clear();
        queues.clear();
        blobs.clear();
        properties.clear();
        planned.clear();
        requests.clear();
    }

    /** Removes all entities, messages and blobs, and keeps tables, queues and containers; see {@link #clear} for these. */
    public synchronized void empty() {
        tables.empty();
        queues.empty();
        blobs.empty();
    }

    /** Removes the planned faults and the list of requests, and keeps what the account holds. */
    public synchronized void clearFaults() {
        planned.clear();
        requests.clear();
    }

    @Override
    public String toString() {
        return "MemoryStorage[" + account + "]";
    }
}
