package io.stowline.benchmarks.side;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BestVariant;
import io.stowline.benchmarks.side.work.Cities;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Transfers of whole tables as one would write them by hand with azure-data-tables: one listing into a file with types, and transactions of a
 * hundred entities of a sorted file. Without checksums, without a state for a run that is killed, without rejected rows.
 */
final class SdkTables {

    private static final int BATCH = 100;
    private static final int BUFFER = 64 << 10;
    private static final String TYPE = "@odata.type";
    private static final JsonMapper JSON = new JsonMapper();

    private final TableServiceClientBuilder builder;
    private final TableAsyncClient written;
    private final int inFlight;
    private final TransferFiles files;

    SdkTables(Account account, int inFlight, TransferFiles files) {
        this.builder = new TableServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(account.credential())
                .httpClient(SdkSide.http());
        this.written = builder.buildAsyncClient().getTableClient(Account.WRITTEN);
        this.inFlight = inFlight;
        this.files = files;
    }

    /** Lists in a loop, or in a stream with a page ahead: the better of both. */
    Task exported(int rows) throws IOException {
        Path file = files.targets("sdk").resolve("exported.jsonl");
        TableServiceClient blocking = builder.buildClient();
        TableAsyncClient reactive = builder.buildAsyncClient().getTableClient(Cities.table(rows));
        return new BestVariant(
                new Repetition(() ->
                        export(file, blocking.getTableClient(Cities.table(rows)).listEntities())),
                new Repetition(() -> export(file, reactive.listEntities().toIterable())));
    }

    private static long export(Path file, Iterable<TableEntity> entities) throws IOException {
        long count = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER);
                JsonGenerator json = JSON.createGenerator(out)) {
            json.setRootValueSeparator(null);
            for (TableEntity entity : entities) {
                write(entity, json);
                json.writeRaw('\n');
                count++;
            }
        }
        return count;
    }

    private static void write(TableEntity entity, JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Object> property : entity.getProperties().entrySet()) {
            String name = property.getKey();
            Object value = property.getValue();
            if (name.startsWith("odata.")) {
                continue;
            }
            if (value instanceof Long number) {
                json.writeStringField(name + TYPE, "Edm.Int64");
                json.writeStringField(name, number.toString());
            } else if (value instanceof OffsetDateTime time) {
                json.writeStringField(name + TYPE, "Edm.DateTime");
                json.writeStringField(name, time.toString());
            } else if (value instanceof Double number) {
                json.writeNumberField(name, number);
            } else {
                json.writeStringField(name, value.toString());
            }
        }
        json.writeEndObject();
    }

    /** Reads groups of a sorted file, and has some transactions in flight. */
    Task imported(int rows) throws IOException {
        Path file = files.cities(rows);
        return new Repetition(() -> {
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                Groups groups = new Groups(lines);
                Long count = Flux.fromIterable(() -> groups)
                        .flatMap(group -> written.submitTransaction(group).thenReturn((long) group.size()), inFlight)
                        .reduce(0L, Long::sum)
                        .block();
                return count == null ? 0 : count;
            }
        });
    }

    /** The transactions of a sorted file. */
    private static final class Groups implements Iterator<List<TableTransactionAction>> {

        private final BufferedReader lines;
        private @Nullable TableEntity next;

        Groups(BufferedReader lines) throws IOException {
            this.lines = lines;
            this.next = read();
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public List<TableTransactionAction> next() {
            try {
                String partition = Objects.requireNonNull(next, "next").getPartitionKey();
                List<TableTransactionAction> group = new ArrayList<>(BATCH);
                while (next != null
                        && group.size() < BATCH
                        && next.getPartitionKey().equals(partition)) {
                    group.add(new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, next));
                    next = read();
                }
                return group;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private @Nullable TableEntity read() throws IOException {
            String line = lines.readLine();
            return line == null ? null : entity(JSON.readTree(line));
        }

        private static TableEntity entity(JsonNode row) {
            TableEntity entity = new TableEntity(
                    row.get("PartitionKey").textValue(), row.get("RowKey").textValue());
            for (Map.Entry<String, JsonNode> property : row.properties()) {
                String name = property.getKey();
                JsonNode value = property.getValue();
                if (name.endsWith(TYPE)
                        || name.equals("Timestamp")
                        || name.equals("PartitionKey")
                        || name.equals("RowKey")) {
                    continue;
                }
                entity.addProperty(name, value(value, row.get(name + TYPE)));
            }
            return entity;
        }

        private static Object value(JsonNode value, @Nullable JsonNode type) {
            if (value.isNumber()) {
                return value.doubleValue();
            }
            String text = value.textValue();
            return switch (type == null ? "" : type.textValue()) {
                case "Edm.Int64" -> (Object) Long.valueOf(text);
                case "Edm.DateTime" -> OffsetDateTime.parse(text);
                default -> text;
            };
        }
    }
}
