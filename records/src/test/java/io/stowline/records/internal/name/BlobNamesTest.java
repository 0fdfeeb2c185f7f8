package io.stowline.records.internal.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.records.internal.chunk.ChunkName;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of blobs are read back, whatever they are made of. */
final class BlobNamesTest {

    private static final BlobNames NAMES = new BlobNames("activities/", 16, ".jsonl.gz");
    private static final Instant TIME = Instant.parse("2026-11-29T10:05:00Z");

    @Test
    void nameOfTheDesign() {
        String name = NAMES.of(new ChunkName(TIME, "5m-k3v9x2m4qd7h", 17));

        assertThat(name).matches("activities/0[0-9a-f]/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017\\.jsonl\\.gz");
    }

    @Provide
    Arbitrary<Duration> lengths() {
        return Arbitraries.of(1, 2, 30, 60, 90, 300, 3_600, 21_600, 86_400).map(Duration::ofSeconds);
    }

    @Property
    void roundTrip(
            @ForAll @LongRange(min = -62_135_596_800L, max = 253_402_300_799L) long second,
            @ForAll("lengths") Duration every,
            @ForAll @LongRange(min = 0, max = 999_999_999_999L) long sequence,
            @ForAll @IntRange(min = 1, max = 256) int buckets,
            @ForAll long seed) {
        Intervals intervals = new Intervals(every);
        String session = Sessions.next(new Random(seed), intervals);
        ChunkName chunk = new ChunkName(intervals.floor(Instant.ofEpochSecond(second)), session, sequence);
        BlobNames names = new BlobNames("eu/a b/", buckets, ".csv");

        String name = names.of(chunk);

        assertThat(names.parse(name)).contains(chunk);
        assertThat(new BlobNames("eu/a b/", 1, ".csv").parse(name)).contains(chunk);
        assertThat(Sessions.every(session)).isEqualTo(every);
        assertThat(name.length()).isLessThan(7 + 128);
        assertThat(Integer.parseInt(name.substring(7, 9), 16)).isLessThan(buckets);
    }

    @Property
    void anyTextIsParsedOrForeign(@ForAll String text) {
        assertThat(NAMES.parse(text)).isEmpty();
        assertThat(NAMES.parse("activities/" + text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "activities/",
                "activities/0b",
                "other/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0B/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/13/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/02/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/0000/02/28/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/11/29/24/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/11/29/10/0560-5m-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/11/29/10/0500-5x-k3v9x2m4qd7h-00000017.jsonl.gz",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-17.jsonl.gz",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-000000017.jsonl.gz",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-9999999999999999999.jsonl.gz",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl",
                "activities/0b/2026/11/29/10/0500-5m-k3v9x2m4qd7h-00000017.jsonl.gz.bak"
            })
    void foreignNames(String name) {
        assertThat(NAMES.parse(name)).isEmpty();
    }

    @Test
    void otherSuffixes() {
        String name = "activities/0b/2026/11/29/10/0500-k3v9x2m4qd7h-00000017.csv";

        assertThat(NAMES.parse(name)).isEmpty();
        assertThat(NAMES.parsed(name)).contains(new BlobNames.Named(new ChunkName(TIME, "k3v9x2m4qd7h", 17), ".csv"));
    }

    @Test
    void bucketsSpread() {
        Set<String> buckets = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            String name = NAMES.of(new ChunkName(TIME.plusSeconds(300L * i), "5m-k3v9x2m4qd7h", i));
            buckets.add(name.substring(11, 13));
        }

        assertThat(buckets).hasSize(16);
    }

    @Test
    void zonesAndLocalesDoNotMatter() {
        TimeZone zone = TimeZone.getDefault();
        Locale locale = Locale.getDefault();
        String expected = NAMES.of(new ChunkName(TIME, "5m-k3v9x2m4qd7h", 17));
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

            assertThat(NAMES.of(new ChunkName(TIME, "5m-k3v9x2m4qd7h", 17))).isEqualTo(expected);
            assertThat(NAMES.parse(expected)).isPresent();
            assertThat(TimeFolders.covering(TIME, TIME.plusSeconds(1))).containsExactly("2026/11/29/10/");
        } finally {
            TimeZone.setDefault(zone);
            Locale.setDefault(locale);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"activities", "/", "/a/", "a//", "a/./", "a/../", "a./", "a\\b/", "a\nb/", "\uD800/"})
    void prefixesThatAreRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.checkedPrefix(prefix))
                .withMessageStartingWith("the prefix '" + prefix + "'");
    }

    @Test
    void prefixesAndBuckets() {
        assertThat(BlobNames.checkedPrefix("")).isEmpty();
        assertThat(BlobNames.checkedPrefix("a/ü b/")).isEqualTo("a/ü b/");
        assertThatIllegalArgumentException().isThrownBy(() -> BlobNames.checkedPrefix("a".repeat(900) + "/"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BlobNames("", 257, ".txt"))
                .withMessage("buckets is 1 to 256, not 257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NAMES.of(new ChunkName(Instant.MAX, "5m-k3v9x2m4qd7h", 0)))
                .withMessageContaining("the clock of this machine is wrong");
        assertThatIllegalArgumentException().isThrownBy(() -> NAMES.of(new ChunkName(TIME, "A/b", 0)));
    }
}
