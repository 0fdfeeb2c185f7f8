package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entities of one table, in the order of their keys. Not thread-safe. */
final class MemoryTable {

    private final String name;
    private final ServiceTimes times;
    private final MemoryPolicies policies = new MemoryPolicies();
    private final TreeMap<RowAddress, Map<String, EdmProperty>> rows = new TreeMap<>();

    MemoryTable(String name, ServiceTimes times) {
        this.name = name;
        this.times = times;
    }

    MemoryPolicies policies() {
        return policies;
    }

    /** The keys of an entity. */
    record RowAddress(String partitionKey, String rowKey) implements Comparable<RowAddress> {

        private static final Comparator<RowAddress> ORDER =
                Comparator.comparing(RowAddress::partitionKey).thenComparing(RowAddress::rowKey);

        @Override
        public int compareTo(RowAddress other) {
            return ORDER.compare(this, other);
        }
    }

    String name() {
        return name;
    }

    void empty() {
        rows.clear();
    }

    /** Returns the entities from an address on. */
    NavigableMap<RowAddress, Map<String, EdmProperty>> from(@Nullable RowAddress first) {
        return first == null ? rows : rows.tailMap(first, true);
    }

    /** Returns the state that a failed batch restores. */
    Map<RowAddress, Map<String, EdmProperty>> copy() {
        return new TreeMap<>(rows);
    }

    void restore(Map<RowAddress, Map<String, EdmProperty>> copy) {
        rows.clear();
        rows.putAll(copy);
    }

    static String etag(Map<String, EdmProperty> row) {
        Instant changed = (Instant) Objects.requireNonNull(row.get("Timestamp")).value();
        return "W/\"datetime'" + URLEncoder.encode(ServiceTimes.sevenDigits(changed), StandardCharsets.UTF_8) + "'\"";
    }

    StubResponse insert(StorageRequest request) {
        Map<String, EdmProperty> entity = EntityJson.read(request);
        RowAddress address = new RowAddress(key(entity, "PartitionKey"), key(entity, "RowKey"));
        if (rows.containsKey(address)) {
            throw new RefusedOperation(409, "EntityAlreadyExists", "The specified entity already exists.");
        }
        Map<String, EdmProperty> stored = store(address, entity);
        return "return-no-content".equals(request.header("Prefer"))
                ? StubResponse.of(204).header("ETag", etag(stored)).header("Preference-Applied", "return-no-content")
                : MemoryResponse.json(
                                201, EntityJson.write(stored, null, MemoryTables.annotated(request), etag(stored)))
                        .header("ETag", etag(stored));
    }

    private static String key(Map<String, EdmProperty> entity, String name) {
        EdmProperty key = entity.get(name);
        if (key == null) {
            throw new RefusedOperation(
                    400, "PropertiesNeedValue", "The values are not specified for all properties in the entity.");
        }
        return key.value().toString();
    }

    private Map<String, EdmProperty> store(RowAddress address, Map<String, EdmProperty> properties) {
        Map<String, EdmProperty> stored = new LinkedHashMap<>();
        stored.put("PartitionKey", EdmProperty.text(address.partitionKey()));
        stored.put("RowKey", EdmProperty.text(address.rowKey()));
        stored.put("Timestamp", EdmProperty.time(times.change()));
        properties.forEach(stored::putIfAbsent);
        rows.put(address, stored);
        return stored;
    }

    StubResponse respond(StorageRequest request, RowAddress address) {
        return switch (request.method()) {
            case "GET" -> find(request, address);
            case "PUT" -> change(request, address, false);
            case "PATCH", "MERGE" -> change(request, address, true);
            case "DELETE" -> delete(request, address);
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse find(StorageRequest request, RowAddress address) {
        Map<String, EdmProperty> row = there(address);
        if (etag(row).equals(request.header("If-None-Match"))) {
            return StubResponse.of(304).header("ETag", etag(row));
        }
        String json = EntityJson.write(row, MemoryTables.selected(request), MemoryTables.annotated(request), etag(row));
        return MemoryResponse.json(200, json).header("ETag", etag(row));
    }

    private Map<String, EdmProperty> there(RowAddress address) {
        Map<String, EdmProperty> row = rows.get(address);
        if (row == null) {
            throw new RefusedOperation(404, "ResourceNotFound", "The specified resource does not exist.");
        }
        return row;
    }

    private void check(Map<String, EdmProperty> row, String condition) {
        if (!condition.equals("*") && !condition.equals(etag(row))) {
            throw new RefusedOperation(
                    412,
                    "UpdateConditionNotSatisfied",
                    "The update condition specified in the request was not satisfied.");
        }
    }

    /** A missing entity is inserted if there is no condition. */
    private StubResponse change(StorageRequest request, RowAddress address, boolean merge) {
        String condition = request.header("If-Match");
        Map<String, EdmProperty> before = condition == null ? rows.get(address) : there(address);
        if (condition != null) {
            check(Objects.requireNonNull(before), condition);
        }
        Map<String, EdmProperty> next = new LinkedHashMap<>();
        if (merge && before != null) {
            next.putAll(before);
            next.remove("Timestamp");
        }
        Map<String, EdmProperty> given = EntityJson.read(request);
        given.remove("PartitionKey");
        given.remove("RowKey");
        given.remove("Timestamp");
        next.putAll(given);
        return StubResponse.of(204).header("ETag", etag(store(address, next)));
    }

    private StubResponse delete(StorageRequest request, RowAddress address) {
        String condition = request.header("If-Match");
        if (condition == null) {
            throw new RefusedOperation(400, "MissingRequiredHeader", "An HTTP header that is mandatory: If-Match");
        }
        check(there(address), condition);
        rows.remove(address);
        return StubResponse.of(204);
    }
}
