package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class RatesOnTheWireTest {

    private static final ScalabilityTargets TARGETS = ScalabilityTargets.everywhere();
    private static final int MIB = 1024 * 1024;

    private PartitionedGate<String> gates;

    private static Bench bench(Service service, ScalabilityTargets targets) {
        return Bench.below(service, targets);
    }

    private static HttpRequest request(String method, Service service, String path, String... headers) {
        HttpRequest request = new HttpRequest(
                HttpMethod.valueOf(method), "https://acct." + service.host() + ".core.windows.net" + path);
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        return request;
    }

    /** Sends a request as an SDK client does. */
    private static Mono<HttpResponse> sdk(Bench bench, HttpRequest request) {
        Operation operation = Operation.of(
                "test",
                request.getUrl().getPath(),
                OperationType.READ,
                RetrySettings.builder().deadline(Duration.ofHours(1)).build());
        SdkCalls calls = Bench.calls(Service.QUEUE, bench.pipeline());
        return calls.one(
                operation,
                () -> Mono.deferContextual(
                        seen -> calls.pipeline().send(request.copy(), new Context(Operation.KEY, operation))));
    }

    /** Each span of time passes at most the burst of a second, the rate, and one request in flight. */
    private static void staysBelow(
            double rate, double maxOfOne, List<FakeWire.Sent> sent, ToDoubleFunction<FakeWire.Sent> cost) {
        for (int from = 0; from < sent.size(); from++) {
            double passed = 0;
            for (int to = from; to < sent.size(); to++) {
                passed += cost.applyAsDouble(sent.get(to));
                double seconds = sent.get(to).at().minus(sent.get(from).at()).toNanos() / 1e9;
                if (passed > rate * (1 + seconds) + maxOfOne + 1e-3) {
                    fail(
                            "%s passed from %s to %s",
                            passed, sent.get(from).at(), sent.get(to).at());
                }
            }
        }
    }

    @ParameterizedTest
    @DisplayName(
            "PERMIT-2: one table's partition, queue or blob is offered ten times its target and gets it, and no more")
    @CsvSource({
        "QUEUE, GET,    /orders/messages?numofmessages=32, 32, 2000",
        "QUEUE, POST,   /orders/messages,                   1, 2000",
        "QUEUE, DELETE, /orders/messages/id-1?popreceipt=r, 1, 2000",
        "QUEUE, PUT,    /orders/messages/id-1?popreceipt=r, 1, 2000",
        "BLOB,  HEAD,   /photos/a.jpg,                      1, 500",
        "BLOB,  PUT,    /photos/a.jpg?comp=metadata,        1, 500",
        "BLOB,  PUT,    /photos/disk.vhd?comp=page,         1, 500",
        "BLOB,  GET,    /photos?restype=container&comp=list, 1, 500",
        "TABLE, GET,    /people(PartitionKey='p'),          1, 2000"
    })
    void requests(Service service, String method, String path, int cost, int rate) {
        Bench bench = bench(service, TARGETS);
        bench.wire().otherwise(200, "");
        int seconds = 3;
        int offered = rate * (seconds + 1) / cost;
        for (int i = 0; i < offered; i++) {
            bench.start(sdk(bench, request(method, service, path)));
        }
        bench.pass(Duration.ofSeconds(seconds).plusMillis(100));

        assertThat(bench.wire().sent()).hasSize(offered);
        staysBelow(rate, cost, thinned(bench.wire().sent()), sent -> cost * 10.0);
    }

    /** Every tenth, which counts for ten. */
    private static List<FakeWire.Sent> thinned(List<FakeWire.Sent> all) {
        return IntStream.range(0, all.size() / 10)
                .mapToObj(i -> all.get(i * 10 + 9))
                .toList();
    }

    @Test
    @DisplayName("PERMIT-2: bytes sent to one blob, known before they go")
    void uploads() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().otherwise(201, "");
        for (int i = 0; i < 40; i++) {
            String block = "/photos/a.jpg?comp=block&blockid=" + i;
            bench.start(sdk(bench, request("PUT", Service.BLOB, block, "Content-Length", "" + 8 * MIB)));
        }
        bench.pass(Duration.ofSeconds(6));

        assertThat(bench.wire().sent()).hasSize(40);
        staysBelow(60e6, 8 * MIB, bench.wire().sent(), sent -> 8 * MIB);
    }

    @Test
    @DisplayName("PERMIT-2: bytes of a range count before they are asked for, and once")
    void ranges() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().otherwise(206, "", "Content-Length", "" + 8 * MIB);
        for (int i = 0; i < 40; i++) {
            String range = "bytes=" + i * 8L * MIB + "-" + ((i + 1) * 8L * MIB - 1);
            bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg", "x-ms-range", range)));
        }
        bench.pass(Duration.ofSeconds(6));

        assertThat(bench.wire().sent()).hasSize(40);
        staysBelow(60e6, 8 * MIB, bench.wire().sent(), sent -> 8 * MIB);
    }

    @Test
    @DisplayName(
            "PERMIT-2: the length of a whole blob is known from its response, and paid by the reads that come next")
    void wholeBlobs() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().otherwise(200, "", "Content-Length", "" + 30_000_000);
        bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg")));
        bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg")));
        bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg")));
        Bench.Outcome<HttpResponse> range =
                bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg", "Range", "bytes=0-29999999")));
        assertThat(bench.wire().sent()).as("three of 30 MB used 60 and owe 30").hasSize(3);

        bench.pass(Duration.ofMillis(990));
        assertThat(range.ended()).isFalse();
        bench.pass(Duration.ofMillis(20));
        assertThat(range.value()).isNotNull();
    }

    private static void nextReadWaits(Bench bench, Duration wait) {
        int before = bench.wire().sent().size();
        bench.wire().otherwise(206, "");
        bench.start(sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg", "Range", "bytes=1-60000000")));
        if (!wait.isZero()) {
            bench.pass(wait.minusMillis(1));
            assertThat(bench.wire().sent()).hasSize(before);
            bench.pass(Duration.ofMillis(2));
        }
        assertThat(bench.wire().sent()).hasSize(before + 1);
    }

    private static Mono<HttpResponse> range(Bench bench) {
        return sdk(bench, request("GET", Service.BLOB, "/photos/a.jpg", "Range", "bytes=1-30000000"));
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: a range that the service refuses costs the bytes of the refusal")
    @CsvSource({"304", "404", "412", "416"})
    void refusedRanges(int status) {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().responds(status, "", "Content-Length", "0");
        bench.start(range(bench));

        nextReadWaits(bench, Duration.ZERO);
    }

    @Test
    @DisplayName("PERMIT-2: a range whose blob is shorter costs the bytes that came")
    void shorterRanges() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().responds(206, "", "Content-Length", "6000000");
        bench.start(range(bench));

        nextReadWaits(bench, Duration.ofMillis(100));
    }

    @Test
    @DisplayName("PERMIT-2: the response to HEAD names a length and brings none of it")
    void heads() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().responds(200, "", "Content-Length", "60000000");
        bench.start(sdk(bench, request("HEAD", Service.BLOB, "/photos/a.jpg")));

        nextReadWaits(bench, Duration.ZERO);
    }

    @Test
    @DisplayName("PERMIT-4: a body that never left is refunded, one that may have left is charged")
    void brokenUploads() {
        Bench bench = bench(Service.BLOB, TARGETS);
        String block = "/photos/a.jpg?comp=block&blockid=1";
        bench.wire().breaksBeforeWriting(new ConnectException("refused")).responds(404, "");
        bench.start(sdk(bench, request("PUT", Service.BLOB, block, "Content-Length", "" + 30_000_000)));
        assertThat(bench.wire().sent()).hasSize(2);

        nextReadWaits(bench, Duration.ofMillis(500));
    }

    @Test
    @DisplayName("PERMIT-4: a range that is given up before a byte of it came is refunded")
    void givenUp() {
        Bench bench = bench(Service.BLOB, TARGETS);
        bench.wire().staysSilent();
        bench.start(range(bench)).cancel();

        nextReadWaits(bench, Duration.ZERO);
    }

    @Test
    @DisplayName("PERMIT-4: a range is not refused for a wait that refunds may shorten")
    void patience() {
        Bench bench = bench(Service.BLOB, TARGETS.toBuilder().blobBytes(1_000).build());
        bench.wire().respondsAfter(Duration.ofSeconds(1), 206, "", "Content-Length", "1000");
        bench.wire().otherwise(206, "", "Content-Length", "1000");
        bench.start(range(bench));
        Bench.Outcome<HttpResponse> second = bench.start(range(bench));
        bench.pass(Duration.ofMillis(900));
        assertThat(bench.wire().sent()).hasSize(1);
        bench.pass(Duration.ofMillis(200));
        assertThat(second.value()).isNotNull();
    }

    @Test
    @DisplayName("PERMIT-4: a range that no refund lets through ends at its deadline, and leaves the line")
    void impatience() {
        Bench bench = bench(Service.BLOB, TARGETS.toBuilder().blobBytes(1_000).build());
        bench.wire().otherwise(201, "");
        bench.start(sdk(bench, request("PUT", Service.BLOB, "/photos/a.jpg", "Content-Length", "" + 30_000_000)));
        Bench.Outcome<HttpResponse> late = bench.start(range(bench));
        bench.pass(Duration.ofMinutes(59));
        assertThat(late.ended()).isFalse();
        bench.pass(Duration.ofMinutes(1));
        assertThat(late.storageError()).isInstanceOf(DeadlineExceededException.class);
        assertThat(bench.wire().sent()).hasSize(1);

        Bench.Outcome<HttpResponse> next = bench.start(sdk(bench, request("HEAD", Service.BLOB, "/photos/a.jpg")));
        assertThat(next.value()).isNotNull();
    }

    @Test
    @DisplayName("PERMIT-2: the account's target holds over all partitions")
    void account() {
        Bench bench = bench(
                Service.QUEUE,
                TARGETS.toBuilder().accountEntities(100).queueMessages(90).build());
        bench.wire().otherwise(201, "");
        for (int i = 0; i < 300; i++) {
            bench.start(sdk(bench, request("POST", Service.QUEUE, "/q" + i + "/messages")));
        }
        bench.pass(Duration.ofMillis(2_050));

        assertThat(bench.wire().sent()).hasSize(300);
        staysBelow(100, 1, bench.wire().sent(), sent -> 1);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: what is throttled is a partition of its own and leaves its neighbours alone")
    @CsvSource({
        "QUEUE, GET, /orders/messages?numofmessages=32, /orders/messages/id?popreceipt=r, /bills/messages",
        "QUEUE, GET, /orders?comp=metadata,             /orders/messages,                 /bills/messages",
        "BLOB,  GET, /photos/a.jpg,                     /photos/a.jpg?comp=metadata,      /photos/b.jpg",
        "BLOB,  GET, /photos?restype=container&comp=list, /photos?restype=container,      /films?restype=container",
        "BLOB,  GET, /photos?restype=container&comp=list, /photos?restype=container,      /photos/a.jpg"
    })
    void neighbours(Service service, String method, String throttled, String same, String other) {
        Bench bench = new Bench(service, timer -> {
            gates = PartitionedGate.of(ParallelismSettings.adaptive(), timer);
            return ServiceLimits.of(gates);
        });
        int before = bench.gate().limit();
        bench.wire().otherwise(503, Bench.jsonError("ServerBusy", "The server is busy."));
        bench.start(sdk(bench, request(method, service, throttled)));

        assertThat(gates.limitedPartitions()).isEqualTo(1);
        assertThat(bench.gate().limit()).isEqualTo(before);
        assertThat(gates.tryAcquire(
                        RequestCost.bySdkClient(service, request("GET", service, same))
                                .partition(),
                        PermitPriority.NORMAL))
                .as("the same one is limited")
                .isNull();
        assertThat(gates.tryAcquire(
                        RequestCost.bySdkClient(service, request("GET", service, other))
                                .partition(),
                        PermitPriority.NORMAL))
                .as("its neighbour is not")
                .isNotNull();
    }
}
