package io.stowline.blob.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.RowKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Records as metadata, and back. */
class TypedMetadataTest {

    public enum Light {
        DAY,
        NIGHT
    }

    public record Shot(
            @Nullable String camera,
            int iso,
            long serial,
            double aperture,
            boolean flash,
            @Nullable Light light,
            @Nullable Instant taken,
            @Nullable LocalDate printed,
            @Nullable Duration exposure,
            @Nullable BigDecimal price,
            @Nullable UUID session,
            Optional<String> comment) {}

    public record Small(@Property("owner_name") @Nullable String owner, int size) {}

    public record Keyed(
            @PartitionKey String partition, @RowKey String row, int size) {}

    public record Cases(int size, int SIZE) {}

    private static Shot shot() {
        return new Shot(
                "Leica M6",
                400,
                Long.MAX_VALUE,
                1.4,
                true,
                Light.NIGHT,
                Instant.parse("2026-02-28T23:59:59.1234567Z"),
                LocalDate.of(2026, 3, 1),
                Duration.ofMillis(16),
                new BigDecimal("12.50"),
                new UUID(1, 2),
                Optional.of("a comment"));
    }

    @Test
    @DisplayName("B6: what is written is read back, type by type")
    void roundTrip() {
        Map<String, String> metadata = TypedMetadata.of(shot());
        assertThat(metadata)
                .containsEntry("camera", "Leica M6")
                .containsEntry("iso", "400")
                .containsEntry("aperture", "1.4")
                .containsEntry("flash", "true")
                .containsEntry("light", "NIGHT")
                .containsEntry("taken", "2026-02-28T23:59:59.1234567Z")
                .containsEntry("printed", "2026-03-01");
        assertThat(TypedMetadata.read(metadata, Shot.class)).isEqualTo(shot());
    }

    @Test
    @DisplayName("B6: names in any case are read, others are left out, and an absent value is absent")
    void namesInAnyCase() {
        assertThat(TypedMetadata.read(Map.of("OWNER_Name", "me", "Size", "3", "other", "x"), Small.class))
                .isEqualTo(new Small("me", 3));
        assertThat(TypedMetadata.of(new Small(null, 3))).isEqualTo(Map.of("size", "3"));
        assertThat(TypedMetadata.read(Map.of("size", "3"), Small.class)).isEqualTo(new Small(null, 3));
    }

    @Test
    @DisplayName("B6: a value of another type is an error that names it")
    void wrongValues() {
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> TypedMetadata.read(Map.of("size", "three"), Small.class))
                .withMessageContaining("size");
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> TypedMetadata.read(Map.of(), Small.class))
                .withMessageContaining("size");
        Map<String, String> other = new java.util.HashMap<>(TypedMetadata.of(shot()));
        other.put("flash", "yes");
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> TypedMetadata.read(other, Shot.class))
                .withMessageContaining("flash");
        other.put("flash", "TRUE");
        other.put("aperture", "wide");
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> TypedMetadata.read(other, Shot.class))
                .withMessageContaining("aperture");
    }

    @Test
    @DisplayName("B6: what cannot be metadata is refused before anything is sent")
    void refusals() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedMetadata.of(new Keyed("p", "r", 1)))
                .withMessageContaining("has keys");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedMetadata.of(new Cases(1, 2)))
                .withMessageContaining("there twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedMetadata.of(new Small("\u00E9", 1)))
                .withMessageContaining("'owner_name'")
                .withMessageContaining("U+00E9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedMetadata.of(new Small("x".repeat(9_000), 1)))
                .withMessageContaining("more than the limit of 8192");
        assertThatIllegalArgumentException().isThrownBy(() -> TypedMetadata.of("text"));
    }
}
