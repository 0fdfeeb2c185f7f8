package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.stowline.observe.MicrometerListener.MicrometerOperation;
import io.stowline.observe.OperationInfo.HandledMessage;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.util.context.Context;

class MicrometerObservationTest {

    private static final OperationInfo INSERT = new OperationInfo("acct", "table", "insert", "people(secret, row)");
    private static final OperationEnd DONE =
            new OperationEnd(OperationEnd.Kind.SUCCEEDED, Duration.ofSeconds(1), null, null);

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final MicrometerListener listener = MicrometerListener.of(observations, new SimpleMeterRegistry());

    private record Result(String etag, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
            implements WriteResult {}

    private static RequestEnd request(String id, Verdict... verdicts) {
        return new RequestEnd(
                "insert",
                "people(a, b)",
                id,
                "service-" + id,
                Stream.of(verdicts)
                        .map(verdict -> verdict.entry(1, Duration.ZERO, Duration.ZERO))
                        .toList(),
                Duration.ZERO,
                StopReason.SUCCEEDED,
                false);
    }

    private TestObservationRegistryAssert.TestObservationRegistryAssertReturningObservationContextAssert only() {
        return TestObservationRegistryAssert.assertThat(observations)
                .hasNumberOfObservationsEqualTo(1)
                .hasObservationWithNameEqualTo("stowline.operation")
                .that();
    }

    @Test
    void anOperationIsAnObservation() {
        OperationListener reported = listener.onOperationStart(INSERT, Context.empty());
        only().hasBeenStarted().isNotStopped();
        reported.onRequestEnd(request("id-1", Verdict.retry("503"), Verdict.success()));
        reported.onRequestEnd(request("id-2", Verdict.success()));
        reported.onOperationEnd(DONE);

        only().hasBeenStopped()
                .doesNotHaveError()
                .hasContextualNameEqualTo("table insert")
                .hasLowCardinalityKeyValue("account", "acct")
                .hasLowCardinalityKeyValue("service", "table")
                .hasLowCardinalityKeyValue("operation", "insert")
                .hasLowCardinalityKeyValue("outcome", "success")
                .hasLowCardinalityKeyValue("exception", "none")
                .hasHighCardinalityKeyValue("resource", "people(secret, row)")
                .hasHighCardinalityKeyValue("client.request.id", "id-1")
                .hasHighCardinalityKeyValue("attempts", "3");
    }

    @Test
    @DisplayName("attempts of requests that end at the same time all count")
    void requestsEndBesideEachOther() {
        OperationListener reported = listener.onOperationStart(INSERT, Context.empty());
        IntStream.range(0, 20_000).parallel().forEach(i -> reported.onRequestEnd(request("id", Verdict.success())));
        reported.onOperationEnd(DONE);

        only().hasHighCardinalityKeyValue("attempts", "20000");
    }

    @ParameterizedTest
    @CsvSource({"CONFIRMED, success", "RECOVERED, recovered", "ABSENT, absent"})
    void theOutcomeOfAWriteIsATag(WriteOutcome outcome, String tag) {
        listener.onOperationStart(INSERT, Context.empty())
                .onOperationEnd(new OperationEnd(
                        OperationEnd.Kind.SUCCEEDED,
                        Duration.ZERO,
                        new Result("", outcome, Evidence.CONTENT, true),
                        null));

        only().hasLowCardinalityKeyValue("outcome", tag);
    }

    @ParameterizedTest
    @CsvSource({"FAILED, failed", "UNKNOWN, unknown"})
    void errorsAreReported(OperationEnd.Kind kind, String tag) {
        IllegalStateException error = new IllegalStateException("secret");
        listener.onOperationStart(INSERT, Context.empty())
                .onOperationEnd(new OperationEnd(kind, Duration.ZERO, null, error));

        only().hasError(error)
                .hasLowCardinalityKeyValue("outcome", tag)
                .hasLowCardinalityKeyValue("exception", "IllegalStateException");
    }

    @Test
    void aCancelIsNoError() {
        listener.onOperationStart(INSERT, Context.empty())
                .onOperationEnd(new OperationEnd(OperationEnd.Kind.CANCELLED, Duration.ZERO, null, null));

        only().doesNotHaveError().hasLowCardinalityKeyValue("outcome", "cancelled");
    }

    @Test
    @DisplayName("a handling is a receiver with the headers of its message, named and tagged by the convention of"
            + " operations")
    void handling() {
        OperationInfo handle = new OperationInfo(
                "acct",
                "queue",
                "handle",
                "orders(1)",
                null,
                null,
                List.of(new HandledMessage("1", Map.of("traceparent", "00-a-b-01"))));
        Observation.Context[] seen = new Observation.Context[1];
        observations.observationConfig().observationHandler(context -> {
            seen[0] = context;
            return false;
        });

        OperationListener handling = listener.withConvention(StowlineObservationConvention.withResourceNames(3))
                .onOperationStart(handle, Context.empty());
        Observation[] current = new Observation[1];
        handling.run(() -> current[0] = observations.getCurrentObservation());
        handling.onOperationEnd(DONE);

        assertThat(seen[0]).isInstanceOfSatisfying(HandlingContext.class, context -> {
            assertThat(context.getKind()).isEqualTo(Kind.CONSUMER);
            assertThat(context.getGetter().get(context.getCarrier(), "traceparent"))
                    .isEqualTo("00-a-b-01");
            assertThat(context.handling().operation()).isEqualTo(handle);
            assertThat(context.<StowlineObservationContext>get(StowlineObservationContext.class))
                    .isSameAs(context.handling());
            assertThat(current[0].getContext()).isSameAs(context);
        });
        assertThat(observations.getCurrentObservation()).isNull();
        only().hasContextualNameEqualTo("queue handle")
                .hasLowCardinalityKeyValue("outcome", "success")
                .hasLowCardinalityKeyValue("resource.name", "orders")
                .hasHighCardinalityKeyValue("resource", "orders(1)");
    }

    @Test
    @DisplayName("a send is a producer, and gives its message what tracing injects")
    void sending() {
        observations.observationConfig().observationHandler(new InjectingHandler());

        OperationListener send =
                listener.onOperationStart(new OperationInfo("acct", "queue", "send", "orders"), Context.empty());
        OperationListener insert = listener.onOperationStart(INSERT, Context.empty());

        assertThat(send.headers()).containsExactly(Map.entry("traceparent", "PRODUCER azure-storage-queue"));
        assertThat(insert.headers()).containsExactly(Map.entry("traceparent", "CLIENT azure-storage-table"));
    }

    /** Does what the sender's handler of a tracing library does. */
    private static final class InjectingHandler implements ObservationHandler<SenderContext<Object>> {

        @Override
        public void onStart(SenderContext<Object> context) {
            context.getSetter()
                    .set(context.getCarrier(), "traceparent", context.getKind() + " " + context.getRemoteServiceName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof SenderContext;
        }
    }

    @Test
    void everyKeyIsDocumentedAndEveryDocumentedOneIsThere() {
        StowlineObservationContext[] seen = new StowlineObservationContext[1];
        observations.observationConfig().observationHandler(context -> {
            seen[0] = (StowlineObservationContext) context;
            return false;
        });
        listener.onOperationStart(INSERT, Context.empty()).onOperationEnd(DONE);

        assertThat(keys(seen[0].getLowCardinalityKeyValues()))
                .containsExactlyInAnyOrderElementsOf(names(StowlineObservation.OPERATION.getLowCardinalityKeyNames()));
        assertThat(keys(seen[0].getHighCardinalityKeyValues()))
                .containsExactlyInAnyOrderElementsOf(names(StowlineObservation.OPERATION.getHighCardinalityKeyNames()));
        assertThat(seen[0].getLowCardinalityKeyValues().toString()).doesNotContain("secret", "people");
        assertThat(seen[0].operation()).isEqualTo(INSERT);
        assertThat(seen[0].end()).isEqualTo(DONE);
    }

    private static List<String> keys(KeyValues values) {
        return values.stream().map(KeyValue::getKey).toList();
    }

    private static List<String> names(KeyName[] names) {
        return Stream.of(names).map(KeyName::asString).toList();
    }

    @Test
    void theParentIsTheOneOfTheReactorContext() {
        Observation parent = Observation.createNotStarted("parent", observations);
        Observation current = Observation.start("current", observations);
        try (Observation.Scope scope = current.openScope()) {
            assertThat(scope.getCurrentObservation()).isSameAs(current);
            listener.onOperationStart(INSERT, Context.of(MicrometerOperation.KEY, parent))
                    .onOperationEnd(DONE);
        }
        current.stop();

        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("stowline.operation")
                .that()
                .hasParentObservationEqualTo(parent);
    }

    @Test
    void elseTheParentIsTheCurrentOneOfTheThread() {
        Observation current = Observation.start("current", observations);
        try (Observation.Scope scope = current.openScope()) {
            assertThat(scope.getCurrentObservation()).isSameAs(current);
            listener.onOperationStart(INSERT, Context.empty()).onOperationEnd(DONE);
        }
        current.stop();

        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("stowline.operation")
                .that()
                .hasParentObservationEqualTo(current);
    }

    @Test
    void codeFurtherDownFindsTheObservation() {
        OperationListener reported = listener.onOperationStart(INSERT, Context.empty());
        Observation found = reported.context(Context.of("other", 1)).get(MicrometerOperation.KEY);
        reported.onOperationEnd(DONE);

        assertThat(found.getContext()).isInstanceOf(StowlineObservationContext.class);
    }

    @Test
    void whereNothingIsObservedTheParentStaysVisible() {
        MicrometerListener silent = MicrometerListener.of(ObservationRegistry.NOOP, new SimpleMeterRegistry());
        Context context = Context.of(MicrometerOperation.KEY, "parent");

        assertThat(silent.onOperationStart(INSERT, Context.empty()).context(context))
                .isSameAs(context);
    }

    private static final StowlineObservationConvention OWN = new StowlineObservationConvention() {
        @Override
        public String getName() {
            return "own.name";
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(StowlineObservationContext context) {
            return StowlineObservationConvention.super
                    .getLowCardinalityKeyValues(context)
                    .and("region", "north");
        }
    };

    @Test
    void aConventionThatIsGivenIsUsed() {
        listener.withConvention(OWN).onOperationStart(INSERT, Context.empty()).onOperationEnd(DONE);

        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("own.name")
                .that()
                .hasLowCardinalityKeyValue("region", "north")
                .hasLowCardinalityKeyValue("service", "table");
    }

    @Test
    void aConventionOfTheRegistryIsUsed() {
        observations.observationConfig().observationConvention(OWN);
        listener.onOperationStart(INSERT, Context.empty()).onOperationEnd(DONE);

        TestObservationRegistryAssert.assertThat(observations).hasObservationWithNameEqualTo("own.name");
    }
}
