package io.stowline.system.recordings;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.Stowline;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.service.ServiceType;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verbs of tables that can meet the recorded responses of the table service. */
final class TableReplays {

    private static final Pattern ENTITY =
            Pattern.compile("/+([^/(]+)\\(PartitionKey='((?:[^']|'')*)',\\s*RowKey='((?:[^']|'')*)'\\)");
    private static final Pattern TABLE = Pattern.compile("/+Tables\\('([^']+)'\\)");
    private static final Pattern ROWS = Pattern.compile("/+([^/($]+)(\\(\\))?");
    private static final Pattern PART =
            Pattern.compile("HTTP/1\\.1 (\\d{3})[^\r\n]*\r?\n(.*?)\r?\n\r?\n", Pattern.DOTALL);
    private static final Pattern ETAG = Pattern.compile("(?im)^ETag: ([^\\r\\n]*)");
    private static final Pattern REFUSED_INDEX = Pattern.compile("\"value\"\\s*:\\s*\"(\\d+):");
    private static final CannedResponse NO_ROWS =
            CannedResponse.of(200, "{\"value\":[]}").with("Content-Type", "application/json;odata=minimalmetadata");
    private static final String MARK = WriteMarkers.PROPERTY;

    private TableReplays() {}

    static ReplayPlan of(ServiceRecording recording) {
        String path = recording.target().decodedPath();
        if (recording.target().has("restype")) {
            return ServiceReplays.of(recording, ServiceType.TABLE);
        }
        if ("acl".equals(recording.target().parameter("comp"))) {
            String name = path.replaceFirst("^/+", "");
            return PolicyReplays.of(recording, storage -> storage.table(name).policies());
        }
        if (recording.target().has("comp")) {
            return ReplayPlan.refused(
                    "tables: no verb for " + recording.target().parameter("comp") + " of the service or a table");
        }
        if (path.matches("/+Tables")) {
            return recording.method().equals("POST") ? creation(recording) : listing(recording);
        }
        Matcher table = TABLE.matcher(path);
        if (table.matches()) {
            return recording.method().equals("DELETE")
                    ? deletion(recording, table.group(1))
                    : existence(recording, table.group(1));
        }
        if (path.matches("/+\\$batch")) {
            return batch(recording);
        }
        Matcher entity = ENTITY.matcher(path);
        if (entity.matches()) {
            return entity(recording, entity.group(1), key(entity.group(2)), key(entity.group(3)));
        }
        Matcher rows = ROWS.matcher(path);
        if (rows.matches()) {
            return recording.method().equals("POST")
                    ? insertion(recording, rows.group(1))
                    : query(recording, rows.group(1));
        }
        return ReplayPlan.refused("tables: no verb for " + recording.method() + " " + path);
    }

    private static String key(String quoted) {
        return quoted.replace("''", "'");
    }

    /** A verb of one table without a result. */
    private static Replay bare(ServiceRecording recording, String verb, String table, Consumer<Table<Entity>> call) {
        return Replay.of(
                recording,
                "Table." + verb,
                storage -> {
                    call.accept(storage.table(table));
                    return null;
                },
                recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING);
    }

    private static Replay valued(
            ServiceRecording recording, String verb, String table, Function<Table<Entity>, ?> call, Object expected) {
        return Replay.of(
                recording, "Table." + verb, storage -> call.apply(storage.table(table)), VerbOutcome.of(expected));
    }

    private static ReplayPlan creation(ServiceRecording recording) {
        JsonNode name = recording.requestBody().length == 0
                ? null
                : EntityOracle.json(recording.requestBody()).get("TableName");
        String table = name == null || !name.asText().matches("[A-Za-z][A-Za-z0-9]{2,62}") ? "table1" : name.asText();
        ReplayPlan plan = ReplayPlan.of(bare(recording, "create", table, Table::create));
        if (!recording.isError()) {
            return plan.and(valued(recording, "createIfMissing", table, Table::createIfMissing, true));
        }
        boolean there = recording.response().text().contains("TableAlreadyExists");
        return there
                ? plan.and(valued(recording, "createIfMissing", table, Table::createIfMissing, false))
                : plan.and(bare(recording, "createIfMissing", table, Table::createIfMissing));
    }

    private static ReplayPlan deletion(ServiceRecording recording, String table) {
        ReplayPlan plan =
                ReplayPlan.of(bare(recording, "drop", table, Table::drop).sending(0, recording));
        return recording.status() == 204 || recording.status() == 404
                ? plan.and(valued(recording, "dropIfExists", table, Table::dropIfExists, recording.status() == 204))
                : plan;
    }

    private static ReplayPlan existence(ServiceRecording recording, String table) {
        return ReplayPlan.of(valued(recording, "exists", table, Table::exists, recording.status() == 200)
                .sending(0, recording));
    }

    private static ReplayPlan listing(ServiceRecording recording) {
        List<String> names = new ArrayList<>();
        for (JsonNode row : EntityOracle.json(recording.response().body()).get("value")) {
            names.add(row.get("TableName").asText());
        }
        Replay replay = Replay.of(recording, "listTables", Stowline::listTables, VerbOutcome.of(names));
        String next = recording.response().headers().value("x-ms-continuation-NextTableName");
        return ReplayPlan.of(next == null ? replay : replay.before(NO_ROWS).requesting(1, "NextTableName", next));
    }

