package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A service of Spring Boot with its own tracing: HTTP request, sends, listeners, and a second account. */
@Timeout(120)
@DisplayName("one trace goes from an HTTP request through send to the listener")
class TracingTest {

    private static final MemoryStorage MAIN = MemoryStorage.create();
    private static final MemoryStorage ARCHIVE = MemoryStorage.create();
    /** The responses of the further account come on another thread than the caller's, as those of a service do. */
    private static final Scheduler IO = Schedulers.newSingle("memory", true);

    private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = new SpringApplication(Shop.class, Shipping.class)
                .run(
                        "--server.port=0",
                        "--stowline.connection-string=" + MAIN.connectionString(),
                        "--stowline.accounts.archive.connection-string=" + ARCHIVE.connectionString(),
                        "--stowline.create-missing=true",
                        "--stowline.retry.backoff=interactive",
                        "--stowline.observations.convention=opentelemetry",
                        "--management.tracing.sampling.probability=1.0");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void forget() {
        exported();
        SPANS.reset();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Storage.class)
    static class Shop {

        @Bean
        InMemorySpanExporter spans() {
            return SPANS;
        }

        @Bean
        StowlineBuilderCustomizer main() {
            return of("stowline", MAIN);
        }

        @Bean
        StowlineBuilderCustomizer further() {
            return of("archive", ARCHIVE);
        }

        private static StowlineBuilderCustomizer of(String name, MemoryStorage storage) {
            return new StowlineBuilderCustomizer() {
                @Override
                public void customize(Stowline.Builder builder) {
                    builder.httpClient(
                            storage == MAIN
                                    ? storage.httpClient()
                                    : request ->
                                            storage.httpClient().send(request).publishOn(IO));
                }

                @Override
                public boolean supports(String account) {
                    return account.equals(name);
                }
            };
        }
    }

    static class Storage extends StowlineBeans {
        @Override
        protected void declare() {
            table("shipments");
            container("labels");
            queue("orders", String.class, (orders, client) -> orders.withEnvelope(e -> e));
            queue("returns", String.class, (returns, client) -> returns.withEnvelope(e -> e));
            account("archive").queue("old", String.class, (old, client) -> old.withEnvelope(e -> e));
        }
    }

    @RestController
    static class Shipping {

        private final MessageQueue<String> orders;
        private final MessageQueue<String> returns;
        private final MessageQueue<String> old;
        private final Table<Entity> shipments;
        private final BlobContainer labels;

        Shipping(
                @Qualifier("orders") MessageQueue<String> orders,
                @Qualifier("returns") MessageQueue<String> returns,
                @Qualifier("archiveOld") MessageQueue<String> old,
                Table<Entity> shipments,
                BlobContainer labels) {
            this.orders = orders;
            this.returns = returns;
            this.old = old;
            this.shipments = shipments;
            this.labels = labels;
        }

        @PostMapping("/orders")
        void order() {
            shipments.find("2026", "1");
            orders.send("shirt");
        }

        @StowlineQueueListener(queue = "orders")
        void ship(String item) {
            shipments.insertOrReplace(
                    Entity.builder("2026", "1").set("item", item).build());
            labels.upload(item.getBytes(StandardCharsets.UTF_8), "2026/" + UUID.randomUUID());
        }

        @PostMapping("/outbox")
        void commit() {
            shipments
                    .transaction("2026")
                    .insertOrReplace(Entity.builder("2026", "2").build())
                    .send(orders, "shoes")
                    .commit();
        }

        @PostMapping("/returns")
        void giveBack() {
            returns.send("shirt");
            returns.send("shoes");
        }

        @StowlineQueueListener(id = "returns", queue = "returns", batch = "2", autoStartup = "false")
        void takeBack(List<String> items) {}

        @PostMapping("/old")
        void archive() {
            old.send("shirt");
        }

        @StowlineQueueListener(queue = "old", account = "archive")
        void store(String item) {}
    }

