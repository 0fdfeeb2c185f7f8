package io.stowline.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CachedReadTest {

    private static CachedRead<Integer> read(Optional<Integer> value) {
        return new CachedRead<>(value, CacheOutcome.HIT, Duration.ofSeconds(3), "photos/prices.json");
    }

    @Test
    @DisplayName("the value of nothing is an error that names what is missing, and the way out")
    void nothing() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> read(Optional.empty()).get())
                .withMessageContaining("photos/prices.json is not there")
                .withMessageContaining("HIT")
                .withMessageContaining("value()");
        assertThat(read(Optional.of(7)).get()).isEqualTo(7);
    }

    @Test
    @DisplayName("a changed value is that of the same read")
    void changed() {
        CachedRead<String> changed = read(Optional.of(7)).map(value -> "seven" + value);

        assertThat(changed)
                .isEqualTo(new CachedRead<>(
                        Optional.of("seven7"), CacheOutcome.HIT, Duration.ofSeconds(3), "photos/prices.json"));
        assertThat(read(Optional.empty()).map(value -> "seven" + value).value()).isEmpty();
    }
}
