package io.stowline.testkit.memory;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The table service of the memory account. Not thread-safe. */
final class MemoryTables {

    private static final Pattern KEYS =
            Pattern.compile("(\\w+)\\(PartitionKey='((?:[^']|'')*)',\\s*RowKey='((?:[^']|'')*)'\\)");
    private static final Pattern NAMED = Pattern.compile("Tables\\('(\\w+)'\\)");
    private static final Pattern WHOLE = Pattern.compile("(\\w+)(?:\\(\\))?");
    private static final int PAGE = 1_000;

    private final ServiceTimes times;
    private final Map<String, MemoryTable> tables = new TreeMap<>();

    MemoryTables(ServiceTimes times) {
        this.times = times;
    }

    void clear() {
        tables.clear();
    }

    MemoryResponse respond(MemoryRequest request) {
        String path = request.path().isEmpty() ? "" : request.path().substring(1);
        if (path.equals("$batch")) {
            return new TableBatch(this).response(request);
        }
        if (path.equals("Tables")) {
            return switch (request.method()) {
                case "POST" -> create(request);
                case "GET" -> list(request);
                default -> throw request.unknown();
            };
        }
        Matcher named = NAMED.matcher(path);
        if (named.matches()) {
            return named(request, named.group(1));
        }
        Matcher keys = KEYS.matcher(path);
        if (keys.matches()) {
            return table(keys.group(1))
                    .respond(request, new RowAddress(unquoted(keys.group(2)), unquoted(keys.group(3))));
        }
        Matcher whole = WHOLE.matcher(path);
        if (whole.matches() && request.query().get("comp") == null) {
            MemoryTable table = table(whole.group(1));
            return switch (request.method()) {
                case "POST" -> table.insert(request);
                case "GET" -> query(request, table);
                default -> throw request.unknown();
            };
        }
        throw request.unknown();
    }

    private static String unquoted(String key) {
        return key.replace("''", "'");
    }

    MemoryTable table(String name) {
        MemoryTable table = tables.get(name.toLowerCase(Locale.ROOT));
        if (table == null) {
            throw new RefusedOperation(404, "TableNotFound", "The table specified does not exist.");
        }
        return table;
    }

    private MemoryResponse create(MemoryRequest request) {
        EdmProperty given = EntityJson.read(request.body()).get("TableName");
        if (given == null) {
            throw new RefusedOperation(400, "InvalidInput", "TableName is missing.");
        }
        String name = given.value().toString();
        if (tables.putIfAbsent(name.toLowerCase(Locale.ROOT), new MemoryTable(name, times)) != null) {
            throw new RefusedOperation(409, "TableAlreadyExists", "The table specified already exists.");
        }
        return "return-no-content".equals(request.header("Prefer"))
                ? new MemoryResponse(204).header("Preference-Applied", "return-no-content")
                : json(201, "{\"TableName\":" + EntityJson.quoted(name) + "}");
    }

    private MemoryResponse named(MemoryRequest request, String name) {
        boolean there = tables.containsKey(name.toLowerCase(Locale.ROOT));
        if (!there) {
            throw new RefusedOperation(404, "ResourceNotFound", "The specified resource does not exist.");
        }
        return switch (request.method()) {
            case "DELETE" -> {
                tables.remove(name.toLowerCase(Locale.ROOT));
                yield new MemoryResponse(204);
            }
            case "GET" ->
                json(200, "{\"TableName\":" + EntityJson.quoted(table(name).name()) + "}");
            default -> throw request.unknown();
        };
    }

    private MemoryResponse list(MemoryRequest request) {
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
        return json(200, "{\"value\":[" + String.join(",", names) + "]}")
                .header("x-ms-continuation-NextTableName", next);
    }

    private static Predicate<Map<String, EdmProperty>> filter(MemoryRequest request) {
        String filter = request.parameter("$filter");
        return filter == null || filter.isBlank() ? entity -> true : ODataFilter.parse(filter);
    }

    private static int top(MemoryRequest request) {
        int top = request.number("$top", PAGE);
        if (top < 1 || top > PAGE) {
            throw new RefusedOperation(400, "InvalidInput", "$top is 1 to 1000, not " + top + ".");
        }
        return top;
    }

    private static MemoryResponse query(MemoryRequest request, MemoryTable table) {
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
        MemoryResponse response = json(200, "{\"value\":[" + String.join(",", rows) + "]}");
        return next == null
                ? response
                : response.header("x-ms-continuation-NextPartitionKey", token(next.partitionKey()))
                        .header("x-ms-continuation-NextRowKey", token(next.rowKey()));
    }

    private static String token(String key) {
        return "1!" + Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable RowAddress from(MemoryRequest request) {
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
    static @Nullable Set<String> selected(MemoryRequest request) {
        String select = request.parameter("$select");
        return select == null || select.equals("*") ? null : Set.copyOf(Arrays.asList(select.split(",", -1)));
    }

    static boolean annotated(MemoryRequest request) {
        String accept = request.header("Accept");
        return accept == null || !accept.contains("odata=nometadata");
    }

    static MemoryResponse json(int status, String json) {
        return new MemoryResponse(status).body("application/json", json.getBytes(StandardCharsets.UTF_8));
    }
}