    private static void post(String path) {
        HttpResponse<String> response = new RunningApplication(context).send("POST", path, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    private static List<SpanData> exported() {
        context.getBean(SdkTracerProvider.class).forceFlush().join(10, TimeUnit.SECONDS);
        return SPANS.getFinishedSpanItems();
    }

    private static List<SpanData> named(String name) {
        return exported().stream().filter(span -> span.getName().equals(name)).toList();
    }

    private static SpanData span(String name) {
        RunningApplication.until(name, () -> !named(name).isEmpty());
        assertThat(named(name)).as(name).hasSize(1);
        return named(name).get(0);
    }

    private static Map<String, Object> attributes(SpanData span) {
        Map<String, Object> attributes = new TreeMap<>();
        span.getAttributes().forEach((key, value) -> attributes.put(key.getKey(), value));
        return attributes;
    }

    private static String account(MemoryStorage storage) {
        return storage.connectionString().replaceFirst("AccountName=([^;]*);.*", "$1");
    }

    /** The attributes of the conventions; Stowline's keys and those of the tracer are beside them. */
    private static Map<String, Object> conventional(SpanData span) {
        Map<String, Object> attributes = attributes(span);
        attributes.keySet().removeIf(key -> !key.matches("(messaging|db|azure|server|error)\\..*"));
        assertThat(String.valueOf(attributes.remove("azure.service.request.id")))
                .matches("[0-9a-f-]{36}");
        return attributes;
    }

    @Test
    @DisplayName("request, send and handling are one trace, with the attributes of the conventions")
    void request() throws Exception {
        post("/orders");

        SpanData server = span("http post /orders");
        SpanData send = span("send orders");
        SpanData process = span("process orders");
        SpanData insert = span("insertOrReplace shipments");
        SpanData upload = span("upload labels");
        assertThat(List.of(send, process, insert, upload, span("find shipments")))
                .extracting(SpanData::getTraceId)
                .containsOnly(server.getTraceId());
        RunningApplication.until("delete orders", () -> !named("delete orders").isEmpty());
        assertThat(Stream.of("receive orders", "approximateCount orders", "delete orders")
                        .flatMap(name -> named(name).stream()))
                .isNotEmpty()
                .allSatisfy(
                        own -> assertThat(own.getParentSpanContext().isValid()).isFalse());
        assertThat(server.getKind()).isEqualTo(SpanKind.SERVER);
        assertThat(send.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(send.getParentSpanId()).isEqualTo(server.getSpanId());
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(process.getParentSpanId()).isEqualTo(send.getSpanId());
        assertThat(process.getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactly(send.getSpanId());
        assertThat(insert.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(List.of(insert, upload))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(process.getSpanId());

        String account = account(MAIN);
        assertThat(conventional(send))
                .isEqualTo(Map.of(
                        "messaging.system", "azure.storage.queue",
                        "messaging.operation.name", "send",
                        "messaging.operation.type", "send",
                        "messaging.destination.name", "orders",
                        "azure.resource_provider.namespace", "Microsoft.Storage",
                        "server.address", account + ".queue.test",
                        "server.port", 443L));
        assertThat(conventional(insert))
                .isEqualTo(Map.of(
                        "db.system.name", "azure.storage.table",
                        "db.namespace", account,
                        "db.operation.name", "insertOrReplace",
                        "db.collection.name", "shipments",
                        "azure.resource_provider.namespace", "Microsoft.Storage",
                        "server.address", account + ".table.test",
                        "server.port", 443L));
        Map<String, Object> processed = attributes(process);
        assertThat(processed)
                .containsEntry("messaging.system", "azure.storage.queue")
                .containsEntry("messaging.operation.name", "process")
                .containsEntry("messaging.operation.type", "process")
                .containsEntry("messaging.destination.name", "orders")
                .containsEntry("account", account)
                .containsKey("messaging.message.id")
                .doesNotContainKeys("messaging.batch.message_count", "azure.service.request.id", "error.type");
        assertThat(context.getBean(MeterRegistry.class)
                        .get("stowline.operation")
                        .tag("operation", "send")
                        .tag("account", account)
                        .timer()
                        .count())
                .isPositive();

        picture(exported().stream()
                .filter(span -> span.getTraceId().equals(server.getTraceId()))
                .toList());
    }

    /** With {@code -Dtrace.picture=file} the picture of the documents is made again. */
    private static void picture(List<SpanData> trace) throws Exception {
        String picture = TraceChart.of(trace);
        assertThat(picture)
                .contains(">http post /orders<", ">send orders<", ">process orders<", ">insertOrReplace shipments<");
        String file = System.getProperty("trace.picture");
        if (file != null) {
            Files.writeString(Path.of(file), picture);
        }
    }

    @Test
    @DisplayName("a message of an outbox continues the commit")
    void outbox() throws Exception {
        post("/outbox");

        SpanData commit = span("commit shipments");
        SpanData process = span("process orders");
        assertThat(commit.getParentSpanId()).isEqualTo(span("http post /outbox").getSpanId());
        assertThat(process.getParentSpanId()).isEqualTo(commit.getSpanId());
        assertThat(named("transaction shipments")).isEmpty();
        assertThat(span("deliver").getParentSpanContext().isValid()).isFalse();
        assertThat(attributes(span("deliver")))
                .containsEntry("messaging.operation.type", "send")
                .doesNotContainKey("messaging.destination.name");
    }

    @Test
    @DisplayName("a retry stays within the span of its operation")
    void retry() throws Exception {
        MAIN.refuseNext("POST", "/orders/messages", 503, "ServerBusy");
        post("/orders");

        assertThat(attributes(span("send orders")))
                .containsEntry("attempts", "2")
                .containsEntry("outcome", "success")
                .doesNotContainKey("error.type");
        assertThat(span("process orders").getParentSpanId())
                .isEqualTo(span("send orders").getSpanId());
    }

    @Test
    @DisplayName("a batch links to each sender")
    void batch() throws Exception {
        post("/returns");
        context.getBean(StowlineQueueListenerRegistry.class).listener("returns").start();

        SpanData process = span("process returns");
        List<SpanData> sends = named("send returns");
        assertThat(process.getParentSpanContext().isValid()).isFalse();
        assertThat(process.getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactlyInAnyOrder(
                        sends.get(0).getSpanId(), sends.get(1).getSpanId());
        assertThat(process.getLinks()).extracting(LinkData::getAttributes).allSatisfy(link -> assertThat(
                        link.get(AttributeKey.stringKey("messaging.message.id")))
                .isNotNull());
        assertThat(attributes(process)).containsEntry("messaging.batch.message_count", 2L);
    }

    @Test
    @DisplayName("a further account has its own name and address")
    void furtherAccount() throws Exception {
        post("/old");

        SpanData process = span("process old");
        assertThat(process.getParentSpanId()).isEqualTo(span("send old").getSpanId());
        assertThat(attributes(process))
                .containsEntry("account", account(ARCHIVE))
                .containsEntry("server.address", account(ARCHIVE) + ".queue.test");
        assertThat(account(ARCHIVE)).isNotEqualTo(account(MAIN));
    }

    @Test
    @DisplayName("a failure has its class as error.type")
    void failure() {
        Stowline storage = context.getBean("stowline", Stowline.class);
        assertThat(catchThrowable(() -> storage.queue("missing").send("x"))).isNotNull();

        SpanData send = span("send missing");
        assertThat(attributes(send)).containsEntry("error.type", "io.stowline.error.NotFoundException");
        assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }
}
