package io.stowline.projection.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.internal.type.StoredForm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredValueTest {

    static Stream<Object> values() {
        return Stream.of(
                "text",
                "",
                true,
                (byte) -128,
                (short) 32_767,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Float.MIN_VALUE,
                Double.NaN,
                -0.0,
                Instant.parse("9999-12-31T23:59:59.9999999Z"),
                OffsetDateTime.parse("2026-11-22T13:00:00Z"),
                UUID.fromString("00000000-0000-0000-0000-000000000001"),
                new byte[] {1, 2},
                Duration.ofMillis(1_500),
                TimeUnit.DAYS,
                new BigDecimal("1.500"),
                BigInteger.TEN.pow(40));
    }

    @ParameterizedTest
    @MethodSource("values")
    @DisplayName("MAP-2: a value comes back from its stored form as it was")
    void comesBack(Object value) {
        assertThat((Object) StoredValue.read("p", StoredForm.ofValue(value), value.getClass()))
                .isEqualTo(value);
    }

    @Property
    @Label("MAP-2: a whole number is read into what it fits, and refused by what it does not")
    void fitsOrIsRefused(@ForAll long stored) {
        if (stored == (int) stored) {
            assertThat(StoredValue.read("p", stored, int.class)).isEqualTo((int) stored);
        } else {
            assertThatExceptionOfType(PropertyConversionException.class)
                    .isThrownBy(() -> StoredValue.read("p", stored, int.class))
                    .withMessageContaining(Long.toString(stored));
        }
    }

    @Property
    @Label("MAP-2: a stored Int64 is read into a double or a float that is exactly it, and refused else")
    void keepsEveryDigitOfALong(@ForAll long stored) {
        assertExactOrRefused(stored, double.class);
        assertExactOrRefused(stored, float.class);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1L << 24,
                (1L << 24) + 1,
                1L << 53,
                (1L << 53) + 1,
                (1L << 60) + 1,
                1L << 62,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                Long.MAX_VALUE
            })
    void keepsEveryDigitAtTheEdges(long stored) {
        assertExactOrRefused(stored, double.class);
        assertExactOrRefused(stored, float.class);
    }

    private static void assertExactOrRefused(long stored, Class<? extends Number> type) {
        double nearest = type == float.class ? (float) stored : (double) stored;
        if (new BigDecimal(nearest).compareTo(BigDecimal.valueOf(stored)) == 0) {
            assertThat(StoredValue.read("p", stored, type).doubleValue()).isEqualTo(nearest);
        } else {
            assertThatExceptionOfType(PropertyConversionException.class)
                    .isThrownBy(() -> StoredValue.read("p", stored, type))
                    .withMessageContaining("property p")
                    .withMessageContaining(Long.toString(stored));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001-01-01T00:00:00Z", "1600-12-31T23:59:59.999999999Z"})
    void readsATimeThatTheServiceWouldNotStore(String time) {
        assertThat(StoredValue.read("p", Instant.parse(time), OffsetDateTime.class))
                .isEqualTo(OffsetDateTime.parse(time));
    }

    private enum Bodied {
        PLAIN,
        WITH_BODY {
            @Override
            public String toString() {
                return "shown";
            }
        }
    }

    @Test
    void aConstantWithABodyIsReadByItsOwnClassToo() {
        Class<?> own = ((Object) Bodied.WITH_BODY).getClass();

        assertThat((Object) StoredValue.read("p", "WITH_BODY", own)).isSameAs(Bodied.WITH_BODY);
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> StoredValue.read("p", "PLAIN", own))
                .withMessageContaining("\"PLAIN\"");
    }

    @Test
    void refusesWhatIsOfAnotherKind() {
        for (Object stored : List.of(true, 1, Instant.EPOCH, new byte[1])) {
            assertThatExceptionOfType(PropertyConversionException.class)
                    .isThrownBy(() -> StoredValue.read("p", stored, UUID.class))
                    .withMessageContaining("property p")
                    .withMessageContaining("UUID");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> StoredValue.read("p", "x", List.class));
    }
}
