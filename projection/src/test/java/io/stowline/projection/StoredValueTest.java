package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    @DisplayName("M2: a value comes back from its stored form as it was")
    void comesBack(Object value) {
        assertThat((Object) EdmType.restored("p", EdmType.stored(value), value.getClass()))
                .isEqualTo(value);
    }

    @Property
    @Label("M2: a whole number is read into what it fits, and refused by what it does not")
    void fitsOrIsRefused(@ForAll long stored) {
        if (stored == (int) stored) {
            assertThat(EdmType.restored("p", stored, int.class)).isEqualTo((int) stored);
        } else {
            assertThatExceptionOfType(PropertyConversionException.class)
                    .isThrownBy(() -> EdmType.restored("p", stored, int.class))
                    .withMessageContaining(Long.toString(stored));
        }
    }

    @Test
    void refusesWhatIsOfAnotherKind() {
        for (Object stored : List.of(true, 1, Instant.EPOCH, new byte[1])) {
            assertThatExceptionOfType(PropertyConversionException.class)
                    .isThrownBy(() -> EdmType.restored("p", stored, UUID.class))
                    .withMessageContaining("property p")
                    .withMessageContaining("UUID");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> EdmType.restored("p", "x", List.class));
    }
}
