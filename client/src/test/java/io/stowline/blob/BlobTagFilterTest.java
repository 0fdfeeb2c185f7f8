package io.stowline.blob;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Filters in the service's language. */
class BlobTagFilterTest {

    @Test
    void quotesNamesAndValues() {
        BlobTagFilter filter =
                tag("my state").equalTo("in work").and(tag("date").atLeast("2026-01-01"));
        assertThat(filter.expression()).isEqualTo("\"my state\" = 'in work' AND \"date\" >= '2026-01-01'");
        assertThat(filter.isSearchable()).isTrue();
        assertThat(filter)
                .isEqualTo(tag("my state").equalTo("in work").and(tag("date").atLeast("2026-01-01")))
                .hasToString("BlobTagFilter[" + filter.expression() + "]");
        assertThat(tag("a").lessThan("b")
                        .and(tag("a").atMost("c"))
                        .and(tag("a").greaterThan(""))
                        .expression())
                .isEqualTo("\"a\" < 'b' AND \"a\" <= 'c' AND \"a\" > ''");
    }

    @Test
    void keepsTheMeaningOfAlternatives() {
        BlobTagFilter either = tag("a").equalTo("1").or(tag("b").notEqualTo("2"));
        assertThat(either.isSearchable()).isFalse();
        assertThat(tag("a").notEqualTo("1").isSearchable()).isFalse();
        assertThat(tag("a").equalTo("1").or(tag("a").equalTo("2")).isSearchable())
                .isFalse();
        assertThat(either.expression()).isEqualTo("\"a\" = '1' OR \"b\" <> '2'");
        assertThat(either.and(tag("c").equalTo("3")).expression())
                .isEqualTo("\"a\" = '1' AND \"c\" = '3' OR \"b\" <> '2' AND \"c\" = '3'");
    }

    @Test
    void refusesWhatTheServiceDoesNotTake() {
        assertThatIllegalArgumentException().isThrownBy(() -> tag("it's"));
        assertThatIllegalArgumentException().isThrownBy(() -> tag("a").equalTo("' OR \"b\" > '"));
    }
}
