package io.stowline.blob.internal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.file.DownloadState.SourceVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A state file is read back, wherever its writer died. */
class DownloadStateTest {

    private static final SourceVersion FACTS = new SourceVersion(
            "https://acct.blob.core.windows.net/photos/a", "\"0x1\"", "2024-02-29T12:00:00Z", 1_000, 300);

    @Property
    @Label("TRANSFER-2: a state file that is cut anywhere says no more than what was written before the cut")
    void torn(@ForAll long seed, @ForAll @IntRange(max = 400) int cut) {
        Random random = new Random(seed);
        DownloadState state = new DownloadState(FACTS);
        StringBuilder text = new StringBuilder(state.header());
        Map<Integer, String> written = new LinkedHashMap<>();
        int header = text.length();
        int end = Math.max(0, text.length() - 1);
        for (int i = 0; i < 6; i++) {
            int index = random.nextInt(FACTS.ranges());
            String hash = String.format("%08x", random.nextInt());
            text.append(DownloadState.line(index, hash));
            if (text.length() <= cut) {
                written.put(index, hash);
                end = text.length();
            }
        }
        DownloadState read = DownloadState.parse(text.substring(0, Math.min(cut, text.length())));

        if (cut < header) {
            assertThat(read).isNull();
        } else {
            assertThat(Objects.requireNonNull(read).sourceVersion()).isEqualTo(FACTS);
            assertThat(read.finished()).as("up to %d of %d", end, text.length()).isEqualTo(written);
        }
    }

    @Property
    @Label("TRANSFER-2: ranges cover a blob without a gap and without a byte twice")
    void covers(
            @ForAll @LongRange(min = 1, max = 1L << 40) long length,
            @ForAll @IntRange(min = 65_536, max = 1 << 28) int range) {
        SourceVersion sourceVersion = new SourceVersion("a", "b", null, length, range);
        int last = sourceVersion.ranges() - 1;

        assertThat(sourceVersion.offset(0)).isZero();
        assertThat(sourceVersion.offset(last) + sourceVersion.count(last)).isEqualTo(length);
        assertThat(sourceVersion.count(last)).isBetween(1, range);
        int some = last / 2;
        if (some < last) {
            assertThat(sourceVersion.offset(some) + sourceVersion.count(some))
                    .isEqualTo(sourceVersion.offset(some + 1));
        }
    }

    @Property(tries = 300)
    void namesOfAnyKind(@ForAll @StringLength(max = 50) String blob, @ForAll @StringLength(max = 20) String etag) {
        SourceVersion sourceVersion = new SourceVersion(
                new String(blob.getBytes(UTF_8), UTF_8), new String(etag.getBytes(UTF_8), UTF_8), null, 1, 1);

        assertThat(Objects.requireNonNull(DownloadState.parse(new DownloadState(sourceVersion).header()))
                        .sourceVersion())
                .isEqualTo(sourceVersion);
    }

    @Test
    @DisplayName("TRANSFER-2: a state file that makes no sense counts as none")
    void nonsense() {
        String good = new DownloadState(FACTS).header();

        assertThat(DownloadState.parse("")).isNull();
        assertThat(DownloadState.parse("x")).isNull();
        assertThat(DownloadState.parse(good.replace("stowline-download 1", "stowline-download 2")))
                .isNull();
        assertThat(DownloadState.parse(good.replace("length 1000", "length -1")))
                .isNull();
        assertThat(DownloadState.parse(good.replace("range 300", "range 0"))).isNull();
        assertThat(DownloadState.parse(good.replace("etag", "tag"))).isNull();
        assertThat(Objects.requireNonNull(DownloadState.parse(good + "9 00000000\nopened x\n1 0000000\n2 00000000\n"))
                        .finished())
                .containsOnlyKeys(2);
    }
}
