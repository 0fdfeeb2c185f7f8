package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each client reads what the other wrote. */
@DisplayName("MAP-2: azure-data-tables and Stowline read each other")
class TwoWayIT extends StorageTest {

    enum Level {
        LOW,
        HIGH
    }

    @SuppressWarnings("ArrayRecordComponent") // compared field by field here
    record Everything(
            @PartitionKey String partition,
            @RowKey String row,
            String text,
            boolean truth,
            int small,
            long large,
            double real,
            Instant at,
            OffsetDateTime offset,
            UUID id,
            byte[] bytes,
            Level level,
            Duration duration,
            Optional<Long> perhaps,
            Integer absent) {}

    private static final Instant AT = Instant.parse("2026-11-21T03:48:35.3031181Z");
    private static final UUID ID = UUID.fromString("5f1f2a8e-3f5a-4d6c-9a1b-000102030405");

    private Table<Everything> records;
    private Table<Entity> entities;
    private TableClient sdk;

    @BeforeEach
    void open() {
        records = freshTable(Everything.class);
        entities = storage.table(records.name());
        sdk = new TableClientBuilder()
                .connectionString(connectionString())
                .tableName(records.name())
                .httpClient(new NettyAsyncHttpClientBuilder().build())
                .buildClient();
    }

    private static Everything everything(String row) {
        return new Everything(
                "p",
                row,
                "Zoë \"quoted\" \\ 日本 😀\n",
                true,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                5.0,
                AT,
                AT.atOffset(ZoneOffset.UTC),
                ID,
                new byte[] {0, 1, -1},
                Level.HIGH,
                Duration.ofMinutes(90),
                Optional.of(7L),
                null);
    }

    private static void same(TableEntity read, Everything written) {
        assertThat(read.getProperty("text")).isEqualTo(written.text());
        assertThat(read.getProperty("truth")).isEqualTo(true);
        assertThat(read.getProperty("small")).isEqualTo(written.small());
        assertThat(read.getProperty("large")).isEqualTo(written.large());
        assertThat(read.getProperty("real")).isEqualTo(5.0);
        assertThat(((OffsetDateTime) read.getProperty("at")).toInstant()).isEqualTo(AT);
        assertThat(read.getProperty("id")).isEqualTo(ID);
        assertThat((byte[]) read.getProperty("bytes")).isEqualTo(written.bytes());
        assertThat(read.getProperty("level")).isEqualTo("HIGH");
        assertThat(read.getProperty("duration")).isEqualTo("PT1H30M");
        assertThat(read.getProperty("perhaps")).isEqualTo(7L);
        assertThat(read.getProperties()).doesNotContainKey("absent");
    }

    @Test
    void theSdkReadsWhatWeWrote() {
        records.insert(everything("alone"));
        try (var writer = records.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            writer.insert(everything("batch 1"));
            writer.insert(everything("batch 2"));
        }

        for (String row : List.of("alone", "batch 1", "batch 2")) {
            same(sdk.getEntity("p", row), everything(row));
        }
        assertThat(sdk.listEntities()).hasSize(3);
    }

    @Test
    void weReadWhatTheSdkWrote() {
        sdk.createEntity(sdkEntity("alone"));
        sdk.submitTransaction(List.of(
                new TableTransactionAction(TableTransactionActionType.CREATE, sdkEntity("batch 1")),
                new TableTransactionAction(TableTransactionActionType.UPSERT_MERGE, sdkEntity("batch 2"))));

        for (String row : List.of("alone", "batch 1", "batch 2")) {
            Everything read = records.find("p", row).orElseThrow().value();
            assertThat(read).usingRecursiveComparison().isEqualTo(everything(row));
        }
        assertThat(records.query().partition("p").list()).hasSize(3);
    }

    @Test
    void theTypesOfWhatTheSdkWroteAreKnown() {
        sdk.createEntity(sdkEntity("typed"));

        Entity read = entities.find("p", "typed").orElseThrow().value();

        assertThat(read.get("small")).isEqualTo(Integer.MIN_VALUE);
        assertThat(read.get("large")).isEqualTo(Long.MAX_VALUE);
        assertThat(read.get("at")).isEqualTo(AT);
        assertThat(read.get("id")).isEqualTo(ID);
        assertThat(read.get("bytes", byte[].class)).isEqualTo(new byte[] {0, 1, -1});
        assertThat(read.get("truth")).isEqualTo(true);
        assertThat(read.timestamp()).isNotNull();
    }

    @Test
    @DisplayName("MAP-2: a whole double that the SDK wrote without annotation, and NaN as text, are read as doubles")
    void readsWholeDoubles() {
        sdk.createEntity(new TableEntity("p", "whole").setProperties(Map.of("real", 5.0)));
        sdk.createEntity(new TableEntity("p", "nan").setProperties(Map.of("real", Double.NaN)));

        record Real(double real) {}
        assertThat(records.query().partition("p").as(Real.class).list())
                .containsExactly(new Real(Double.NaN), new Real(5.0));
    }

    private static TableEntity sdkEntity(String row) {
        Everything value = everything(row);
        TableEntity entity = new TableEntity("p", row);
        entity.addProperty("text", value.text());
        entity.addProperty("truth", value.truth());
        entity.addProperty("small", value.small());
        entity.addProperty("large", value.large());
        entity.addProperty("real", 5.0);
        entity.addProperty("at", value.offset());
        entity.addProperty("offset", value.offset());
        entity.addProperty("id", value.id());
        entity.addProperty("bytes", value.bytes());
        entity.addProperty("level", value.level());
        entity.addProperty("duration", "01:30:00");
        entity.addProperty("perhaps", 7L);
        return entity;
    }
}