    private static ReplayPlan entity(ServiceRecording recording, String table, String partitionKey, String rowKey) {
        return switch (recording.method()) {
            case "GET" -> find(recording, table, partitionKey, rowKey);
            case "DELETE" -> removal(recording, table, partitionKey, rowKey);
            case "PUT", "MERGE" -> change(recording, table, partitionKey, rowKey);
            default -> ReplayPlan.refused("tables: no verb for " + recording.method() + " of an entity");
        };
    }

    private static ReplayPlan find(ServiceRecording recording, String table, String partitionKey, String rowKey) {
        if (recording.target().has("$select")) {
            return ReplayPlan.refused("tables: no verb selects properties in a point read of an Entity");
        }
        if (recording.status() == 404) {
            String code = recording.response().text();
            return code.contains("ResourceNotFound")
                    ? ReplayPlan.of(valued(
                            recording,
                            "find",
                            table,
                            t -> t.find(partitionKey, rowKey).isPresent(),
                            false))
                    : ReplayPlan.of(bare(recording, "find", table, t -> t.find(partitionKey, rowKey)));
        }
        Map<String, Object> expected = EntityOracle.row(
                EntityOracle.json(recording.response().body()),
                recording.response().headers().value("ETag"));
        return TypedRow.find(recording, table, partitionKey, rowKey)
                .and(
                        valued(
                                        recording,
                                        "find",
                                        table,
                                        t -> EntityOracle.plain(
                                                t.find(partitionKey, rowKey).orElseThrow()),
                                        expected)
                                .sending(0, recording),
                        valued(
                                recording,
                                "findAll",
                                table,
                                t -> t.findAll(List.of(new EntityKey(partitionKey, rowKey))).stream()
                                        .map(EntityOracle::plain)
                                        .toList(),
                                List.of(expected)));
    }

    private static ReplayPlan removal(ServiceRecording recording, String table, String partitionKey, String rowKey) {
        String etag = recording.request().value("If-Match", recording.status() == 412 ? "W/\"datetime'x'\"" : "*");
        Entity entity = Entity.builder(partitionKey, rowKey).build();
        Replay delete = etag.equals("*")
                ? bare(recording, "delete", table, t -> t.delete(partitionKey, rowKey))
                : bare(recording, "delete(etag)", table, t -> t.delete(StoredEntity.of(entity, etag)));
        ReplayPlan plan = ReplayPlan.of(delete.sending(0, recording));
        boolean missing = recording.response().text().contains("ResourceNotFound");
        return etag.equals("*") && (missing || !recording.isError())
                ? plan.and(valued(
                        recording, "deleteIfExists", table, t -> t.deleteIfExists(partitionKey, rowKey), !missing))
                : plan;
    }

    private static ReplayPlan change(ServiceRecording recording, String table, String partitionKey, String rowKey) {
        boolean merge = recording.method().equals("MERGE");
        String etag = recording.request().value("If-Match", recording.status() == 412 ? "W/\"datetime'x'\"" : "");
        JsonNode row = recording.requestBody().length == 0 ? null : EntityOracle.json(recording.requestBody());
        Entity entity = row == null
                ? Entity.builder(partitionKey, rowKey).set("n", 1).build()
                : EntityOracle.entity(EntityOracle.properties(row), row);
        StoredEntity<Entity> stored = etag.equals("*")
                ? StoredEntity.anyVersion(entity)
                : StoredEntity.of(entity, etag.isEmpty() ? "W/" : etag);
        Replay replay;
        if (etag.isEmpty()) {
            replay = merge
                    ? written(recording, "insertOrMerge", table, t -> t.insertOrMerge(entity))
                    : written(recording, "insertOrReplace", table, t -> t.insertOrReplace(entity));
        } else {
            replay = merge
                    ? written(recording, "merge", table, t -> t.merge(stored))
                    : written(recording, "replace", table, t -> t.replace(stored));
        }
        return ReplayPlan.of(sameBody(replay.sending(0, recording), row));
    }

    /** A write whose result has the recorded ETag. */
    private static Replay written(
            ServiceRecording recording, String verb, String table, Function<Table<Entity>, WriteResult> call) {
        VerbOutcome expected = recording.isError()
                ? VerbOutcome.refusal(recording)
                : VerbOutcome.of(WriteResult.confirmed(recording.header("ETag"), false));
        return Replay.of(recording, "Table." + verb, storage -> call.apply(storage.table(table)), expected);
    }

    /** The library sends the recorded properties with their types. */
    private static Replay sameBody(Replay replay, @Nullable JsonNode recorded) {
        if (recorded == null) {
            return replay;
        }
        return replay.checking(requests -> {
            Map<String, Object> sent =
                    EntityOracle.properties(EntityOracle.json(requests.get(0).body()));
            sent.remove(MARK);
            Map<String, Object> expected = EntityOracle.properties(recorded);
            return sent.equals(expected) ? null : "sent " + sent + " where the recording has " + expected;
        });
    }

