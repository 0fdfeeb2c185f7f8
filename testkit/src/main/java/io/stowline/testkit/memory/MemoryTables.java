package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.TableAddress;
import io.stowline.testkit.memory.MemoryTable.RowAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table service of the memory account. Not thread-safe. */
final class MemoryTables {

    private static final int PAGE = 1_000;

    private final ServiceTimes times;
    private final Map<String, MemoryTable> tables = new TreeMap<>();

    MemoryTables(ServiceTimes times) {
        this.times = times;
    }

    void clear() {
        tables.clear();
    }

    /** Removes all entities. */
    void empty() {
        tables.values().forEach(MemoryTable::empty);
    }

    StubResponse respond(StorageRequest request) {
        TableAddress address = request.address();
        if (address.isBatch()) {
            return new TableBatch(this).response(request);
        }
        if (address.isTables()) {
            return address.listed().map(name -> named(request, name)).orElseGet(() -> tables(request));
        }
        String partitionKey = address.partitionKey();
        String rowKey = address.rowKey();
        if (partitionKey != null && rowKey != null) {
            return table(address.table()).respond(request, new RowAddress(partitionKey, rowKey));
        }
        if (address.isQuery() && MemoryPolicies.isMeantBy(request)) {
            return table(address.table()).policies().respond(request);
        }
        if (!address.isQuery() || request.parameter("comp") != null) {
            throw RefusedOperation.unknown(request);
        }
        MemoryTable table = table(address.table());
        return switch (request.method()) {
            case "POST" -> table.insert(request);
            case "GET" -> query(request, table);
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse tables(StorageRequest request) {
        return switch (request.method()) {
            case "POST" -> create(request);
            case "GET" -> list(request);
            default -> throw RefusedOperation.unknown(request);
        };
    }

    MemoryTable table(String name) {
        MemoryTable table = tables.get(name.toLowerCase(Locale.ROOT));
        if (table == null) {
            throw new RefusedOperation(404, "TableNotFound", "The table specified does not exist.");
        }
        return table;
    }

    private StubResponse create(StorageRequest request) {
        String name = request.entity()
                .flatMap(body -> body.text("TableName"))
                .orElseThrow(() -> new RefusedOperation(400, "InvalidInput", "TableName is missing."));
        if (tables.putIfAbsent(name.toLowerCase(Locale.ROOT), new MemoryTable(name, times)) != null) {
            throw new RefusedOperation(409, "TableAlreadyExists", "The table specified already exists.");
        }
        return "return-no-content".equals(request.header("Prefer"))
                ? StubResponse.of(204).header("Preference-Applied", "return-no-content")
                : MemoryResponse.json(201, "{\"TableName\":" + EntityJson.quoted(name) + "}");
    }

    private StubResponse named(StorageRequest request, String name) {
        boolean there = tables.containsKey(name.toLowerCase(Locale.ROOT));
        if (!there) {
            throw new RefusedOperation(404, "ResourceNotFound", "The specified resource does not exist.");
        }
        return switch (request.method()) {
            case "DELETE" -> {
                tables.remove(name.toLowerCase(Locale.ROOT));
                yield StubResponse.of(204);
            }
            case "GET" ->
                MemoryResponse.json(
                        200, "{\"TableName\":" + EntityJson.quoted(table(name).name()) + "}");
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse list(StorageRequest request) {
        String from = request.parameter("NextTableName");
        Predicate<Map<String, EdmProperty>> filter = filter(request);
        List<String> names = new ArrayList<>();
        String next = null;
        int max = top(request);
        for (MemoryTable table : tables.values()) {
            boolean wanted = from == null || table.name().compareToIgnoreCase(from) >= 0;
            if (wanted && filter.test(Map.of("TableName", EdmProperty.text(table.name())))) {
                if (names.size() == max) {
                    next = table.name();
                    break;
                }
                names.add("{\"TableName\":" + EntityJson.quoted(table.name()) + "}");
            }
        }
        StubResponse page = MemoryResponse.json(200, "{\"value\":[" + String.join(",", names) + "]}");
        return next == null ? page : page.header("x-ms-continuation-NextTableName", next);
    }

    private static Predicate<Map<String, EdmProperty>> filter(StorageRequest request) {
        String filter = request.parameter("$filter");
        return filter == null || filter.isBlank() ? entity -> true : ODataFilter.parse(filter);
    }

    private static int top(StorageRequest request) {
        int top = MemoryStorage.number(request, "$top", PAGE);
        if (top < 1 || top > PAGE) {
            throw new RefusedOperation(400, "InvalidInput", "$top is 1 to 1000, not " + top + ".");
        }
        return top;
    }

    private static StubResponse query(StorageRequest request, MemoryTable table) {
        Predicate<Map<String, EdmProperty>> filter = filter(request);
        int max = top(request);
        Set<String> names = selected(request);
        List<String> rows = new ArrayList<>();
        Iterator<Map.Entry<RowAddress, Map<String, EdmProperty>>> all =
                table.from(from(request)).entrySet().iterator();
        RowAddress next = null;
        while (all.hasNext() && next == null) {
            Map.Entry<RowAddress, Map<String, EdmProperty>> row = all.next();
            if (!filter.test(row.getValue())) {
                continue;
            }
            if (rows.size() == max) {
                next = row.getKey();
            } else {
                rows.add(EntityJson.write(row.getValue(), names, annotated(request), MemoryTable.etag(row.getValue())));
            }
        }
        StubResponse page = MemoryResponse.json(200, "{\"value\":[" + String.join(",", rows) + "]}");
        return next == null
                ? page
                : page.header("x-ms-continuation-NextPartitionKey", token(next.partitionKey()))
                        .header("x-ms-continuation-NextRowKey", token(next.rowKey()));
    }

    private static String token(String key) {
        return "1!" + Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable RowAddress from(StorageRequest request) {
        String partition = request.parameter("NextPartitionKey");
        String row = request.parameter("NextRowKey");
        return partition == null ? null : new RowAddress(key(partition), row == null ? "" : key(row));
    }

    private static String key(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token.substring(2)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new RefusedOperation(400, "InvalidInput", "The continuation token " + token + " is not valid.");
        }
    }

    /** Returns the properties that a query names, or {@code null} for all. */
    static @Nullable Set<String> selected(StorageRequest request) {
        String select = request.parameter("$select");
        return select == null || select.equals("*") ? null : Set.copyOf(Arrays.asList(select.split(",", -1)));
    }

    static boolean annotated(StorageRequest request) {
        String accept = request.header("Accept");
        return accept == null || !accept.contains("odata=nometadata");
    }
}
