package io.stowline.table.internal.request;

import static io.stowline.projection.filter.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.filter.Filter;
import java.time.Instant;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryShapeTest {

    @Test
    @DisplayName("each value becomes a question mark, whatever its type")
    void typed() {
        Filter filter = Filter.partitionKey()
                .equalTo("O'Neil & (Co)")
                .and(
                        property("age").atLeast(18),
                        property("count").lessThan(-5L),
                        property("ratio").greaterThan(1.5))
                .and(property("active").isTrue().or(property("since").atLeast(Instant.EPOCH)))
                .and(
                        property("id").equalTo(UUID.randomUUID()).not(),
                        property("raw").equalTo(new byte[] {1, 2}));

        assertThat(QueryShape.of(filter.toOData()))
                .isEqualTo("PartitionKey eq ? and age ge ? and count lt ? and ratio gt ?"
                        + " and (active eq ? or since ge ?) and not (id eq ?) and raw eq ?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "5 lt age|? lt ?",
                "'x' eq name and not(b eq true)|? eq ? and not(b eq ?)",
                "a eq 'unclosed|a eq ?",
                "a eq NaN|a eq ?",
                "eq1 eq eq2x|eq1 eq ?",
            })
    void raw(String filter, String shape) {
        assertThat(QueryShape.of(filter)).isEqualTo(shape);
    }

    @Test
    void withoutAFilter() {
        assertThat(QueryShape.of(null)).isEmpty();
    }

    @Property
    void noTextOfAValueIsLeft(@ForAll String first, @ForAll String second, @ForAll long number) {
        String shape = QueryShape.of(filter(first, number));

        assertThat(shape).isEqualTo("PartitionKey eq ? and n le ?").isEqualTo(QueryShape.of(filter(second, ~number)));
    }

    private static String filter(String text, long number) {
        return "PartitionKey eq '" + text.replace("'", "''") + "' and n le " + number + "L";
    }
}
