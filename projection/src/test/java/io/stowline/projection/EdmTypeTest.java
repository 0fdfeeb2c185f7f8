package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.type.StoredForm;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EdmTypeTest {

    private enum Bodied {
        PLAIN,
        WITH_BODY {
            @Override
            public String toString() {
                return "shown";
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STRING, Edm.String",
        "BOOLEAN, Edm.Boolean",
        "INT32, Edm.Int32",
        "INT64, Edm.Int64",
        "DOUBLE, Edm.Double",
        "DATETIME, Edm.DateTime",
        "GUID, Edm.Guid",
        "BINARY, Edm.Binary"
    })
    void hasTheNameOfThePayloadFormat(EdmType type, String wireName) {
        assertThat(type.wireName()).isEqualTo(wireName);
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsWireName(EdmType type) {
        assertThat(EdmType.ofWireName(type.wireName())).isSameAs(type);
    }

    @ParameterizedTest
    @CsvSource({"Edm.Decimal", "edm.int64", "Int64", "''"})
    void knowsNoOtherName(String wireName) {
        assertThat(EdmType.ofWireName(wireName)).isNull();
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("text", EdmType.STRING),
                Arguments.of(true, EdmType.BOOLEAN),
                Arguments.of((byte) 1, EdmType.INT32),
                Arguments.of((short) 1, EdmType.INT32),
                Arguments.of(1, EdmType.INT32),
                Arguments.of(1L, EdmType.INT64),
                Arguments.of(1f, EdmType.DOUBLE),
                Arguments.of(1d, EdmType.DOUBLE),
                Arguments.of(Instant.EPOCH, EdmType.DATETIME),
                Arguments.of(OffsetDateTime.MIN, EdmType.DATETIME),
                Arguments.of(new UUID(1, 2), EdmType.GUID),
                Arguments.of(new byte[0], EdmType.BINARY),
                Arguments.of(Duration.ZERO, EdmType.STRING),
                Arguments.of(DayOfWeek.MONDAY, EdmType.STRING),
                Arguments.of(TimeUnit.DAYS, EdmType.STRING),
                Arguments.of(Bodied.WITH_BODY, EdmType.STRING));
    }

    @ParameterizedTest
    @MethodSource("values")
    @DisplayName("MAP-2: a value of each supported class has a stated type")
    void knowsTheTypeOfAValue(Object value, EdmType type) {
        assertThat(EdmType.of(value)).isSameAs(type);
        assertThat(EdmType.ofClass(value.getClass())).isSameAs(type);
    }

    @Test
    void knowsThePrimitiveClasses() {
        assertThat(List.of(byte.class, short.class, int.class))
                .allMatch(type -> EdmType.ofClass(type) == EdmType.INT32);
        assertThat(List.of(float.class, double.class)).allMatch(type -> EdmType.ofClass(type) == EdmType.DOUBLE);
        assertThat(EdmType.ofClass(long.class)).isSameAs(EdmType.INT64);
        assertThat(EdmType.ofClass(boolean.class)).isSameAs(EdmType.BOOLEAN);
    }

    @Test
    void givesTheStoredForm() {
        assertThat(StoredForm.ofValue(new BigDecimal("1.10"))).isEqualTo("1.10");
        assertThat(StoredForm.ofValue((short) 7)).isEqualTo(7);
        assertThat(StoredForm.ofValue(1.5f)).isEqualTo(1.5);
        assertThat(StoredForm.ofValue(5L)).isEqualTo(5L);
        assertThat(StoredForm.ofValue(LocalDate.EPOCH)).isEqualTo("1970-01-01");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredForm.ofValue(LocalTime.NOON))
                .withMessageContaining("java.time.LocalTime");
    }

    @Test
    @DisplayName("MAP-2: a class without a place has no type, it is never guessed")
    void hasNoTypeForOtherClasses() {
        assertThat(EdmType.of(new AtomicLong(1))).isNull();
        assertThat(EdmType.of(LocalTime.NOON)).isNull();
        assertThat(EdmType.of('c')).isNull();
        assertThat(EdmType.of(new int[0])).isNull();
        assertThat(EdmType.ofClass(Enum.class)).isNull();
        assertThat(EdmType.ofClass(char.class)).isNull();
        assertThat(EdmType.ofClass(void.class)).isNull();
    }
}
