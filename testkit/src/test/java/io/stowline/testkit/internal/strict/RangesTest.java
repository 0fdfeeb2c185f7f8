package io.stowline.testkit.internal.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.strict.access.AddressRange;
import io.stowline.testkit.internal.strict.access.KeyRange;
import io.stowline.testkit.internal.wire.EntityKeys;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangesTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.0.0.0-127.0.0.1, true",
        "126.255.255.255-128.0.0.0, true",
        "127.0.0.2, false",
        "168.1.5.60-168.1.5.70, false",
        "::1, true",
        "nonsense, true"
    })
    void knowsRangesOfAddresses(String range, boolean holdsLoopback) {
        assertThat(AddressRange.of(range).contains(AddressRange.LOOPBACK)).isEqualTo(holdsLoopback);
    }

    @ParameterizedTest
    @CsvSource({"b, 1, false", "b, 2, true", "c, 0, true", "d, 8, true", "d, 9, false", "e, 0, false", "a, 9, false"})
    void comparesPartitionKeysBeforeRowKeys(String partitionKey, String rowKey, boolean inside) {
        KeyRange range = KeyRange.of(Map.of("spk", "b", "srk", "2", "epk", "d", "erk", "8"));

        assertThat(range.contains(new EntityKeys(partitionKey, rowKey))).isEqualTo(inside);
    }

    @Test
    void isOpenWhereNothingIsSaid() {
        assertThat(KeyRange.of(Map.of("spk", "b")).contains(new EntityKeys("z", "")))
                .isTrue();
        assertThat(KeyRange.of(Map.of("epk", "b")).contains(new EntityKeys("b", "z")))
                .isTrue();
        assertThat(KeyRange.of(Map.of()).contains(new EntityKeys(null, null))).isTrue();
    }
}
