package io.stowline.projection.internal.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.Converter;
import io.stowline.projection.ETag;
import io.stowline.projection.EntityType;
import io.stowline.projection.Mapping;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import io.stowline.projection.internal.edm.EdmType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PropertyDescriptorTest {

    private record Address(String city, @Property("zip") String postalCode) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Order(
            @PartitionKey String customer,
            @RowKey String id,
            @Timestamp Instant changed,
            @ETag String version,
            @Nested Address address,
            @Property("Age") int age,
            byte tiny,
            long big,
            float ratio,
            double exact,
            boolean flag,
            BigDecimal decimal,
            BigInteger integer,
            Optional<DayOfWeek> day,
            Duration span,
            OffsetDateTime time,
            UUID uuid,
            byte[] photo,
            LocalDate date,
            Address text) {}

    private static final Mapping MAPPING = Mapping.builder()
            .convert(LocalDate.class, Converter.of(Long.class, LocalDate::toEpochDay, LocalDate::ofEpochDay))
            .convert(Address.class, Converter.of(String.class, Address::city, city -> new Address(city, "")))
            .build();

    private final EntityType<Order> type = EntityType.of(Order.class, MAPPING);

    private Object stored(String component, Object value) {
        return type.property(component).stored(value);
    }

    @Test
    void isFoundByPathAndByName() {
        assertThat(type.property("address.postalCode"))
                .isSameAs(type.property("address_zip"))
                .hasToString("PropertyDescriptor[address_zip, Edm.String, address.postalCode]");
        assertThat(type.property("age")).isSameAs(type.property("Age"));
    }

    @Test
    void keysAndTimestampAreFoundByTheirComponents() {
        assertThat(type.property("customer").name()).isEqualTo("PartitionKey");
        assertThat(type.property("id")).isSameAs(type.property("RowKey"));
        assertThat(type.property("changed").type()).isEqualTo(EdmType.DATETIME);
        assertThat(type.property("customer").optional()).isFalse();
    }

    @Test
    @DisplayName("MAP-3: an unknown property is refused with the nearest names")
    void namesTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> type.property("address.citty"))
                .withMessageContaining(
                        Order.class.getName() + " has no property \"address.citty\"; near are address.city, ");
        assertThatIllegalArgumentException().isThrownBy(() -> type.property("version"));
        assertThatIllegalArgumentException().isThrownBy(() -> type.property("address"));
        assertThatIllegalArgumentException().isThrownBy(() -> type.property(""));
    }

    @Test
    @DisplayName("MAP-2: a value is stored as its component would be")
    void givesTheStoredForm() {
        UUID uuid = new UUID(1, 2);
        assertThat(stored("age", 41)).isEqualTo(41);
        assertThat(stored("tiny", (byte) 4)).isEqualTo(4);
        assertThat(stored("big", 5L)).isEqualTo(5L);
        assertThat(stored("ratio", 0.1f)).isEqualTo((double) 0.1f);
        assertThat(stored("decimal", new BigDecimal("1.10"))).isEqualTo("1.10");
        assertThat(stored("integer", BigInteger.TEN)).isEqualTo("10");
        assertThat(stored("day", DayOfWeek.SUNDAY)).isEqualTo("SUNDAY");
        assertThat(stored("span", Duration.ofHours(1))).isEqualTo("PT1H");
        assertThat(stored("time", OffsetDateTime.parse("2024-02-29T12:00:00+02:00")))
                .isEqualTo(Instant.parse("2024-02-29T10:00:00Z"));
        assertThat(stored("uuid", uuid)).isSameAs(uuid);
        assertThat(stored("date", LocalDate.EPOCH.plusDays(3))).isEqualTo(3L);
        assertThat(stored("text", new Address("Oslo", "x"))).isEqualTo("Oslo");
    }

    @Test
    @DisplayName("MAP-2: a whole number takes its property's type if nothing is lost")
    void widensWholeNumbers() {
        assertThat(stored("big", 5)).isEqualTo(5L);
        assertThat(stored("age", 5L)).isEqualTo(5);
        assertThat(stored("exact", 5)).isEqualTo(5.0);
        assertThat(stored("exact", 0.5f)).isEqualTo(0.5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored("age", 3_000_000_000L))
                .withMessage("property Age takes a java.lang.Integer, not the java.lang.Long \"3000000000\"");
        assertThatIllegalArgumentException().isThrownBy(() -> stored("tiny", 200));
        assertThatIllegalArgumentException().isThrownBy(() -> stored("exact", 5L));
        assertThatIllegalArgumentException().isThrownBy(() -> stored("ratio", 0.1));
        assertThatIllegalArgumentException().isThrownBy(() -> stored("date", 3L));
    }

    @Test
    void refusesAnotherClassNamingBoth() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored("address.city", 5))
                .withMessage("property address_city takes a java.lang.String, not the java.lang.Integer \"5\"");
    }

    @Test
    void isOrderedWhereTheStoredFormSortsLikeTheValues() {
        Set<String> unordered = type.properties().stream()
                .filter(property -> !property.ordered())
                .map(PropertyDescriptor::component)
                .collect(Collectors.toSet());

        assertThat(unordered)
                .containsExactlyInAnyOrder("flag", "decimal", "integer", "day", "span", "uuid", "date", "text");
        assertThat(type.property("id").ordered()).isTrue();
    }

    @Test
    void isMadeOncePerClassAndMapping() {
        Mapping other = Mapping.builder().build();

        assertThat(EntityType.of(Order.class, MAPPING)).isSameAs(type);
        assertThat(EntityType.of(Address.class, other)).isNotSameAs(EntityType.of(Address.class));
        assertThat(EntityType.of(Address.class, Mapping.standard())).isSameAs(EntityType.of(Address.class));
    }
}
