package io.stowline.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordWriterSettingsTest {

    private static final int MIB = 1024 * 1024;

    @Test
    void defaultsAreThoseOfTheirPage() {
        RecordWriterSettings settings = RecordWriterSettings.defaults();
        assertThat(settings.upTo()).isEqualTo(16 * MIB);
        assertThat(settings.every()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.buckets()).isEqualTo(16);
        assertThat(settings.bufferRecords()).isEqualTo(1_000_000);
        assertThat(settings.bufferBytes()).isEqualTo(64L * MIB);
        assertThat(settings.submitTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.deliveryTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.closeTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.warnAtExit()).isTrue();
        assertThat(settings.journal()).isNull();
        assertThat(settings.appendBlobs()).isNull();
    }

    @Test
    void aJournalHasItsOwnBoundAndNoTimeout(@TempDir Path folder) {
        JournalSettings small = JournalSettings.builder().maxBytes(40L * MIB).build();
        try (Journal journal = Journal.open(folder, small)) {
            RecordWriterSettings settings =
                    RecordWriterSettings.builder().journal(journal).build();
            assertThat(settings.bufferBytes()).isEqualTo(40L * MIB);
            assertThat(settings.deliveryTimeout()).isNull();
            assertThat(settings.bufferRecords()).isNull();
            assertThat(settings.toBuilder().bufferRecords(5).build().bufferRecords())
                    .isEqualTo(5);
            assertThat(settings.toBuilder()
                            .deliveryTimeout(Duration.ofMinutes(3))
                            .build()
                            .deliveryTimeout())
                    .isEqualTo(Duration.ofMinutes(3));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> settings.toBuilder().upTo(32 * MIB).build())
                    .withMessageContaining("maxBytes of the journal must be")
                    .withMessageContaining("41943040");
        }
    }

    @Test
    void intervalsDivideADay() {
        for (String good : List.of("PT1S", "PT1M", "PT5M", "PT1H", "PT24H")) {
            assertThat(RecordWriterSettings.builder()
                            .every(Duration.parse(good))
                            .build()
                            .every())
                    .hasToString(good);
        }
        for (String bad : List.of("PT0.5S", "PT7M", "PT25H", "PT1.5S", "PT0S")) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> RecordWriterSettings.builder().every(Duration.parse(bad)))
                    .withMessageContaining("every")
                    .withMessageContaining(bad);
        }
    }

    @Test
    void boundsAreCheckedAtOnceAndTogether() {
        RecordWriterSettings.Builder settings = RecordWriterSettings.builder();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> settings.upTo(1000))
                .withMessage("upTo must be between 65536 and 67108864 but was 1000");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> settings.buckets(257));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> settings.bufferRecords(0));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> settings.submitTimeout(Duration.ZERO));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> settings.closeTimeout(Duration.ofDays(2)));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> settings.bufferBytes(20L * MIB).build())
                .withMessageContaining("bufferBytes must be at least twice upTo, 33554432 bytes, but was 20971520");
        assertThat(settings.upTo(8 * MIB).build().bufferBytes()).isEqualTo(20L * MIB);
    }
}
