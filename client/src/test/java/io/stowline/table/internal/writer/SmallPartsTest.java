package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.internal.edm.EdmType;
import io.stowline.table.TableWriter;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallPartsTest {

    @ParameterizedTest
    @DisplayName("MAP-2: types that JSON cannot tell are annotated")
    @CsvSource({
        "STRING, ''",
        "BOOLEAN, ''",
        "INT32, ''",
        "INT64, Edm.Int64",
        "DOUBLE, Edm.Double",
        "DATETIME, Edm.DateTime",
        "GUID, Edm.Guid",
        "BINARY, Edm.Binary"
    })
    void annotations(EdmType type, String wireName) {
        String annotation = wireName.isEmpty() ? "" : ",\"Größe@odata.type\":\"" + wireName + "\"";

        assertThat(new String(JsonFieldPrefix.of("Größe", type).bytes(), StandardCharsets.UTF_8))
                .isEqualTo(annotation + ",\"Größe\":");
    }

    @Test
    void countersCount() {
        WriteCounters counters = new WriteCounters();
        counters.carried(1, 3, 2);
        counters.carried(1, 1, 0);
        counters.carried(0, 0, 0);

        assertThat(counters.stats()).isEqualTo(new TableWriter.Stats(2, 4, 2, 2));
    }
}
