package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.PageBlob;
import io.stowline.caching.Freshness;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A gateway that responds in the service's place, before or after the service has carried the request out. */
@Timeout(120)
class GatewayResponseTest {

    private static final String PAGE = "<html><body><h1>Not here</h1></body></html>";

    /** Further responses that a gateway may send with a success: an API's JSON, the empty response of a challenge or of a CORS check. */
    private static final Map<Integer, String> PLAUSIBLE =
            Map.of(200, "{\"status\":\"ok\"}", 201, "{\"id\":\"1\"}", 202, "", 204, "");

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    private static final Runner JOHN = new Runner("2026", "1", "John");
    private static final Runner MARY = new Runner("2026", "2", "Mary");

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline other = client(memory.httpClient(), 0);
    private StoredEntity<Runner> john;
    private ReceivedMessage<String> message;

    @BeforeEach
    void prepare() {
        runners(other).create();
        runners(other).insert(JOHN);
        john = runners(other).find("2026", "1").orElseThrow();
        other.container("files").create();
        other.container("files").upload(new byte[3], "old");
        other.container("files").appendBlob("log").create();
        disk(other).create(1024);
        wide(other).createIfMissing();
        other.queue("orders-poison").create();
        other.queue("orders-poison").sendAll(List.of("bad", "worse"));
        other.queue("orders").create();
        other.queue("orders").send("one");
        message = other.queue("orders").receive().orElseThrow();
    }

    @AfterEach
    void close() {
        other.close();
    }

    private Stowline client(HttpClient http, int retries) {
        return client(http, r -> r.retries(retries).backoff(Backoff.fixed(Duration.ofMillis(1))));
    }

    /** Without the time for a second read-back. */
    private Stowline hurried(HttpClient http) {
        return client(http, r -> r.retries(0)
                .attemptTimeout(Duration.ofMillis(900))
                .minAttempt(Duration.ofMillis(100))
                .deadline(Duration.ofMillis(950)));
    }

