package io.stowline.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.stowline.error.StorageException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The default convention with the names of spans and the attributes of OpenTelemetry's semantic conventions 1.45. These attributes are keys of
 * many values, since all observations of one name share one set of the others: meters stay as they are.
 */
final class OpenTelemetryConvention implements StowlineObservationConvention {

    static final OpenTelemetryConvention INSTANCE = new OpenTelemetryConvention();

    private static final String DELIVER = "deliver";
    private static final Map<String, String> MESSAGING_TYPES = Map.of(
            "send", "send", DELIVER, "send", "receive", "receive", "peek", "receive", "handle", "process", "delete",
            "settle");

    private OpenTelemetryConvention() {}

    @Override
    public String getContextualName(StowlineObservationContext context) {
        OperationInfo operation = context.operation();
        String target = target(operation);
        return target == null ? verb(operation) : verb(operation) + ' ' + target;
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(StowlineObservationContext context) {
        List<KeyValue> keys = new ArrayList<>();
        OperationInfo operation = context.operation();
        switch (operation.service()) {
            case "queue" -> messaging(operation, keys);
            case "table" -> database(operation, context.end(), keys);
            default -> add(keys, "stowline.blob.container", target(operation));
        }
        keys.add(KeyValue.of("azure.resource_provider.namespace", "Microsoft.Storage"));
        add(keys, "azure.service.request.id", context.requestId());
        URI endpoint = operation.endpoint();
        if (endpoint != null) {
            add(keys, "server.address", endpoint.getHost());
            keys.add(KeyValue.of("server.port", Integer.toString(port(endpoint))));
        }
        Throwable error = error(context.end());
        add(keys, "error.type", error == null ? null : error.getClass().getName());
        return StowlineObservationConvention.super
                .getHighCardinalityKeyValues(context)
                .and(keys);
    }

    private static void messaging(OperationInfo operation, List<KeyValue> keys) {
        keys.add(KeyValue.of("messaging.system", "azure.storage.queue"));
        keys.add(KeyValue.of("messaging.operation.name", verb(operation)));
        add(keys, "messaging.operation.type", MESSAGING_TYPES.get(operation.name()));
        add(keys, "messaging.destination.name", target(operation));
        add(keys, "messaging.message.id", messageId(operation));
        int messages = operation.messages().size();
        add(keys, "messaging.batch.message_count", messages > 1 ? Integer.toString(messages) : null);
    }

    private static void database(OperationInfo operation, @Nullable OperationEnd end, List<KeyValue> keys) {
        keys.add(KeyValue.of("db.system.name", "azure.storage.table"));
        keys.add(KeyValue.of("db.namespace", operation.account()));
        keys.add(KeyValue.of("db.operation.name", verb(operation)));
        add(keys, "db.collection.name", target(operation));
        int status =
                error(end) instanceof StorageException failed ? failed.failure().status() : 0;
        add(keys, "db.response.status_code", status == 0 ? null : Integer.toString(status));
    }

    private static void add(List<KeyValue> keys, String key, @Nullable String value) {
        if (value != null) {
            keys.add(KeyValue.of(key, value));
        }
    }

    /** The handling of messages is a {@code process} in these conventions. */
    private static String verb(OperationInfo operation) {
        return operation.isHandling() ? "process" : operation.name();
    }

    /** A delivery from an outbox has a table as its resource, and may concern several queues. */
    private static @Nullable String target(OperationInfo operation) {
        return operation.name().equals(DELIVER) ? null : operation.container();
    }

    private static @Nullable String messageId(OperationInfo operation) {
        if (operation.messages().size() == 1) {
            return operation.messages().get(0).id();
        }
        String resource = operation.resource();
        boolean one = operation.name().equals("delete") || operation.name().equals("update");
        return one && resource.endsWith(")")
                ? resource.substring(resource.indexOf('(') + 1, resource.length() - 1)
                : null;
    }

    private static @Nullable Throwable error(@Nullable OperationEnd end) {
        return end == null ? null : end.error();
    }

    private static int port(URI endpoint) {
        if (endpoint.getPort() >= 0) {
            return endpoint.getPort();
        }
        return "http".equals(endpoint.getScheme()) ? 80 : 443;
    }
}
