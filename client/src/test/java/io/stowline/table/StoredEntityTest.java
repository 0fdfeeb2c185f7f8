package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.RowMapper;
import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredEntityTest {

    private static final String ETAG = "W/\"datetime'2026-11-21T03%3A48%3A35.3031181Z'\"";

    @Test
    void keepsValueAndEtagUnchanged() {
        StoredEntity<String> stored = StoredEntity.of("value", ETAG);

        assertThat(stored.value()).isEqualTo("value");
        assertThat(stored.etag()).isEqualTo(ETAG);
        assertThat(stored.timestamp()).isEmpty();
        assertThat(stored).hasToString("Stored[value, etag=" + ETAG + "]");
    }

    @Test
    @DisplayName("MAP-1: without an ETag there is no conditional update")
    void refusesAnEmptyEtag() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredEntity.of("value", ""))
                .withMessageContaining("ETag is empty");
        assertThatNullPointerException().isThrownBy(() -> StoredEntity.of("value", null));
        assertThatNullPointerException().isThrownBy(() -> StoredEntity.of(null, ETAG));
    }

    @ParameterizedTest
    @DisplayName("MAP-1: an ETag cannot smuggle in a header, a blank or what is not ASCII")
    @ValueSource(strings = {"a\r\nx-ms-date: 1", "a\nb", "a b", " ", "a\u0000", "a\u007F", "é", "\t"})
    void refusesHeaderInjection(String etag) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredEntity.of("value", etag))
                .withMessageContaining("cannot stand in a header");
    }

    @Test
    @DisplayName("MAP-1: any version is asked for by name")
    void anyVersion() {
        assertThat(StoredEntity.anyVersion("value").etag()).isEqualTo("*");
    }

    @Test
    void anotherValueKeepsTheVersion() {
        Instant time = Instant.parse("2024-02-29T12:00:00Z");
        StoredEntity<Integer> changed =
                StoredEntity.read(1, ETAG, time, ReadOrigin.primary()).with(2);

        assertThat(changed.value()).isEqualTo(2);
        assertThat(changed.etag()).isEqualTo(ETAG);
        assertThat(changed.timestamp()).contains(time);
    }

    @Test
    void equalByValueAndEtag() {
        assertThat(StoredEntity.of("a", "1"))
                .isEqualTo(StoredEntity.read("a", "1", Instant.EPOCH, ReadOrigin.primary()))
                .hasSameHashCodeAs(StoredEntity.read("a", "1", Instant.EPOCH, ReadOrigin.primary()))
                .isNotEqualTo(StoredEntity.of("a", "2"))
                .isNotEqualTo(StoredEntity.of("b", "1"))
                .isNotEqualTo("a");
    }

    @Test
    @DisplayName("RETRY-10: a version says where it was read, also when its value is changed")
    void keepsItsOrigin() {
        ReadOrigin there = new ReadOrigin(true, Instant.EPOCH);
        StoredEntity<Integer> read = RowMapper.stored(new DecodedRow<>(1, ETAG, null, there));

        assertThat(read.origin()).isEqualTo(there);
        assertThat(read.with(2).origin()).isEqualTo(there);
        assertThat(StoredEntity.of(1, ETAG).origin()).isEqualTo(ReadOrigin.primary());
    }
}
