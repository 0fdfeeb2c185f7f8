package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.ChecksumPolicy;
import io.stowline.blob.UploadSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The constructors of settings check what their builders check")
class SettingsRangesTest {

    private static UploadSettings upload(
            Map<String, String> metadata, Map<String, String> tags, int block, int blocks) {
        return new UploadSettings(
                false,
                Optional.empty(),
                BlobHeaders.none(),
                metadata,
                tags,
                Optional.empty(),
                Optional.empty(),
                block,
                blocks,
                false,
                Optional.empty());
    }

    private static DownloadSettings download(int ranges, int rangeSize, int limit, long from, long length) {
        return new DownloadSettings(
                ranges,
                rangeSize,
                ChecksumPolicy.IF_STORED,
                true,
                limit,
                from,
                length,
                Optional.empty(),
                Optional.empty(),
                false,
                200,
                1,
                Optional.empty());
    }

    @Test
    void anUploadKeepsItsMapsAndItsRanges() {
        Map<String, String> given = new HashMap<>(Map.of("a", "1"));
        UploadSettings settings = upload(given, given, 1, 1);
        given.put("b", "2");

        assertThat(settings.metadata()).isEqualTo(Map.of("a", "1")).isUnmodifiable();
        assertThat(settings.tags()).isEqualTo(Map.of("a", "1")).isUnmodifiable();
        refused(() -> upload(Map.of(), Map.of(), 0, 1), "blockSize");
        refused(() -> upload(Map.of(), Map.of(), UploadSettings.MAX_BLOCK + 1, 1), "blockSize");
        refused(() -> upload(Map.of(), Map.of(), 1, 1_001), "parallelism");
        refused(() -> upload(Map.of(), Map.of("", "1"), 1, 1), "tag");
    }

    @Test
    void aDownloadKeepsItsRanges() {
        assertThat(download(1, 64 << 10, 0, 0, 1).limit()).isZero();
        refused(() -> download(0, 64 << 10, 0, 0, 1), "parallelism");
        refused(() -> download(1, 1, 0, 0, 1), "rangeSize");
        refused(() -> download(1, 64 << 10, -1, 0, 1), "limit");
        refused(() -> download(1, 64 << 10, 0, -1, 1), "range");
        refused(() -> download(1, 64 << 10, 0, 0, 0), "range");
    }

    @Test
    void messagesAndShardsKeepTheirRanges() {
        Duration never =
                SendSettings.builder().neverExpires().build().timeToLive().orElseThrow();

        assertThat(new SendSettings(Optional.empty(), Optional.of(never), Optional.empty()).timeToLive())
                .contains(never);
        refused(() -> new SendSettings(Optional.of(Duration.ofDays(8)), Optional.empty(), Optional.empty()), "delay");
        refused(() -> new SendSettings(Optional.empty(), Optional.of(Duration.ZERO), Optional.empty()), "timeToLive");
        refused(() -> new SendSettings(Optional.empty(), Optional.empty(), Optional.of("a b")), "eventId");
        refused(() -> SendSettings.builder().eventId("a".repeat(65)), "eventId");
        refused(() -> new EnvelopeSettings("with space", 0, 1, Optional.empty()), "type");
        refused(() -> new EnvelopeSettings("type", -1, 1, Optional.empty()), "compressAbove");
        refused(() -> new EnvelopeSettings("type", 0, 0, Optional.empty()), "maxBody");
        refused(() -> new ShardSettings(129, 129), "sendTo");
        refused(() -> new ShardSettings(1, -1), "receiveFrom");
    }

    private static void refused(ThrowingCallable construction, String name) {
        assertThatIllegalArgumentException().isThrownBy(construction).withMessageContaining(name);
    }
}
