package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import io.stowline.error.PreconditionFailedException;
import io.stowline.projection.Converter;
import io.stowline.projection.Default;
import io.stowline.projection.ETag;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.UnreadableEntityException;
import io.stowline.testkit.SentRequest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MappingIT extends StorageTest {

    record Address(String city, int number) {}

    record Order(
            @PartitionKey String customer,
            @RowKey String id,
            @Nested Address address,
            @Nested Optional<Address> billing,
            BigDecimal exact,
            BigInteger big,
            LocalDate day,
            @Default("18") int age,
            long amount) {}

    record DayOnly(@RowKey String id, LocalDate day) {}

    record Versioned(
            @PartitionKey String customer,
            @RowKey String id,
            @ETag String version,
            @Timestamp Instant changed,
            int count) {}

    record Open(
            @PartitionKey String customer,
            @RowKey String id,
            int count,
            @PropertyBag Map<String, Object> others) {}

    private static final Converter<LocalDate, Long> DAYS =
            Converter.of(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay);

    private Table<Order> orders(String name) {
        return storage.table(name, Order.class, m -> m.convert(LocalDate.class, DAYS));
    }

    private static Order order(String id) {
        return new Order(
                "c",
                id,
                new Address("Oslo", 3),
                Optional.empty(),
                new BigDecimal("12.50"),
                BigInteger.TWO.pow(200),
                LocalDate.of(2024, 2, 29),
                41,
                Long.MAX_VALUE);
    }

    private static List<String> accepted() {
        return proxy().recorded(requests().method("GET")).stream()
                .map(exchange -> exchange.request())
                .map(MappingIT::level)
                .toList();
    }

    private static String level(SentRequest request) {
        return String.valueOf(request.header("Accept")).replaceAll(".*odata=", "");
    }

    @Test
    @DisplayName("MAP-2: nested, exact and converted values are stored by their rules and come back as they were")
    void bringsEveryKindOfComponentBack() {
        Table<Entity> raw = freshTable();
        Table<Order> orders = orders(raw.name());
        orders.insert(order("1"));

        assertThat(raw.find("c", "1").orElseThrow().value().properties())
                .isEqualTo(Map.of(
                        "address_city",
                        "Oslo",
                        "address_number",
                        3,
                        "exact",
                        "12.50",
                        "big",
                        BigInteger.TWO.pow(200).toString(),
                        "day",
                        19_782L,
                        "age",
                        41,
                        "amount",
                        Long.MAX_VALUE));
        assertThat(orders.find("c", "1")).map(StoredEntity::value).contains(order("1"));
        assertThat(orders.query().list()).containsExactly(order("1"));
        assertThat(orders.query().as(DayOnly.class).list())
                .containsExactly(new DayOnly("1", LocalDate.of(2024, 2, 29)));
    }

    @Test
    @DisplayName("MAP-2: an older entity is refused by the missing property, or read with zero if the mapping says so")
    void readsOlderEntities() {
        Table<Entity> raw = freshTable();
        raw.insert(Entity.builder("c", "1").set("exact", 1.5).set("big", 7).build());

        assertThatExceptionOfType(UnreadableEntityException.class)
                .isThrownBy(() -> orders(raw.name()).find("c", "1"))
                .withMessageStartingWith("the entity (c, 1) of table " + raw.name() + " cannot be read: ")
                .withMessageContaining("property amount is missing")
                .withCauseInstanceOf(PropertyConversionException.class);
        List<String> skipped = new ArrayList<>();
        assertThat(orders(raw.name())
                        .query()
                        .skipUnreadable(
                                e -> skipped.add(e.rowKey() + " " + e.property().orElse("")))
                        .list())
                .isEmpty();
        assertThat(skipped).containsExactly("1 amount");
        Table<Order> lenient = storage.table(
                raw.name(), Order.class, m -> m.convert(LocalDate.class, DAYS).zeroForMissing());
        assertThat(lenient.find("c", "1"))
                .map(StoredEntity::value)
                .contains(new Order(
                        "c", "1", null, Optional.empty(), new BigDecimal("1.5"), BigInteger.valueOf(7), null, 18, 0));
    }

    @Test
    @DisplayName("MAP-1: an ETag component serves in a later update, from a point read and from a query")
    void etagComponentsAreUsable() {
        Table<Versioned> table = freshTable(Versioned.class);
        String first =
                table.insert(new Versioned("c", "1", "not sent", null, 1)).etag();
        proxy().clear();

        Versioned found = table.find("c", "1").orElseThrow().value();
        Versioned listed = table.query().list().get(0);

        assertThat(accepted()).containsExactly("nometadata", "fullmetadata");
        assertThat(found.version()).isEqualTo(first);
        assertThat(listed).isEqualTo(found);
        assertThat(found.changed()).isNotNull();
        String second = table.replace(StoredEntity.of(new Versioned("c", "1", null, null, 2), listed.version()))
                .etag();
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> table.replace(StoredEntity.of(found, found.version())));
        assertThat(table.query().list()).extracting(Versioned::version).containsExactly(second);
    }

    @Test
    @DisplayName("MAP-2: what another client wrote and no component takes is kept by type when it is written back")
    void keepsWhatAnotherClientWrote() {
        Table<Open> table = freshTable(Open.class);
        TableClient sdk = new TableClientBuilder()
                .connectionString(connectionString())
                .tableName(table.name())
                .buildClient();
        UUID id = new UUID(1, 2);
        sdk.createEntity(new TableEntity("c", "1")
                .addProperty("count", 1)
                .addProperty("Big", 5L)
                .addProperty("Half", 5.5)
                .addProperty("Small", 5)
                .addProperty("Id", id)
                .addProperty("When", OffsetDateTime.parse("2024-02-29T12:00:00.1234567Z"))
                .addProperty("Photo", new byte[] {1, 2})
                .addProperty("Flag", true)
                .addProperty("Text", "æ𝄞"));
        proxy().clear();

        StoredEntity<Open> found = table.find("c", "1").orElseThrow();

        assertThat(accepted()).containsExactly("minimalmetadata");
        Open open = found.value();
        assertThat(open.others())
                .containsEntry("Big", 5L)
                .containsEntry("Half", 5.5)
                .containsEntry("Small", 5)
                .containsEntry("Id", id)
                .containsEntry("When", Instant.parse("2024-02-29T12:00:00.1234567Z"))
                .containsEntry("Photo", new byte[] {1, 2})
                .containsEntry("Flag", true)
                .containsEntry("Text", "æ𝄞")
                .hasSize(8);

        table.replace(found.with(new Open("c", "1", 2, open.others())));
        TableEntity after = sdk.getEntity("c", "1");
        assertThat(after.getProperty("count")).isEqualTo(2);
        assertThat(after.getProperty("Big")).isEqualTo(5L);
        assertThat(after.getProperty("Half")).isEqualTo(5.5);
        assertThat(after.getProperty("Id")).isEqualTo(id);
        assertThat(after.getProperty("When")).isEqualTo(OffsetDateTime.parse("2024-02-29T12:00:00.1234567Z"));
        assertThat(table.query().list())
                .singleElement()
                .satisfies(listed -> assertThat(listed.others()).hasSize(8).containsEntry("Half", 5.5));
    }

    private record Race(@PartitionKey String city, @RowKey String id, LocalDate day, Optional<LocalDate> moved) {}

    @Test
    @DisplayName("MAP-1: dates are text that filters compare as dates")
    void dates() {
        Table<Race> races = freshTable(Race.class);
        Race spring = new Race("NYC", "1", LocalDate.of(2026, 3, 15), Optional.empty());
        Race autumn = new Race("NYC", "2", LocalDate.of(2026, 11, 1), Optional.of(LocalDate.of(2026, 11, 8)));
        races.insert(spring);
        races.insert(autumn);

        assertThat(races.query()
                        .partition("NYC")
                        .where(races.property("day").atLeast(LocalDate.of(2026, 4, 1)))
                        .list())
                .containsExactly(autumn);
        assertThat(races.find("NYC", "1").orElseThrow().value()).isEqualTo(spring);
    }
}
