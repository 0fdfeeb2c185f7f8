package io.stowline.spring.boot.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.stowline.Stowline;
import io.stowline.observe.MicrometerListener;
import io.stowline.observe.StowlineObservationConvention;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.micrometer.StowlineMicrometerAutoConfiguration;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

@Timeout(60)
@DisplayName("spans of handlings link to the senders of their messages")
class StowlineTracingAutoConfigurationTest {

    private final AccountsInMemory accounts = new AccountsInMemory();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    private final io.opentelemetry.api.trace.Tracer otel = provider.get("test");

    private final ApplicationContextRunner runner =
            accounts.runner(StowlineMicrometerAutoConfiguration.class, StowlineTracingAutoConfiguration.class);

    private final ApplicationContextRunner traced = runner.withBean(
                    Tracer.class, () -> new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {}))
            .withBean(
                    Propagator.class,
                    () -> new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel))
            .withBean(ObservationRegistry.class, ObservationRegistry::create);

    @AfterEach
    void close() {
        provider.close();
    }

    /** As Spring Boot does with the handlers that are beans. */
    private static ObservationRegistry handled(ApplicationContext context) {
        ObservationRegistry observations = context.getBean(ObservationRegistry.class);
        List<ObservationHandler<? extends Observation.Context>> handlers =
                new java.util.ArrayList<>(context.getBeanProvider(TracingObservationHandler.class)
                        .orderedStream()
                        .map(handler -> (ObservationHandler<? extends Observation.Context>) handler)
                        .toList());
        handlers.add(new DefaultTracingObservationHandler(context.getBean(Tracer.class)));
        observations.observationConfig().observationHandler(new FirstMatchingCompositeObservationHandler(handlers));
        return observations;
    }

    private List<SpanData> named(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData span(String name) {
        return only(named(name));
    }

    private static SpanData only(List<SpanData> found) {
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static void until(Predicate<Void> reached) {
        while (!reached.test(null)) {
            ShortPause.park();
        }
    }

    private static Attributes link(String id) {
        return Attributes.of(AttributeKey.stringKey("messaging.message.id"), id);
    }

    @Test
    @DisplayName("a batch begins a trace with a link to each sender, of either account")
    void batch() {
        traced.withPropertyValues("stowline.observations.convention=opentelemetry")
                .run(context -> {
                    handled(context);
                    MessageQueue<String> orders = context.getBean("archiveStowline", Stowline.class)
                            .queue("orders")
                            .withEnvelope(e -> e);
                    orders.create();
                    String first = orders.send("one").id();
                    String second = orders.send("two").id();
                    try (QueueConsumer consumer =
                            orders.consumeBatches(2, batch -> {}).start()) {
                        until(any -> consumer.stats().completed() == 2);
                    }
                    until(any -> !named("process orders").isEmpty());

                    SpanData process = span("process orders");
                    List<SpanData> sends = named("send orders");
                    assertThat(sends).hasSize(2);
                    assertThat(process.getParentSpanContext().isValid()).isFalse();
                    assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
                    assertThat(process.getLinks())
                            .extracting(link -> link.getSpanContext().getSpanId())
                            .containsExactlyInAnyOrder(
                                    sends.get(0).getSpanId(), sends.get(1).getSpanId());
                    assertThat(process.getLinks())
                            .extracting(link -> link.getSpanContext().getTraceId())
                            .containsExactlyInAnyOrder(
                                    sends.get(0).getTraceId(), sends.get(1).getTraceId());
                    assertThat(process.getLinks())
                            .extracting(LinkData::getAttributes)
                            .containsExactlyInAnyOrder(link(first), link(second));
                    assertThat(process.getAttributes().asMap())
                            .containsEntry(AttributeKey.longKey("messaging.batch.message_count"), 2L)
                            .containsEntry(AttributeKey.longKey("server.port"), 443L)
                            .containsEntry(AttributeKey.stringKey("account"), account(accounts.archive));
                });
    }

    private static String account(MemoryStorage storage) {
        return storage.connectionString().replaceFirst("AccountName=([^;]*);.*", "$1");
    }

    @Test
    @DisplayName("a single message is a child of its sender and links to it; a plain one does neither")
    void single() {
        traced.run(context -> {
            ObservationRegistry observations = handled(context);
            MessageQueue<String> plain =
                    context.getBean("stowline", Stowline.class).queue("orders");
            MessageQueue<String> orders = plain.withEnvelope(e -> e);
            orders.create();
            Observation.createNotStarted("order", observations).observe(() -> orders.send("one"));
            try (QueueConsumer consumer = orders.consume(message -> {}).start()) {
                until(any -> consumer.stats().completed() == 1);
            }
            until(any -> !named("queue handle").isEmpty());

            SpanData handle = span("queue handle");
            SpanData send = span("queue send");
            assertThat(send.getParentSpanId()).isEqualTo(span("order").getSpanId());
            assertThat(handle.getParentSpanId()).isEqualTo(send.getSpanId());
            assertThat(handle.getLinks()).singleElement().satisfies(link -> assertThat(
                            link.getSpanContext().getSpanId())
                    .isEqualTo(send.getSpanId()));
            assertThat(handle.getLinks().get(0).getSpanContext().isSampled()).isTrue();

            spans.reset();
            plain.send("two");
            try (QueueConsumer consumer = plain.consume(message -> {}).start()) {
                until(any -> consumer.stats().completed() == 1);
            }
            until(any -> !named("queue handle").isEmpty());
            assertThat(span("queue handle").getLinks()).isEmpty();
            assertThat(span("queue handle").getParentSpanContext().isValid()).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "stowline.observations.convention=opentelemetry, true",
        "stowline.observations.convention=OpenTelemetry, true",
        "stowline.observations.convention=stowline, false",
        "otel.semconv-stability.opt-in=messaging, true",
        "otel.semconv-stability.opt-in=messaging/dup, true",
        "'otel.semconv-stability.opt-in=http, database/dup', true",
        "otel.semconv-stability.opt-in=http/dup, false",
        "some=other, false"
    })
    @DisplayName("names of OpenTelemetry are opted in by a property or its variable")
    void optIn(String property, boolean chosen) {
        runner.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues(property)
                .run(context -> assertThat(context.getBeansOfType(StowlineObservationConvention.class))
                        .hasSize(chosen ? 1 : 0));
    }

    @Test
    @DisplayName("the property goes before the variable, and a bean before both; another value is refused")
    void precedence() {
        ApplicationContextRunner observed = runner.withBean(ObservationRegistry.class, ObservationRegistry::create);
        observed.withSystemProperties("otel.semconv-stability.opt-in=messaging")
                .withPropertyValues("stowline.observations.convention=stowline")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineObservationConvention.class));
        StowlineObservationConvention own = new StowlineObservationConvention() {};
        observed.withBean(StowlineObservationConvention.class, () -> own)
                .withPropertyValues("stowline.observations.convention=opentelemetry")
                .run(context -> assertThat(context)
                        .getBean(StowlineObservationConvention.class)
                        .isSameAs(own));
        observed.withPropertyValues("stowline.observations.convention=otel").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StowlineConfigurationException.class)
                .hasMessage("The property 'stowline.observations.convention' is 'otel', which is refused: it is"
                        + " 'stowline' or 'opentelemetry'."));
    }

    @Test
    @DisplayName("the context starts without tracing, without a tracer and without Micrometer")
    void optional() {
        traced.withClassLoader(new FilteredClassLoader(Tracer.class)).run(context -> assertThat(context)
                .hasSingleBean(MicrometerListener.class)
                .doesNotHaveBean("stowlineHandlingSpans"));
        runner.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context).doesNotHaveBean(HandlingSpans.class));
        runner.withPropertyValues("stowline.observations.convention=opentelemetry")
                .withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("stowline")
                        .doesNotHaveBean("stowlineOpenTelemetryConvention"));
    }
}
