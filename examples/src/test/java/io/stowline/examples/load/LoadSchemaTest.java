package io.stowline.examples.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.UsageException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadSchemaTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "1, 2, LONG",
        "1, 2.5, DOUBLE",
        "1e3, -0.5, DOUBLE",
        "00501, 10001, STRING",
        "9223372036854775807, -1, LONG",
        "9223372036854775808, 1, DOUBLE",
        "true, FALSE, BOOLEAN",
        "true, 1, STRING",
        "2026-05-01, 2026-05-01T10:00:00+02:00, TIME",
        "2026-13-01, 2026-05-01, STRING",
        "8b2b1c4e-0000-4000-8000-000000000001, 8B2B1C4E-0000-4000-8000-000000000002, UUID",
        "'', 5, LONG",
        "'', '', STRING",
        "NaN, 1, STRING",
        "1e999, 1, STRING",
    })
    void infersTheNarrowestType(String first, String second, ColumnType type) throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "k,v\n1," + first + "\n2," + second + "\n");
        try (RowSource source = InputFile.of(file, null, null, null).open()) {
            assertThat(SchemaInference.of(source)).containsEntry("v", type);
        }
    }

    @Test
    void leavesTextOfJsonAsText() throws IOException {
        Path file =
                Files.writeString(folder.resolve("a.jsonl"), "{\"n\": 1, \"t\": \"1\"}\n{\"n\": 2.5, \"t\": \"2\"}\n");
        try (RowSource source = InputFile.of(file, null, null, null).open()) {
            assertThat(SchemaInference.of(source)).isEqualTo(Map.of("n", ColumnType.DOUBLE, "t", ColumnType.STRING));
        }
    }

    @Test
    void givesPropertiesNamesThatTheServiceTakes() {
        LoadSchema schema = LoadSchema.of(
                Map.of("first name", ColumnType.STRING, "2nd", ColumnType.STRING, "Timestamp", ColumnType.TIME),
                Map.of(),
                true);

        assertThat(schema.column("first name", "").property()).isEqualTo("first_name");
        assertThat(schema.column("2nd", "").property()).isEqualTo("_2nd");
        assertThat(schema.column("Timestamp", "").property()).isEqualTo("Timestamp_");
        assertThat(schema.described()).contains("  first name: string (inferred), stored as first_name");
    }

    @Test
    void givesUnseenColumnsTheTypeOfTheirValue() {
        LoadSchema schema = LoadSchema.of(Map.of(), Map.of(), false);

        assertThat(schema.column("a", new BigDecimal("5")).type()).isEqualTo(ColumnType.LONG);
        assertThat(schema.column("a", new BigDecimal("5.5")).type()).isEqualTo(ColumnType.DOUBLE);
        assertThat(schema.column("a", true).type()).isEqualTo(ColumnType.BOOLEAN);
        assertThat(schema.column("a", "5").type()).isEqualTo(ColumnType.STRING);
    }

    @Test
    void refusesTwoColumnsOfOneProperty() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(
                        () -> LoadSchema.of(Map.of("a b", ColumnType.STRING, "a-b", ColumnType.STRING), Map.of(), true))
                .withMessageContaining("would both be the property a_b");
        assertThat(LoadSchema.of(
                                Map.of("a b", ColumnType.STRING, "a-b", ColumnType.STRING),
                                Map.of("a-b", ColumnType.NONE),
                                true)
                        .has("a b"))
                .isTrue();
    }

    @Test
    void convertsTextToStoredValues() {
        assertThat(ColumnType.TIME.convert("2026-05-01")).isEqualTo(Instant.parse("2026-05-01T00:00:00Z"));
        assertThat(ColumnType.LONG.convert("007")).isEqualTo(7L);
        assertThat(ColumnType.INT.convert("-7")).isEqualTo(-7);
        assertThat(ColumnType.DOUBLE.convert("+.5")).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource({"INT,2147483648", "LONG,1.0", "DOUBLE,0x1p3", "DOUBLE,NaN", "DOUBLE,1d", "BOOLEAN,yes", "UUID,1-1-1-1-1"
    })
    void refusesTextOfAnotherType(ColumnType type, String text) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> type.convert(text));
    }
}
