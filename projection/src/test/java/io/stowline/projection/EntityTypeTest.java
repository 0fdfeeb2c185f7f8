package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.scan.RecordedProperties;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.write.IgnoringWriter;
import io.stowline.projection.internal.write.PropertyWriter;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityTypeTest {

    private record Runner(
            @PartitionKey String race,
            String name,
            @Property("Age") int age,
            @Ignore Map<String, Object> cache,
            @RowKey String bib,
            Optional<DayOfWeek> start,
            @Timestamp Instant changed,
            Double pace) {}

    private record NameOnly(String name) {}

    private record RowOnly(@RowKey String row) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Times(
            Instant time, OffsetDateTime offset, Duration duration, UUID id, byte[] photo, float ratio, short small) {}

    private record Generic<T>(String text, @Ignore List<T> rest) {}

    record Shouting(String text) {
        @Override
        public String text() {
            return text + "!";
        }
    }

    record Failing(String text) {
        @Override
        public String text() {
            throw new IllegalStateException("accessor");
        }
    }

    private static final Runner RUNNER = new Runner(
            "2011 NYC", "Ann", 41, Map.of("k", 1), "0042", Optional.of(DayOfWeek.SUNDAY), Instant.EPOCH, null);

    private final EntityType<Runner> type = EntityType.of(Runner.class);

    @Test
    void isMadeOncePerClass() {
        assertThat(EntityType.of(Runner.class)).isSameAs(type);
        assertThat(type.javaType()).isSameAs(Runner.class);
        assertThat(type).hasToString("EntityType[" + Runner.class.getName() + "]");
    }

    @Test
    void listsThePropertiesInTheOrderOfTheComponents() {
        assertThat(type.properties())
                .extracting(
                        PropertyDescriptor::name,
                        PropertyDescriptor::type,
                        PropertyDescriptor::component,
                        PropertyDescriptor::optional)
                .containsExactly(
                        tuple("name", EdmType.STRING, "name", true),
                        tuple("Age", EdmType.INT32, "age", false),
                        tuple("start", EdmType.STRING, "start", true),
                        tuple("pace", EdmType.DOUBLE, "pace", true));
    }

    @Test
    void selectsWhatTheRecordHas() {
        assertThat(type.select())
                .containsExactly("PartitionKey", "RowKey", "Timestamp", "name", "Age", "start", "pace");
        assertThat(EntityType.of(NameOnly.class).select()).containsExactly("name");
        assertThat(EntityType.of(RowOnly.class).select()).containsExactly("RowKey");
    }

    @Test
    void findsAPropertyByItsExactName() {
        assertThat(type.indexOf("name")).isZero();
        assertThat(type.indexOf("Age")).isEqualTo(1);
        assertThat(type.indexOf("pace")).isEqualTo(3);
        assertThat(List.of("age", "cache", "PartitionKey", "bib", "Name", ""))
                .allMatch(name -> type.indexOf(name) == -1);
    }

    @Test
    void givesTheKeys() {
        assertThat(type.hasKeys()).isTrue();
        assertThat(type.hasTimestamp()).isTrue();
        assertThat(type.partitionKey(RUNNER)).isEqualTo("2011 NYC");
        assertThat(type.rowKey(RUNNER)).isEqualTo("0042");
    }

    @Test
    void hasNoKeysWithoutBothComponents() {
        EntityType<RowOnly> rowOnly = EntityType.of(RowOnly.class);

        assertThat(rowOnly.hasKeys()).isFalse();
        assertThat(rowOnly.hasTimestamp()).isFalse();
        assertThat(rowOnly.rowKey(new RowOnly("r"))).isEqualTo("r");
        assertThatIllegalStateException()
                .isThrownBy(() -> rowOnly.partitionKey(new RowOnly("r")))
                .withMessageContaining(RowOnly.class.getName())
                .withMessageContaining("@PartitionKey");
    }

    @Test
    @DisplayName("MAP-3: a null key is refused with its component")
    void refusesANullKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EntityType.of(RowOnly.class).rowKey(new RowOnly(null)))
                .withMessageContaining("row key")
                .withMessageContaining("component row of " + RowOnly.class.getName())
                .withMessageContaining("null");
    }

    @Test
    void writesEachPropertyOnce() {
        assertThat(RecordedProperties.named(RUNNER, Runner.class))
                .containsExactly(entry("name", "Ann"), entry("Age", 41), entry("start", "SUNDAY"));
    }

    @Test
    @DisplayName("MAP-2: null and empty are not written, so a merge leaves them unchanged")
    void leavesAbsentValuesOut() {
        Runner absent = new Runner("p", null, 0, null, "r", Optional.empty(), null, null);
        Optional<DayOfWeek> none = null;
        Runner nullOptional = new Runner("p", null, 0, null, "r", none, null, null);

        assertThat(RecordedProperties.named(absent, Runner.class)).containsExactly(entry("Age", 0));
        assertThat(RecordedProperties.named(nullOptional, Runner.class)).containsExactly(entry("Age", 0));
    }

    @Test
    @DisplayName("MAP-2: each type is handed on as the stated one")
    void handsOnTheStatedTypes() {
        byte[] photo = {1, 2};
        OffsetDateTime offset = OffsetDateTime.parse("2024-02-29T12:00:00+02:00");
        UUID id = new UUID(1, 2);
        Times times = new Times(Instant.MAX, offset, Duration.ofMinutes(90), id, photo, 0.1f, (short) 7);

        Map<String, Object> written = RecordedProperties.named(times, Times.class);

        assertThat(written)
                .containsEntry("time", Instant.MAX)
                .containsEntry("offset", Instant.parse("2024-02-29T10:00:00Z"))
                .containsEntry("duration", "PT1H30M")
                .containsEntry("id", id)
                .containsEntry("ratio", (double) 0.1f)
                .containsEntry("small", 7);
        assertThat(written.get("photo")).isSameAs(photo);
    }

    @Test
    void mapsLocalRecords() {
        record Local(long count) {}

        assertThat(RecordedProperties.named(new Local(5), Local.class)).containsExactly(entry("count", 5L));
    }

    @Test
    void mapsAGenericRecordWhoseComponentsAreNot() {
        assertThat(EntityType.of(Generic.class).properties()).hasSize(1);
    }

    @Test
    void asksTheAccessor() {
        assertThat(RecordedProperties.named(new Shouting("hey"), Shouting.class))
                .containsExactly(entry("text", "hey!"));
        assertThatThrownBy(() -> RecordedProperties.of(new Failing("x"), Failing.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("accessor");
    }

    @Test
    void passesOnWhatTheWriterThrows() {
        PropertyWriter full = new IgnoringWriter() {
            @Override
            public void int32(int index, int value) {
                throw new IllegalArgumentException("full");
            }
        };

        assertThatThrownBy(() -> type.write(RUNNER, full)).hasMessage("full");
    }

    @Test
    void passesOnAnError() {
        PropertyWriter broken = new IgnoringWriter() {
            @Override
            public void int32(int index, int value) {
                throw new AssertionError("broken");
            }
        };

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> type.write(RUNNER, broken))
                .withMessage("broken");
    }

    @Test
    void doesNotLetItsListsBeChanged() {
        assertThatThrownBy(() -> type.properties().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> type.select().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
