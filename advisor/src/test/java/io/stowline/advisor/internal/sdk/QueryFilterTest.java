package io.stowline.advisor.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryFilterTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PartitionKey eq 'a' and RowKey eq 'b' | point | PartitionKey eq ? and RowKey eq ? | a | false",
                "(PartitionKey eq 'O''Hara') and ((RowKey ge 'b') and RowKey lt 'c') | row-range | (PartitionKey eq ?)"
                        + " and ((RowKey ge ?) and RowKey lt ?) | O'Hara | false",
                "PartitionKey eq 'a' | partition | PartitionKey eq ? | a | false",
                "PartitionKey eq 'a' and age gt 40 | partition | PartitionKey eq ? and age gt ? | a | true",
                "PartitionKey ge 'a' and PartitionKey lt 'b' | partition-range | PartitionKey ge ? and PartitionKey lt"
                        + " ? |  | false",
                "PartitionKey ge 'a' and RowKey eq 'b' | partition-range | PartitionKey ge ? and RowKey eq ? |  | true",
                "age gt 40L and born lt datetime'2000-01-01T00:00:00Z' | table-scan | age gt ? and born lt ? |  | true",
                "RowKey eq 'b' | table-scan | RowKey eq ? |  | true",
                "PartitionKey ne 'a' | table-scan | PartitionKey ne ? |  | true",
                "PartitionKey eq 'a' and (name eq 'x' or not (age gt -1.5e3)) | partition | PartitionKey eq ? and"
                        + " (name eq ? or not (age gt ?)) | a | true",
                "name eq 'x' or name eq 'y' | table-scan | name eq ? or name eq ? |  | true",
                "active eq true | table-scan | active eq ? |  | true",
                "PartitionKey eq 'and' and RowKey eq ') or (' | point | PartitionKey eq ? and RowKey eq ? | and | false"
            })
    void classes(String filter, String queryClass, String shape, String partition, boolean rejects) {
        assertThat(QueryFilter.of(filter)).isEqualTo(new QueryFilter(queryClass, shape, partition, rejects));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PartitionKey eq 'a' or PartitionKey eq 'b'",
                "PartitionKey eq 'a' and (RowKey eq 'b' or RowKey eq 'c')",
                "not (PartitionKey eq 'a')",
                "'a' eq PartitionKey",
                "startswith(PartitionKey, 'a')",
                "PartitionKey eq a",
                "PartitionKey eq",
                "PartitionKey eq 'a' and",
                "(PartitionKey eq 'a'",
                "PartitionKey eq 'a')",
                "PartitionKey eq 'a",
                "PartitionKey like 'a'",
                ") eq 'a'",
                "eq eq eq",
                "&"
            })
    void whatIsNotUnderstoodHasNoClass(String filter) {
        QueryFilter read = QueryFilter.of(filter);

        assertThat(read.queryClass()).isEqualTo("unknown");
        assertThat(read.scanned(0)).isEqualTo(1);
        assertThat(read.scanned(7)).isEqualTo(7);
        assertThat(read.shape()).doesNotContain("'");
    }

    @Test
    void noFilterScans() {
        assertThat(QueryFilter.of(null)).isEqualTo(new QueryFilter("table-scan", "", null, false));
        assertThat(QueryFilter.of(" ")).isEqualTo(new QueryFilter("table-scan", "", null, false));
    }

    @ParameterizedTest
    @CsvSource({
        "PartitionKey eq 'a' and RowKey eq 'b',0,1",
        "PartitionKey eq 'a',3,3",
        "PartitionKey eq 'a' and age gt 4,3,1000",
        "age gt 4,0,1000"
    })
    void scannedEntitiesAreEstimatedAsForStowline(String filter, int rows, int scanned) {
        assertThat(QueryFilter.of(filter).scanned(rows)).isEqualTo(scanned);
    }

    @Test
    void deepFiltersEnd() {
        assertThat(QueryFilter.of("(".repeat(5_000) + "a eq 1" + ")".repeat(5_000))
                        .queryClass())
                .isEqualTo("unknown");
        assertThat(QueryFilter.of("not ".repeat(3_000) + "a eq 1").queryClass()).isEqualTo("unknown");
        assertThat(QueryFilter.of("PartitionKey eq '" + "''".repeat(9_000) + "'")
                        .queryClass())
                .isEqualTo("unknown");
        assertThat(QueryFilter.of("PartitionKey eq '" + "''".repeat(7_000) + "'")
                        .queryClass())
                .isEqualTo("partition");
    }

    @Test
    void noTextBreaksItAndNoValueStaysInIt() {
        List<String> pieces = List.of(
                "PartitionKey",
                "RowKey",
                "age",
                " eq ",
                " ne ",
                " ge ",
                " and ",
                " or ",
                "not ",
                "(",
                ")",
                ",",
                "'s3cret'",
                "'s3''cret'",
                "datetime's3cret'",
                "'",
                "5",
                "-",
                " ",
                "\u0000",
                "é",
                "%");
        Random random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder filter = new StringBuilder();
            for (int j = random.nextInt(12); j >= 0; j--) {
                filter.append(pieces.get(random.nextInt(pieces.size())));
            }
            assertThat(QueryFilter.of(filter.toString()).shape())
                    .as("%s", filter)
                    .doesNotContain("'");
        }
    }
}