    private static ReplayPlan insertion(ServiceRecording recording, String table) {
        JsonNode row = recording.requestBody().length == 0 ? null : EntityOracle.json(recording.requestBody());
        Entity entity = row == null
                ? Entity.builder("p", "r").set("n", 1).build()
                : EntityOracle.entity(EntityOracle.properties(row), row);
        return ReplayPlan.of(sameBody(written(recording, "insert", table, t -> t.insert(entity)), row));
    }

    private static ReplayPlan query(ServiceRecording recording, String table) {
        List<Map<String, Object>> rows = EntityOracle.rows(recording.response().body());
        if (rows.stream()
                .anyMatch(row ->
                        !row.containsKey(EntityOracle.PARTITION_KEY) || !row.containsKey(EntityOracle.ROW_KEY))) {
            return ReplayPlan.refused("tables: a response without keys, which each query of ours selects");
        }
        ReplayPlan typed = TypedRow.list(recording, table);
        boolean bare = recording.response().headers().value("Content-Type", "").contains("odata=nometadata");
        // Without types in the JSON, only a Java type can have it read.
        return bare ? typed : untyped(recording, table, rows, typed.replays());
    }

    private static ReplayPlan untyped(
            ServiceRecording recording, String table, List<Map<String, Object>> rows, List<Replay> typed) {
        ReplayPlan plan = new ReplayPlan(typed, null);
        Replay stream = Replay.of(
                recording,
                "Query.streamStored",
                storage -> {
                    try (Stream<StoredEntity<Entity>> found =
                            storage.table(table).query().streamStored()) {
                        return found.map(EntityOracle::plain).toList();
                    }
                },
                VerbOutcome.of(rows));
        HeaderFields headers = recording.response().headers();
        String partition = headers.value("x-ms-continuation-NextPartitionKey");
        if (partition == null) {
            return plan.and(stream.requesting(0, "NextPartitionKey", null));
        }
        String row = headers.value("x-ms-continuation-NextRowKey");
        Replay pages = Replay.of(
                recording,
                "Query.page",
                storage -> {
                    Query<Entity> query = storage.table(table).query().pageSize(rows.size());
                    Query.Page<Entity> page = query.page();
                    Query.Page<Entity> next = query.page(page.nextToken().orElseThrow());
                    return List.of(
                            page.values().size(),
                            next.values().size(),
                            next.nextToken().isPresent());
                },
                VerbOutcome.of(List.of(rows.size(), 0, false)));
        return plan.and(following(stream, partition, row), following(pages, partition, row));
    }

    private static Replay following(Replay replay, String partition, @Nullable String row) {
        return replay.before(NO_ROWS)
                .requesting(1, "NextPartitionKey", partition)
                .requesting(1, "NextRowKey", row);
    }

    /** A transaction of as many operations as the response has parts, or of as many as its refusal needs. */
    private static ReplayPlan batch(ServiceRecording recording) {
        String body = recording.response().text();
        if (!body.contains("changesetresponse_")) {
            return ReplayPlan.refused("tables: no verb queries inside a batch");
        }
        List<String> etags = new ArrayList<>();
        Matcher part = PART.matcher(body + "\r\n\r\n");
        while (part.find()) {
            int status = Integer.parseInt(part.group(1));
            if (status >= 400) {
                return refusedBatch(recording, status, body);
            }
            Matcher etag = ETAG.matcher(part.group(2));
            etags.add(etag.find() ? etag.group(1) : "");
        }
        if (etags.size() < 2) {
            return ReplayPlan.refused(
                    "tables: a batch of one operation or none, which travels as a plain request or not at all");
        }
        List<WriteResult> expected =
                etags.stream().map(etag -> WriteResult.confirmed(etag, false)).toList();
        return ReplayPlan.of(Replay.of(
                recording,
                "Transaction.commit",
                storage -> transaction(storage, etags).commit(),
                VerbOutcome.of(expected)));
    }

    private static ReplayPlan refusedBatch(ServiceRecording recording, int status, String body) {
        Matcher index = REFUSED_INDEX.matcher(body);
        int refused = index.find() ? Integer.parseInt(index.group(1)) : -1;
        List<String> etags = new ArrayList<>();
        for (int i = 0; i <= Math.max(refused, 1); i++) {
            etags.add("etag");
        }
        VerbOutcome expected = VerbOutcome.refusal(
                status,
                recording.response(),
                Objects.requireNonNull(recording.response().headers().value(CannedResponse.REQUEST_ID)),
                refused);
        return ReplayPlan.of(Replay.of(
                recording,
                "Transaction.commit",
                storage -> transaction(storage, etags).commit(),
                expected));
    }

    private static Transaction<Entity> transaction(Stowline storage, List<String> etags) {
        Transaction<Entity> transaction = storage.table("table1").transaction("p");
        for (int i = 0; i < etags.size(); i++) {
            transaction = etags.get(i).isEmpty()
                    ? transaction.delete("r" + i)
                    : transaction.insert(
                            Entity.builder("p", "r" + i).set("n", i).build());
        }
        return transaction;
    }
}
