package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TransferTimesTest {

    private static final RetrySettings SETTINGS = RetrySettings.defaults();

    @Test
    @DisplayName("RETRY-5: a second more for every 256 KiB")
    void growsWithTheContent() {
        assertThat(TransferTimes.of(SETTINGS, 0)).isSameAs(SETTINGS);
        assertThat(TransferTimes.of(SETTINGS, 8 * 1024 * 1024).serverTimeout()).isEqualTo(Duration.ofSeconds(62));
    }

    @Property
    @Label("RETRY-5: never less than the settings, never more than the deadline, and nothing else changes")
    void staysWithinTheDeadline(@ForAll @LongRange(max = 1L << 40) long bytes) {
        RetrySettings times = TransferTimes.of(SETTINGS, bytes);

        assertThat(times.serverTimeout()).isBetween(SETTINGS.serverTimeout(), SETTINGS.deadline());
        assertThat(times.deadline()).isEqualTo(SETTINGS.deadline());
        assertThat(times.retries()).isEqualTo(SETTINGS.retries());
    }

    @Test
    void keepsATimeThatIsLongerThanTheDeadline() {
        RetrySettings hasty = RetrySettings.builder()
                .deadline(Duration.ofSeconds(20))
                .retries(1)
                .build();

        assertThat(TransferTimes.of(hasty, 1 << 30)).isSameAs(hasty);
    }
}
