package io.stowline.table;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.observe.StowlineListener;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A table whose partitions have pages of rows, and whose service responds when the test says so. */
final class PagedTable implements SimulatedConnection.Exchange {

    private static final Pattern BOUND = Pattern.compile("PartitionKey (eq|ge|lt) '([^']*)'");
    private static final HttpHeaderName NEXT = HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");

    record Line(@PartitionKey String partition, @RowKey String row) {}

    private final Map<String, List<List<String>>> partitions = new ConcurrentSkipListMap<>();
    private final Map<String, Sinks.Empty<Void>> held = new ConcurrentHashMap<>();
    private final Map<String, Boolean> broken = new ConcurrentHashMap<>();
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger maxUnderWay = new AtomicInteger();
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Table<Line> table;

    PagedTable() {
        this(new StowlineListener() {});
    }

    PagedTable(StowlineListener listener) {
        this(listener, ScanPolicy.ALLOW);
    }

    PagedTable(StowlineListener listener, ScanPolicy scans) {
        RetrySettings once = RetrySettings.builder().retries(0).build();
        ClientSettings settings = Bench.settings(1_000, once).with(listener);
        TableService service = new TableService(
                Bench.account(),
                SimulatedConnection.open(
                        new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
                        settings,
                        true,
                        this),
                once,
                scans);
        this.table = DefaultTable.of(service, "lines", Line.class, Mapping.standard());
    }

    Table<Line> table() {
        return table;
    }

    /** A partition and its pages, the rows of each separated by spaces. */
    PagedTable with(String partition, String... pages) {
        partitions.put(
                partition,
                Stream.of(pages)
                        .map(page -> page.isEmpty() ? List.<String>of() : List.of(page.split(" ")))
                        .toList());
        return this;
    }

    /** Returns the rows of these partitions, in this order. */
    List<Line> rows(List<String> names) {
        return names.stream()
                .flatMap(name ->
                        partitions.get(name).stream().flatMap(List::stream).map(row -> new Line(name, row)))
                .toList();
    }

    /** Holds requests whose filter names this until {@link #release}. */
    PagedTable hold(String key) {
        held.put(key, Sinks.empty());
        return this;
    }

    void release(String key) {
        held.remove(key).tryEmitEmpty();
    }

    /** Requests whose filter names this are refused. */
    PagedTable breakAt(String key) {
        broken.put(key, true);
        return this;
    }

    /** The filter of each request, and which page it requested. */
    List<String> requested() {
        return List.copyOf(requested);
    }

    /** The partitions that were requested, once for each page, of queries of one partition each. */
    String requestedPartitions() {
        return requested.stream()
                .map(request -> request.replaceAll(".*PartitionKey eq '([^']*)'.*#.*", "$1"))
                .collect(Collectors.joining(" "));
    }

    /** Lets time pass. */
    void pass(Duration span) {
        time.advanceTimeBy(span);
    }

    int cancelled() {
        return cancelled.get();
    }

    int maxUnderWay() {
        return maxUnderWay.get();
    }

    @Override
    public Mono<HttpResponse> of(HttpRequest request, SimulatedConnection.Line line) {
        if (!line.begin()) {
            return Mono.never();
        }
        line.whole();
        String filter = parameter(request, "$filter");
        String token = parameter(request, "NextPartitionKey");
        int page = token.isEmpty() ? 0 : Integer.parseInt(token);
        requested.add(filter + "#" + page);
        maxUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        return wait(filter)
                .then(Mono.fromSupplier(() -> {
                    underWay.decrementAndGet();
                    return response(request, filter, page);
                }))
                .doOnCancel(() -> {
                    underWay.decrementAndGet();
                    cancelled.incrementAndGet();
                });
    }

    private Mono<Void> wait(String filter) {
        return held.entrySet().stream()
                .filter(entry -> filter.contains("'" + entry.getKey() + "'"))
                .findFirst()
                .map(entry -> entry.getValue().asMono())
                .orElseGet(Mono::empty);
    }

    private static String parameter(HttpRequest request, String name) {
        return Stream.of(request.getUrl().getQuery().split("&"))
                .filter(parameter -> parameter.startsWith(name + "="))
                .map(parameter -> URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }

    private HttpResponse response(HttpRequest request, String filter, int index) {
        if (broken.keySet().stream().anyMatch(key -> filter.contains("'" + key + "'"))) {
            String error = Bench.jsonError("InvalidInput", "text");
            return SimulatedConnection.response(
                    request, 400, new HttpHeaders(), error.getBytes(StandardCharsets.UTF_8));
        }
        List<String> pages = partitions.entrySet().stream()
                .filter(partition -> matches(filter, partition.getKey()))
                .flatMap(partition -> partition.getValue().stream().map(rows -> json(partition.getKey(), rows)))
                .toList();
        HttpHeaders headers = new HttpHeaders();
        if (index + 1 < pages.size()) {
            headers.set(NEXT, Integer.toString(index + 1));
        }
        String rows = pages.isEmpty() ? "" : pages.get(index);
        return SimulatedConnection.response(
                request, 200, headers, ("{\"value\":[" + rows + "]}").getBytes(StandardCharsets.UTF_8));
    }

    private static String json(String partition, List<String> rows) {
        return rows.stream()
                .map(row ->
                        "{\"odata.etag\":\"W/1\",\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}")
                .collect(Collectors.joining(","));
    }

    private static boolean matches(String filter, String partition) {
        Matcher bound = BOUND.matcher(filter);
        boolean matches = true;
        while (bound.find()) {
            int order = partition.compareTo(bound.group(2));
            matches &= switch (bound.group(1)) {
                case "eq" -> order == 0;
                case "ge" -> order >= 0;
                default -> order < 0;
            };
        }
        return matches;
    }
}
