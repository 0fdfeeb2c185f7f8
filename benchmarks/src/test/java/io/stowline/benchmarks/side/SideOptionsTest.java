package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.side.SideOptions.Flag;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.BlobSizes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SideOptionsTest {

    @Test
    void measureEverythingInFiveRoundsUnlessReportedOtherwise() {
        SideOptions options = SideOptions.of();

        assertThat(options.pace()).isEqualTo(new Pace(5, 8, 2.5));
        assertThat(options.only()).containsExactlyInAnyOrder(Scenario.values());
        assertThat(options.latency()).isEqualTo(5);
        assertThat(options.flags()).isEmpty();
        assertThat(options.out()).isNull();
    }

    @Test
    void takeEachSetting() {
        SideOptions options = SideOptions.of(
                "--gate",
                "--busy",
                "--rounds",
                "7",
                "--warm-ups",
                "0",
                "--seconds",
                "0.5",
                "--latency",
                "9",
                "--json",
                "--only",
                "scan,upsert",
                "--out",
                "charts",
                "--recording",
                "a.jfr");

        assertThat(options.pace()).isEqualTo(new Pace(7, 0, 0.5));
        assertThat(options.pace().nanos()).isEqualTo(500_000_000);
        assertThat(options.only()).containsExactlyInAnyOrder(Scenario.SCAN, Scenario.UPSERT);
        assertThat(options.flags()).containsExactlyInAnyOrder(Flag.GATE, Flag.BUSY, Flag.JSON);
        assertThat(options.out()).isEqualTo(Path.of("charts"));
        assertThat(options.recording()).isEqualTo(Path.of("a.jfr"));
    }

    @Test
    void moveLittleIfQuick() {
        assertThat(SideOptions.of("--quick").sizes()).isEqualTo(BlobSizes.QUICK);
        assertThat(SideOptions.of().sizes()).isEqualTo(BlobSizes.FULL);
    }

    @Test
    void nameAFlightRecordingForEachOfSeveralWorkloads() {
        SideOptions one = SideOptions.of("--only", "scan", "--recording", "logs/a.jfr");
        SideOptions two = SideOptions.of("--only", "scan,upsert", "--recording", "logs/a.b.jfr");
        SideOptions bare = SideOptions.of("--recording", "a");

        assertThat(one.recording(Scenario.SCAN)).isEqualTo(Path.of("logs", "a.jfr"));
        assertThat(two.recording(Scenario.SCAN)).isEqualTo(Path.of("logs", "a.b-scan.jfr"));
        assertThat(two.recording(Scenario.UPSERT)).isEqualTo(Path.of("logs", "a.b-upsert.jfr"));
        assertThat(bare.recording(Scenario.IDLE)).isEqualTo(Path.of("a-idle"));
        assertThat(SideOptions.of().recording(Scenario.IDLE)).isNull();
    }

    @Test
    void leaveLatencyOutAgainstTheEmulator() {
        SideOptions options = SideOptions.of("--azurite");

        assertThat(options.only())
                .doesNotContain(Scenario.DISTANT, Scenario.QUEUE_CONSUME, Scenario.BLOB_GET, Scenario.BLOB_STREAM)
                .contains(Scenario.INGEST);
        assertThat(options.pace().rounds()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "--rounds,0,--rounds is at least 1",
        "--rounds,two,--rounds is a number",
        "--seconds,0,--seconds is at least 0.01",
        "--seconds,NaN,--seconds is at least 0.01",
        "--warm-ups,-1,--warm-ups is at least 0",
        "--latency,0,--latency is at least 1",
        "--only,scan;delete,no workload is named 'scan;delete'",
        "--round,5,not understood: --round 5"
    })
    void refuseWhatMakesNoSense(String name, String value, String message) {
        assertThatThrownBy(() -> SideOptions.of(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refuseAValueThatIsMissing() {
        assertThatThrownBy(() -> SideOptions.of("--rounds"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--rounds needs a value");
    }
}
