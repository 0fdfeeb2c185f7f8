package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.stowline.Stowline;
import io.stowline.observe.MicrometerListener;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The trace of a message from its sender to its handler, with OpenTelemetry. */
@Timeout(60)
@DisplayName("a message carries the trace of its sender")
class TraceContextTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final BlockingQueue<Span> seen = new LinkedBlockingQueue<>();
    private Stowline storage;
    private MessageQueue<String> enveloped;

    @BeforeEach
    void connect() {
        Tracer otel = provider.get("test");
        OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator =
                new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        observations
                .observationConfig()
                .observationHandler(new FirstMatchingCompositeObservationHandler(
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .listener(MicrometerListener.of(observations, new SimpleMeterRegistry()))
                .build();
        enveloped = storage.queue("orders", String.class).withEnvelope(e -> e);
        enveloped.create();
        spans.reset();
    }

    @AfterEach
    void close() {
        storage.close();
        provider.close();
    }

    /** Sends one message inside a span of the application, has it handled, and gives the span that the handler saw. */
    private Span handled(MessageQueue<String> queue, Function<MessageQueue<String>, QueueConsumer> consuming)
            throws Exception {
        Observation.createNotStarted("order", observations).observe(() -> queue.send("one"));
        try (QueueConsumer consumer = consuming.apply(queue)) {
            Span handler = seen.take();
            while (consumer.stats().completed() == 0) {
                ShortPause.park();
            }
            return handler;
        }
    }

    private QueueConsumer blocking(MessageQueue<String> queue) {
        return queue.consume(m -> seen.add(Span.current())).start();
    }

    private SpanData span(String name) {
        List<SpanData> found = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found)
                .as("spans %s of %s", name, spans.getFinishedSpanItems())
                .hasSize(1);
        return found.get(0);
    }

    private void linked() {
        SpanData order = span("order");
        SpanData send = span("queue send");
        SpanData handle = span("queue handle");
        assertThat(List.of(send.getTraceId(), handle.getTraceId())).containsOnly(order.getTraceId());
        assertThat(send.getParentSpanId()).isEqualTo(order.getSpanId());
        assertThat(handle.getParentSpanId()).isEqualTo(send.getSpanId());
        assertThat(send.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(handle.getKind()).isEqualTo(SpanKind.CONSUMER);
    }

    @Test
    @DisplayName("to a blocking handler, whose thread sees the span of the handling")
    void blockingHandler() throws Exception {
        Span handler = handled(enveloped, this::blocking);

        linked();
        assertThat(handler.getSpanContext().getSpanId())
                .isEqualTo(span("queue handle").getSpanId());
    }

    @Test
    @DisplayName("to what a blocking handler does with the client")
    void work() throws Exception {
        storage.table("things").create();
        spans.reset();
        handled(enveloped, queue -> queue.consume(m -> {
                    storage.table("things").find("pk", "rk");
                    seen.add(Span.current());
                })
                .start());

        linked();
        assertThat(span("table find").getParentSpanId())
                .isEqualTo(span("queue handle").getSpanId());
        assertThat(span("table find").getKind()).isEqualTo(SpanKind.CLIENT);
    }

    @Test
    @DisplayName("to a reactive handler and its operations")
    void reactiveHandler() throws Exception {
        storage.table("things").create();
        spans.reset();
        handled(enveloped, queue -> queue.reactive()
                .consume(m -> storage.reactive()
                        .table("things")
                        .find("pk", "rk")
                        .then(Mono.fromRunnable(() -> seen.add(Span.current()))))
                .start());

        linked();
        assertThat(span("table find").getParentSpanId())
                .isEqualTo(span("queue handle").getSpanId());
    }

    @Test
    @DisplayName("through the poison queue and back")
    void redriven() throws Exception {
        Observation.createNotStarted("order", observations).observe(() -> enveloped.send("one"));
        SpanData order = span("order");
        try (QueueConsumer consumer = enveloped.consume(m -> m.poison("broken")).start()) {
            while (consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }
        enveloped.poison().redrive(all -> true);
        spans.reset();
        try (QueueConsumer consumer = blocking(enveloped)) {
            seen.take();
            while (consumer.stats().completed() == 0) {
                ShortPause.park();
            }
        }

        assertThat(span("queue handle").getTraceId()).isEqualTo(order.getTraceId());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("through an outbox, from the commit, although a relay sends it")
    void outbox(boolean reactive) throws Exception {
        storage.table("things").create();
        enveloped.drop();
        spans.reset();
        Entity thing = Entity.builder("pk", "rk").build();
        Observation.createNotStarted("order", observations).observe(() -> {
            if (reactive) {
                storage.reactive()
                        .table("things")
                        .transaction("pk")
                        .insert(thing)
                        .send(enveloped.reactive(), "one")
                        .commit()
                        .block();
            } else {
                storage.table("things")
                        .transaction("pk")
                        .insert(thing)
                        .send(enveloped, "one")
                        .commit();
            }
        });
        while (memory.requests().stream().noneMatch(request -> request.contains("/orders/messages"))) {
            ShortPause.park();
        }
        enveloped.create();
        storage.outbox().recover("things");
        try (QueueConsumer relay = storage.outbox().relay()) {
            while (relay.stats().completed() == 0) {
                ShortPause.park();
            }
        }
        try (QueueConsumer consumer = blocking(enveloped)) {
            seen.take();
            while (consumer.stats().completed() == 0) {
                ShortPause.park();
            }
        }

        SpanData order = span("order");
        SpanData commit = span("table commit");
        SpanData handled = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("queue handle")
                        && span.getTraceId().equals(order.getTraceId()))
                .findFirst()
                .orElseThrow();
        assertThat(commit.getParentSpanId()).isEqualTo(order.getSpanId());
        assertThat(handled.getParentSpanId()).isEqualTo(commit.getSpanId());
    }

    @Test
    @DisplayName("and not to a batch of several messages, nor in a plain message")
    void none() throws Exception {
        MessageQueue<String> plain = storage.queue("plain", String.class);
        plain.create();
        Span handler = handled(plain, this::blocking);

        assertThat(span("queue handle").getTraceId()).isNotEqualTo(span("order").getTraceId());
        assertThat(handler.getSpanContext().getSpanId())
                .isEqualTo(span("queue handle").getSpanId());

        spans.reset();
        enveloped.send("one");
        enveloped.send("two");
        try (QueueConsumer consumer =
                enveloped.consumeBatches(2, batch -> seen.add(Span.current())).start()) {
            seen.take();
            while (consumer.stats().completed() < 2) {
                ShortPause.park();
            }
        }
        assertThat(span("queue handle").getParentSpanContext().isValid()).isFalse();
    }

    @Test
    @DisplayName("as the attribute traceparent, which other readers of CloudEvents know")
    void onTheWire() {
        Observation.createNotStarted("order", observations).observe(() -> enveloped.send("one"));

        String text = storage.queue("orders", String.class)
                .receive()
                .map(ReceivedMessage::body)
                .orElseThrow();
        SpanData send = span("queue send");
        assertThat(text).contains("\"traceparent\":\"00-" + send.getTraceId() + "-" + send.getSpanId() + "-");
    }
}