    private Stowline client(HttpClient http, UnaryOperator<RetrySettings.Builder> retry) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .closeTimeout(Duration.ofMillis(1))
                .retry(retry)
                .httpClient(http)
                .build();
    }

    private static Table<Runner> runners(Stowline client) {
        return client.table("runners", Runner.class);
    }

    private static ShardedQueue<String> wide(Stowline client) {
        return client.shardedQueue("wide", String.class, s -> s.sendTo(2));
    }

    private static PageBlob disk(Stowline client) {
        return client.container("files").pageBlob("disk");
    }

    private static PoisonQueue<String> poison(Stowline client) {
        return client.queue("orders").poison();
    }

    /** A verb of the API, with what {@link #prepare} has made. */
    private record Verb(String name, VerbCall call) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The call of a verb. */
    private interface VerbCall {
        void make(Stowline client, GatewayResponseTest prepared);
    }

    private static Stream<Verb> reads() {
        return Stream.of(
                new Verb("table.exists", (c, p) -> runners(c).exists()),
                new Verb("table.find", (c, p) -> runners(c).find("2026", "1")),
                new Verb("table.query", (c, p) -> runners(c).query().list()),
                new Verb("listTables", (c, p) -> c.listTables()),
                new Verb("listQueues", (c, p) -> c.listQueues()),
                new Verb("listContainers", (c, p) -> c.listContainers()),
                new Verb("cors.rules", (c, p) -> c.cors(ServiceType.TABLE).rules()),
                new Verb("serviceProperties.info", (c, p) -> c.serviceProperties(ServiceType.BLOB)
                        .info()),
                new Verb("container.exists", (c, p) -> c.container("files").exists()),
                new Verb("blob.exists", (c, p) -> c.container("files").exists("old")),
                new Verb("blob.find", (c, p) -> c.container("files").find("old")),
                new Verb("download", (c, p) -> c.container("files").download("old")),
                new Verb("pageBlob.info", (c, p) -> disk(c).info()),
                new Verb("pageBlob.read", (c, p) -> disk(c).read(1, 600)),
                new Verb("pageBlob.read of none", (c, p) -> disk(c).read(0, 0)),
                new Verb("pageBlob.ranges", (c, p) -> disk(c).ranges().forEach(range -> {})),
                new Verb("list", (c, p) -> c.container("files").stream().forEach(blob -> {})),
                new Verb("cached find", (c, p) -> runners(c)
                        .cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .find("2026", "1")),
                new Verb("queue.exists", (c, p) -> c.queue("orders").exists()),
                new Verb("count", (c, p) -> c.queue("orders").approximateCount()),
                new Verb("peek", (c, p) -> c.queue("orders").peek(1)),
                new Verb("receive", (c, p) -> c.queue("orders").receive()),
                new Verb(
                        "sharded exists", (c, p) -> assertThat(wide(c).exists()).isTrue()),
                new Verb("poison count", (c, p) -> assertThat(poison(c).count()).isEqualTo(2)),
                new Verb("poison peek", (c, p) -> assertThat(poison(c).peek(32)).hasSize(2)));
    }

    private static Stream<Verb> writes() {
        return Stream.of(
                new Verb("insert", (c, p) -> runners(c).insert(MARY)),
                new Verb("cors.set", (c, p) -> c.cors(ServiceType.QUEUE)
                        .set(rule -> rule.allowedOrigins("*").allowedMethods("GET"))),
                new Verb("setSoftDelete", (c, p) -> c.serviceProperties(ServiceType.BLOB)
                        .setSoftDelete(SoftDelete.days(7))),
                new Verb("upsert", (c, p) -> runners(c).insertOrReplace(JOHN)),
                new Verb("replace", (c, p) -> runners(c).replace(p.john)),
                new Verb("delete a version", (c, p) -> runners(c).delete(p.john)),
                new Verb("delete", (c, p) -> runners(c).delete("2026", "1")),
                new Verb("deleteIfExists", (c, p) -> runners(c).deleteIfExists("2026", "1")),
                new Verb("transaction", (c, p) -> runners(c)
                        .transaction("2026")
                        .insert(MARY)
                        .insertOrReplace(JOHN)
                        .commit()),
                new Verb("create a table", (c, p) -> c.table("absent", Runner.class)
                        .create()),
                new Verb("table.createIfMissing", (c, p) -> runners(c).createIfMissing()),
                new Verb("drop table", (c, p) -> runners(c).dropIfExists()),
                new Verb("create a container", (c, p) -> c.container("absent").create()),
                new Verb("container.createIfMissing", (c, p) -> c.container("files")
                        .createIfMissing()),
                new Verb("drop container", (c, p) -> c.container("files").dropIfExists()),
                new Verb("upload", (c, p) -> c.container("files").upload(new byte[5], "new")),
                new Verb("upload in blocks", (c, p) -> c.container("files")
                        .upload(new byte[5], "new", s -> s.blockSize(2))),
                new Verb("copy", (c, p) -> c.container("files").copyFrom(c.container("files"), "old", "new")),
                new Verb("copy in blocks", (c, p) -> c.container("files")
                        .copyFrom(c.container("files"), "old", "new", s -> s.blockSize(2))),
                new Verb("start a copy", (c, p) -> c.container("files").startCopy(c.container("files"), "old", "new")),
                new Verb(
                        "append",
                        (c, p) -> c.container("files").appendBlob("log").append(new byte[3])),
                new Verb(
                        "pageBlob.create",
                        (c, p) -> c.container("files").pageBlob("new").create(512)),
                new Verb("pageBlob.createIfMissing", (c, p) -> disk(c).createIfMissing(1024)),
                new Verb("pageBlob.write", (c, p) -> disk(c).write(0, new byte[512])),
                new Verb("pageBlob.clear", (c, p) -> disk(c).clear(512, 512)),
                new Verb("pageBlob.resize", (c, p) -> disk(c).resize(512)),
                new Verb("pageBlob.setSequenceNumber", (c, p) -> disk(c).setSequenceNumber(3)),
                new Verb("pageBlob.raiseSequenceNumber", (c, p) -> disk(c).raiseSequenceNumber(4)),
                new Verb("pageBlob.channel", (c, p) -> {
                    try (SeekableByteChannel channel = disk(c).channel()) {
                        channel.write(ByteBuffer.allocate(700));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }),
                new Verb("set metadata", (c, p) -> c.container("files").setMetadata("old", Map.of("a", "b"))),
                new Verb("blob.deleteIfExists", (c, p) -> c.container("files").deleteIfExists("old")),
                new Verb("blob.delete", (c, p) -> c.container("files").delete("old")),
                new Verb("create a queue", (c, p) -> c.queue("absent").create()),
                new Verb("queue.createIfMissing", (c, p) -> c.queue("orders").createIfMissing()),
                new Verb("drop queue", (c, p) -> c.queue("orders").dropIfExists()),
                new Verb("send", (c, p) -> c.queue("orders").send("two")),
                new Verb("delete a message", (c, p) -> c.queue("orders").delete(p.message)),
                new Verb("update a message", (c, p) -> c.queue("orders").update(p.message, Duration.ZERO)),
                new Verb("clear", (c, p) -> c.queue("orders").clear()),
                new Verb("poison redrive", (c, p) -> poison(c).redrive(all -> true)),
                new Verb("poison remove", (c, p) -> poison(c).remove(all -> true)),
                new Verb("poison forEach", (c, p) -> poison(c).forEach(all -> {})),
                new Verb("poison clear", (c, p) -> poison(c).clear()));
    }

    static Stream<Verb> verbs() {
        return Stream.concat(reads(), writes());
    }

    static Stream<Arguments> writesAndStatuses() {
        List<Arguments> all = new ArrayList<>();
        writes().forEach(verb ->
                List.of(200, 302, 403, 404, 409, 412, 502).forEach(status -> all.add(Arguments.of(verb, status))));
        return all.stream();
    }

    /** Responds in the place of the service. */
    private static HttpResponse page(HttpRequest request, int status) {
        return page(request, status, PAGE, "text/html");
    }

    private static HttpResponse page(HttpRequest request, int status, String body, String type) {
        boolean head = request.getHttpMethod().toString().equals("HEAD");
        return new Page(request, status, head ? "" : body, type);
    }

    /** Responds with a success that has nothing of a page. */
    private static HttpResponse plausible(HttpRequest request, int status) {
        return page(request, status, Objects.requireNonNull(PLAUSIBLE.get(status)), "application/json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    @DisplayName("WORLD-4: a gateway's response to every request decides nothing, whatever its status")
    void always(Verb verb) {
        for (int status : new int[] {200, 302, 304, 401, 403, 404, 409, 412, 502}) {
            try (Stowline client = hurried(request -> Mono.fromSupplier(() -> page(request, status)))) {
                assertThat(catchThrowable(() -> verb.call.make(client, this)))
                        .as("%s, %d", verb, status)
                        .isInstanceOf(StorageException.class)
                        .isNotInstanceOfAny(
                                NotFoundException.class, ConflictException.class, PreconditionFailedException.class)
                        .isInstanceOfAny(
                                ProtocolException.class, ServerErrorException.class, OutcomeUnknownException.class);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    @DisplayName("WORLD-4: a success without the service's headers decides nothing, be it JSON or empty")
    void plausible(Verb verb) {
        for (int status : PLAUSIBLE.keySet()) {
            try (Stowline client = hurried(request -> Mono.fromSupplier(() -> plausible(request, status)))) {
                assertThat(catchThrowable(() -> verb.call.make(client, this)))
                        .as("%s, %d", verb, status)
                        .isInstanceOfAny(ProtocolException.class, OutcomeUnknownException.class);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reads")
    @DisplayName("WORLD-4: a read is repeated after a gateway's response, and gives the service's")
    void repeated(Verb verb) {
        for (int status : new int[] {200, 403, 404, 409, 412, 502}) {
            boolean[] first = {true};
            HttpClient service = memory.httpClient();
            HttpClient http = request -> Mono.defer(() -> {
                boolean gateway = first[0];
                first[0] = false;
                return gateway ? Mono.just(page(request, status)) : service.send(request);
            });
            try (Stowline client = client(http, 2)) {
                verb.call.make(client, this);
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("writesAndStatuses")
    @DisplayName(
            "WORLD-4: a write that a gateway responds to after the service is settled like one with a lost response")
    void afterTheService(Verb verb, int status) {
        boolean[] first = {true};
        HttpClient service = memory.httpClient();
        HttpClient http = request -> Mono.defer(() -> {
            String method = request.getHttpMethod().toString();
            boolean gateway = first[0] && !method.equals("GET") && !method.equals("HEAD");
            first[0] &= !gateway;
            return gateway ? service.send(request).thenReturn(page(request, status)) : service.send(request);
        });
        try (Stowline client = client(http, 0)) {
            Throwable failure = catchThrowable(() -> verb.call.make(client, this));

            assertThat(failure == null
                            || failure instanceof OutcomeUnknownException
                            || (verb.name.endsWith("in blocks") && isStaged(failure)))
                    .as("%s ended with %s", verb, failure)
                    .isTrue();
        }
    }

    /** An unresolved block leaves the blob certain: nothing is committed. */
    private boolean isStaged(Throwable failure) {
        return failure instanceof StorageException && !other.container("files").exists("new");
    }

    @Test
    @DisplayName(
            "WORLD-4: the error names the status and what responds in the service's place, and the cache keeps nothing")
    void named() {
        boolean[] gateway = {true};
        HttpClient service = memory.httpClient();
        Consumer<Stowline> read = client -> assertThat(runners(client)
                        .cached(Freshness.fresh(Duration.ofMinutes(1)).negative(Duration.ofMinutes(1)))
                        .find("2026", "1")
                        .get()
                        .value())
                .isEqualTo(JOHN);
        try (Stowline client = client(
                request -> Mono.defer(() -> gateway[0] ? Mono.just(page(request, 404)) : service.send(request)), 0)) {
            assertThat(catchThrowable(() -> read.accept(client)))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContainingAll("404", "no x-ms-request-id", "gateway or proxy");
            gateway[0] = false;
            read.accept(client);
        }
    }

    @Test
    @DisplayName(
            "WORLD-4: the refusal of a gateway for the form of a request is an error at once, and names the gateway")
    void form() {
        try (Stowline client = client(request -> Mono.fromSupplier(() -> page(request, 400)), 3)) {
            assertThat(catchThrowable(() -> runners(client).insert(MARY)))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContainingAll("no x-ms-request-id", "gateway or proxy", "attempts 1");
        }
    }

    @Test
    @DisplayName("WORLD-4: a writer goes on behind a gateway that refuses its sender for a time")
    void writer() {
        int[] pages = {3};
        HttpClient service = memory.httpClient();
        HttpClient http =
                request -> Mono.defer(() -> pages[0]-- > 0 ? Mono.just(page(request, 403)) : service.send(request));
        try (Stowline client = client(http, 5);
                TableWriter<Runner> writer = runners(client).writer()) {
            assertThat(writer.insertOrReplace(MARY).toFuture().join().outcome()).isNotNull();
            assertThat(writer.insertOrReplace(JOHN).toFuture().join().outcome()).isNotNull();
        }
    }

    /** A page of a gateway. */
    private static final class Page extends HttpResponse {

        private final int status;
        private final byte[] body;
        private final HttpHeaders headers = new HttpHeaders();

        Page(HttpRequest request, int status, String body, String type) {
            super(request);
            headers.set(HttpHeaderName.CONTENT_TYPE, type);
            this.status = status;
            this.body = body.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        @Deprecated
        public String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return body.length == 0 ? Flux.empty() : Flux.just(ByteBuffer.wrap(body));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(body);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return Mono.just(new String(body, StandardCharsets.UTF_8));
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(new String(body, charset));
        }
    }
}
