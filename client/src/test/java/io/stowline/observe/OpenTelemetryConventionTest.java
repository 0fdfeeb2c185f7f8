package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.UnreachableException;
import io.stowline.observe.OperationInfo.HandledMessage;
import io.stowline.retry.StopReason;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("spans have the names and attributes of OpenTelemetry's semantic conventions")
class OpenTelemetryConventionTest {

    private static final URI QUEUES = URI.create("https://acct.queue.core.windows.net");
    private static final StowlineObservationConvention DEFAULT = new StowlineObservationConvention() {};

    private final StowlineObservationConvention convention = StowlineObservationConvention.openTelemetry();

    private static OperationInfo operation(
            String service, String name, String resource, @Nullable URI endpoint, HandledMessage... messages) {
        return new OperationInfo("acct", service, name, resource, null, endpoint, List.of(messages));
    }

    private static StowlineObservationContext ended(OperationInfo operation, @Nullable Throwable error) {
        StowlineObservationContext context = new StowlineObservationContext(operation);
        context.add(new RequestEnd(
                operation.name(),
                operation.resource(),
                "client-1",
                "service-1",
                List.of(),
                Duration.ZERO,
                StopReason.SUCCEEDED,
                false));
        context.end(new OperationEnd(
                error == null ? OperationEnd.Kind.SUCCEEDED : OperationEnd.Kind.FAILED, Duration.ZERO, null, error));
        return context;
    }

    private static Map<String, String> asMap(KeyValues values) {
        Map<String, String> map = new TreeMap<>();
        for (KeyValue value : values) {
            map.put(value.getKey(), value.getValue());
        }
        return map;
    }

    /** The attributes beside the keys of the default. */
    private Map<String, String> attributes(StowlineObservationContext context) {
        Map<String, String> attributes = asMap(convention.getHighCardinalityKeyValues(context));
        Map<String, String> known = asMap(DEFAULT.getHighCardinalityKeyValues(context));
        assertThat(attributes).containsAllEntriesOf(known);
        attributes.keySet().removeAll(known.keySet());
        return attributes;
    }

    private static FailureDetails failure(int status, @Nullable String requestId) {
        return new FailureDetails(
                "find",
                "people",
                status,
                "TableNotFound",
                "secret",
                1,
                0,
                Duration.ZERO,
                null,
                "client-1",
                requestId,
                "final");
    }

    @Test
    @DisplayName("a send is named by its queue")
    void send() {
        StowlineObservationContext context = ended(operation("queue", "send", "orders", QUEUES), null);

        assertThat(convention.getContextualName(context)).isEqualTo("send orders");
        assertThat(attributes(context))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "messaging.system", "azure.storage.queue",
                        "messaging.operation.name", "send",
                        "messaging.operation.type", "send",
                        "messaging.destination.name", "orders",
                        "azure.resource_provider.namespace", "Microsoft.Storage",
                        "azure.service.request.id", "service-1",
                        "server.address", "acct.queue.core.windows.net",
                        "server.port", "443"));
    }

    @Test
    @DisplayName("a handling processes one message, with its id, or a batch, with their number")
    void process() {
        HandledMessage one = new HandledMessage("id-1", Map.of("traceparent", "00-a-b-01"));
        StowlineObservationContext single = ended(
                operation("queue", "handle", "orders(id-1)", URI.create("http://127.0.0.1:10001/acct"), one), null);
        StowlineObservationContext batch = ended(
                operation("queue", "handle", "orders(id-1) and 1 more", null, one, new HandledMessage("2", Map.of())),
                null);

        assertThat(convention.getContextualName(single)).isEqualTo("process orders");
        assertThat(attributes(single))
                .containsEntry("messaging.operation.name", "process")
                .containsEntry("messaging.operation.type", "process")
                .containsEntry("messaging.destination.name", "orders")
                .containsEntry("messaging.message.id", "id-1")
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry("server.port", "10001")
                .doesNotContainKey("messaging.batch.message_count");
        assertThat(convention.getContextualName(batch)).isEqualTo("process orders");
        assertThat(attributes(batch))
                .containsEntry("messaging.batch.message_count", "2")
                .containsEntry("messaging.destination.name", "orders")
                .doesNotContainKeys("messaging.message.id", "server.address", "server.port");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "receive; orders; receive orders; receive; -",
                "peek; orders; peek orders; receive; -",
                "delete; orders(7); delete orders; settle; 7",
                "update; orders(7); update orders; -; 7",
                "deliver; registrations(pk); deliver; send; -",
                "info; orders; info orders; -; -",
                "listQueues; the list of queues; listQueues; -; -"
            })
    void operationsOfQueues(
            String name, String resource, String span, @Nullable String type, @Nullable String messageId) {
        StowlineObservationContext context = ended(operation("queue", name, resource, QUEUES), null);

        assertThat(convention.getContextualName(context)).isEqualTo(span);
        assertThat(attributes(context).get("messaging.operation.type")).isEqualTo(type);
        assertThat(attributes(context).get("messaging.message.id")).isEqualTo(messageId);
    }

    @Test
    @DisplayName("an operation on a table is one on a collection; its failure has the status and the class")
    void database() {
        URI tables = URI.create("http://tables.test");
        NotFoundException missing = new NotFoundException(failure(404, "service-2"), null);
        StowlineObservationContext context = ended(operation("table", "find", "people(pk, rk)", tables), missing);

        assertThat(convention.getContextualName(context)).isEqualTo("find people");
        assertThat(attributes(context))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "db.system.name", "azure.storage.table",
                        "db.namespace", "acct",
                        "db.operation.name", "find",
                        "db.collection.name", "people",
                        "db.response.status_code", "404",
                        "error.type", "io.stowline.error.NotFoundException",
                        "azure.resource_provider.namespace", "Microsoft.Storage",
                        "azure.service.request.id", "service-1",
                        "server.address", "tables.test",
                        "server.port", "80"));
        assertThat(attributes(context).values()).noneMatch(value -> value.contains("secret"));
    }

    @Test
    @DisplayName("a failure without a response has its class only")
    void noResponse() {
        StowlineObservationContext context = new StowlineObservationContext(operation("table", "find", "people", null));
        context.end(new OperationEnd(
                OperationEnd.Kind.FAILED, Duration.ZERO, null, new UnreachableException(failure(0, null), null)));

        assertThat(attributes(context))
                .containsEntry("error.type", "io.stowline.error.UnreachableException")
                .doesNotContainKeys("db.response.status_code", "azure.service.request.id");
    }

    @Test
    @DisplayName("an operation on a blob names its container; one that goes on has no end")
    void blob() {
        StowlineObservationContext context =
                new StowlineObservationContext(operation("blob", "upload", "photos/a.jpg", null));

        assertThat(convention.getContextualName(context)).isEqualTo("upload photos");
        assertThat(attributes(context))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "stowline.blob.container", "photos", "azure.resource_provider.namespace", "Microsoft.Storage"));
    }

    @Test
    @DisplayName("meters keep their names and tags")
    void meters() {
        StowlineObservationContext context = ended(operation("queue", "send", "orders", QUEUES), null);

        assertThat(convention.getName()).isEqualTo("stowline.operation");
        assertThat(convention.getLowCardinalityKeyValues(context))
                .isEqualTo(DEFAULT.getLowCardinalityKeyValues(context))
                .contains(KeyValue.of("account", "acct"));
    }
}
