package io.stowline.caching.internal.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.internal.disk.CacheKeyText;
import io.stowline.caching.internal.engine.KeyBackoffs;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.entry.InvalidationLog.PendingWrites;
import io.stowline.caching.internal.load.CacheKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The parts of the engine. */
class PartsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final InvalidationLog stamps = new InvalidationLog();

    private static ClockReading at(long seconds) {
        return new ClockReading(seconds * SECOND, seconds * 1000);
    }

    @Property
    @Label("CACHE-6: a key is told again from its text, so that no two keys have the same")
    void keysAreReportedAgainFromTheirTexts(@ForAll String scope, @ForAll String resource, @ForAll String variant) {
        CacheKey key = new CacheKey(scope, resource, variant);

        assertThat(CacheKeyText.key(CacheKeyText.of(key))).isEqualTo(key);
    }

    @Test
    @DisplayName("CACHE-3: a clock that is put back makes nothing younger, and a machine that has slept makes it older")
    void theClockThatSaysMoreCounts() {
        assertThat(at(10).ageNanos(new ClockReading(20 * SECOND, 0))).isEqualTo(10 * SECOND);
        assertThat(at(10).ageNanos(new ClockReading(20 * SECOND, 3_600_000))).isEqualTo(3_590 * SECOND);
        assertThat(at(10).ageNanos(new ClockReading(20 * SECOND, Long.MAX_VALUE)))
                .isPositive();
    }

    @Test
    @DisplayName("CACHE-4: a write costs no other resource anything, though their names have one hash")
    void resourcesAreReportedApart() {
        InvalidationStamp stamp = stamps.stamp("Aa", at(1));
        stamps.stamp("BB", at(1));
        stamps.invalidate("BB", 0, at(1));

        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        assertThat(stamps.hold("Aa", stamp, at(1))).isTrue();
        assertThat(stamps.hold("BB", stamp, at(1))).isFalse();
    }

    @Test
    @DisplayName("CACHE-4: 1,000 writes a second of what is read, too, empty no window of 30 s")
    void aBusyWriterEmptiesNoWindow() {
        List<InvalidationStamp> kept = new ArrayList<>();
        for (int n = 0; n < 1_000; n++) {
            kept.add(stamps.stamp("table/kept" + n, at(0)));
        }
        for (int n = 0; n < 30_000; n++) {
            stamps.stamp("table/written" + n, at(n / 1_000));
            stamps.invalidate("table/written" + n, 0, at(n / 1_000));
        }
        long lost = IntStream.range(0, 1_000)
                .filter(n -> !stamps.hold("table/kept" + n, kept.get(n), at(30)))
                .count();

        assertThat(lost).isZero();
    }

    @Test
    @DisplayName("CACHE-4: no write is ever forgotten, however many there are")
    void noWriteIsForgotten() {
        List<InvalidationStamp> before = new ArrayList<>();
        for (int n = 0; n < 300_000; n++) {
            before.add(stamps.stamp("r" + n, at(1)));
        }
        for (int n = 0; n < 300_000; n++) {
            stamps.invalidate("r" + n, n % 3 == 0 ? at(n % 40).nanos() : 0, at(1));
        }
        long missed = IntStream.range(0, 300_000)
                .filter(n -> stamps.current("r" + n, before.get(n), at(1)))
                .count();
        assertThat(missed).isZero();
        long early = IntStream.range(0, 300_000)
                .filter(n -> n % 3 == 0 && n % 40 > 2)
                .filter(n -> stamps.hold("r" + n, stamps.stamp("r" + n, at(2)), at(2)))
                .count();

        assertThat(early).isZero();
        assertThat(stamps.hold("r0", stamps.stamp("r0", at(50)), at(51))).isTrue();
    }

    @Test
    @DisplayName("A8 CACHE-4: writes of unread resources cost no response that is kept")
    void writesOfWhatNobodyHasReadCostNothing() {
        InvalidationStamp stamp = stamps.stamp("read", at(1));
        for (int n = 0; n < 20_000; n++) {
            stamps.invalidate("written" + n, 0, at(1));
        }
        assertThat(stamps.hold("read", stamp, at(1))).isTrue();
        stamps.invalidate("read", 0, at(1));

        assertThat(stamps.hold("read", stamp, at(1))).isFalse();
    }

    @Property
    @Label("CACHE-4: a load from before a horizon is no longer current after it, whatever horizons there are, and one"
            + " from after all of them is")
    void everyHorizonCounts(@ForAll @Size(max = 8) List<@IntRange(min = 1, max = 50) Integer> horizons) {
        horizons.forEach(horizon -> stamps.invalidate("r", at(horizon).nanos(), at(0)));
        for (int begun = 0; begun <= 51; begun++) {
            InvalidationStamp stamp = stamps.stamp("r", at(begun));
            for (int horizon : horizons) {
                assertThat(stamps.current("r", stamp, at(Math.max(begun, horizon))))
                        .as("begun at %d, horizon %d", begun, horizon)
                        .isEqualTo(begun >= horizon);
            }
        }
        assertThat(stamps.hold("r", stamps.stamp("r", at(50)), at(99))).isTrue();
    }

    @Test
    @DisplayName("CACHE-4: writes without a response take no memory, however many there are")
    void writesWithoutAResponseTakeNoMemory() {
        PendingWrites writes = PendingWrites.NONE;
        for (int n = 0; n < 2_000_000; n++) {
            writes = writes.and(n + 1, at(30 + n / 1_000).nanos(), at(n / 1_000));
        }
        assertThat(writes)
                .isEqualTo(
                        new PendingWrites(2_000_000, at(30).nanos(), at(2_029).nanos()));
        assertThat(writes.and(2_000_001, at(2_060).nanos(), at(2_030)))
                .isEqualTo(new PendingWrites(
                        2_000_001, at(2_060).nanos(), at(2_060).nanos()));
    }

    @Test
    @DisplayName("CACHE-4: prefixes beyond those remembered invalidate everything before them")
    void forgottenPrefixesInvalidateEverything() {
        InvalidationStamp stamp = stamps.stamp("a/b", at(1));
        for (int n = 0; n < 64; n++) {
            stamps.invalidateAll("other" + n, 0, at(1));
        }
        assertThat(stamps.hold("a/b", stamp, at(1))).isTrue();
        assertThat(stamps.hold("other0/x", stamps.stamp("other0/x", at(1)), at(1)))
                .isTrue();
        stamps.invalidateAll("other64", 0, at(1));

        assertThat(stamps.hold("a/b", stamp, at(1))).isFalse();
        assertThat(stamps.hold("a/b", stamps.stamp("a/b", at(1)), at(1))).isTrue();
    }

    @Property
    @Label("CACHE-4: what is no longer current never becomes current again")
    void currencyIsLostForGood(@ForAll byte[] steps) {
        InvalidationStamp stamp = stamps.stamp("r", at(0));
        boolean lost = false;
        long now = 0;
        for (byte step : steps) {
            long horizon = at(now + 5).nanos();
            if (step % 5 == 1) {
                stamps.invalidate("r", horizon, at(now));
            } else if (step % 5 == 2) {
                stamps.invalidateAll("other", horizon, at(now));
            }
            now += 3;
            boolean current = stamps.current("r", stamp, at(now));
            assertThat(lost && current).isFalse();
            lost |= !current;
        }
    }

    @Test
    void theFirstHorizonCountsFromTheFirstMoment() {
        InvalidationStamp stamp = stamps.stamp("r", at(0));

        assertThat(stamps.hold("r", stamp, at(1))).isTrue();
        assertThat(stamps.hold("r", InvalidationStamp.earlier(0), at(1))).isTrue();
    }

    @Test
    void headersAreMergedAsTheRfcHasIt() {
        var kept = HeaderMap.of(Map.of("ETag", "\"1\"", "content-length", "5", "Server", "a", "x-ms-meta-k", "v"));
        var stated = Map.of(
                "etag", "\"1\"", "Content-Length", "0", "Content-Type", "none", "server", "b", "X-MS-Error-Code", "x");

        assertThat(HeaderMap.renewed(kept, stated))
                .containsOnly(
                        Map.entry("ETag", "\"1\""),
                        Map.entry("content-length", "5"),
                        Map.entry("Server", "b"),
                        Map.entry("x-ms-meta-k", "v"));
    }

    @Test
    void timesThatCannotBeReadSayNothing() {
        assertThat(HeaderMap.strongLastModified(Map.of("Last-Modified", "yesterday", "Date", "today")))
                .isNull();
        assertThat(HeaderMap.strongLastModified(Map.of("Date", "Sun, 22 Nov 2026 10:00:00 GMT")))
                .isNull();
    }

    @Test
    void failuresDoubleTheTimeUpToABound() {
        KeyBackoffs backoffs = new KeyBackoffs();
        CacheKey key = new CacheKey("s", "r", "v");
        long now = 0;
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 64, 64}) {
            assertThat(backoffs.take(key, at(now))).isTrue();
            assertThat(backoffs.take(key, at(now))).as("one at a time").isFalse();
            backoffs.failed(key, at(now));
            assertThat(backoffs.take(key, at(now + seconds - 1))).isFalse();
            now += seconds;
        }
        assertThat(backoffs.take(key, at(now))).isTrue();
        backoffs.succeeded(key);
        assertThat(backoffs.take(key, at(now))).isTrue();
    }
}
