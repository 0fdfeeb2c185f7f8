package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptReason;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("attempts at blobs are judged as the client sends them")
class BlobEvidenceTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    private static FakeAttempt range(String name, String range) {
        return FakeAttempt.download(name, "same")
                .ending(AttemptReason.SUCCESS, 206, null)
                .range(range);
    }

    @Test
    void downloadsInRangesAreReads() {
        traffic.run(50, 150, i -> {
            traffic.add(range("model.bin", "bytes=0-4194303"));
            traffic.add(range("model.bin", "bytes=4194304-8388607").on(Condition.IF_MATCH));
        });

        assertThat(traffic.severity(Practice.A8)).isEqualTo(Severity.ADVICE);
        assertThat(traffic.severity(Practice.B1)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void appendsAndOverwritesAreNoBlocks() {
        traffic.run(50, 20, i -> {
            traffic.add(FakeAttempt.of("blob", "append", "logs")
                    .at("log", null)
                    .writing(1_000)
                    .etag("e" + i));
            traffic.add(FakeAttempt.upload("status", 20_000).etag("e" + i));
        });

        assertThat(traffic.severity(Practice.B10)).isEqualTo(Severity.NOT_ENOUGH_DATA);
        assertThat(traffic.severity(Practice.A9)).isNotEqualTo(Severity.ADVICE);
    }

    @Test
    void contentOfAnotherLengthIsNoCopy() {
        traffic.run(50, 20, i -> {
            traffic.add(FakeAttempt.download("b" + i, "e").in("thumbs"));
            traffic.add(FakeAttempt.upload("b" + i, 5_000).etag("e" + i));
        });

        assertThat(traffic.severity(Practice.B3)).isEqualTo(Severity.OK);
    }

    @Test
    void aDownloadInRangesIsTheSourceOfACopy() {
        traffic.run(50, 20, i -> {
            traffic.add(range("b" + i, "bytes=0-99999").in("archive"));
            traffic.add(range("b" + i, "bytes=100000-199999").in("archive").on(Condition.IF_MATCH));
            traffic.add(FakeAttempt.upload("b" + i, 200_000).etag("e" + i));
        });

        assertThat(traffic.severity(Practice.B3)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void otherRangesOfABlobAreOtherContent() {
        traffic.run(50, 20, i -> traffic.add(range("model.bin", "bytes=" + 1_000 * i + "-" + (1_000 * i + 999))));

        assertThat(traffic.severity(Practice.A8)).isEqualTo(Severity.OK);
    }
}
