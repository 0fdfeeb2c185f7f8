package io.stowline.examples.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VersionsTest {

    private long now;
    private final Versions versions = new Versions(() -> now);

    @Test
    void theLastVersionIsNotOutdated() {
        assertThat(versions.outdated(0, 1_000)).isZero();
    }

    @Test
    void aReplacedVersionIsOutdatedFromThenOn() {
        now = 400;
        versions.replaced();

        assertThat(versions.last()).isOne();
        assertThat(versions.outdated(0, 1_000)).isEqualTo(Duration.ofNanos(600));
        assertThat(versions.outdated(0, 300)).isZero();
        assertThat(versions.outdated(1, 1_000)).isZero();
    }

    @Test
    void pricesKnowTheirVersion() {
        assertThat(Prices.version(Prices.of(300))).isEqualTo(300);

        byte[] mixed = Prices.of(300);
        mixed[Prices.BYTES - 1]++;
        assertThatIllegalStateException().isThrownBy(() -> Prices.version(mixed));
    }
}
