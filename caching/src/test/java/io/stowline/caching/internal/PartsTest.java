package io.stowline.caching.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.CacheKey;
import java.time.Duration;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the engine is made of. */
class PartsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Stamps stamps = new Stamps();

    private static Moment at(long seconds) {
        return new Moment(seconds * SECOND, seconds * 1000);
    }

    @Property
    @Label("C6: a key is told again from its text, so that no two keys have the same")
    void keysAreToldAgainFromTheirTexts(@ForAll String scope, @ForAll String resource, @ForAll String variant) {
        CacheKey key = new CacheKey(scope, resource, variant);

        assertThat(KeyText.key(KeyText.of(key))).isEqualTo(key);
    }

    @Test
    @DisplayName("C3: a clock that is put back makes nothing younger, and a machine that has slept makes it older")
    void theClockThatSaysMoreCounts() {
        assertThat(at(10).ageNanos(new Moment(20 * SECOND, 0))).isEqualTo(10 * SECOND);
        assertThat(at(10).ageNanos(new Moment(20 * SECOND, 3_600_000))).isEqualTo(3_590 * SECOND);
        assertThat(at(10).ageNanos(new Moment(20 * SECOND, Long.MAX_VALUE))).isPositive();
    }

    @Test
    @DisplayName("C4: two resources of one stripe cost each other a request, and never an answer")
    void resourcesOfOneStripeInvalidateEachOther() {
        Stamp stamp = stamps.stamp("Aa", at(1));
        stamps.invalidate("BB", 0);

        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        assertThat(stamps.hold("Aa", stamp, at(1))).isFalse();
        assertThat(stamps.hold("Cc", stamps.stamp("Cc", at(1)), at(1))).isTrue();
    }

    @Test
    @DisplayName("C4: prefixes beyond those remembered invalidate everything before them")
    void forgottenPrefixesInvalidateEverything() {
        Stamp stamp = stamps.stamp("a/b", at(1));
        for (int n = 0; n < 64; n++) {
            stamps.invalidateAll("other" + n, 0);
        }
        assertThat(stamps.hold("a/b", stamp, at(1))).isTrue();
        assertThat(stamps.hold("other0/x", stamps.stamp("other0/x", at(1)), at(1)))
                .isTrue();
        stamps.invalidateAll("other64", 0);

        assertThat(stamps.hold("a/b", stamp, at(1))).isFalse();
        assertThat(stamps.hold("a/b", stamps.stamp("a/b", at(1)), at(1))).isTrue();
    }

    @Property
    @Label("C4: what is no longer current never becomes current again")
    void currencyIsLostForGood(@ForAll boolean[] steps) {
        Stamp stamp = stamps.stamp("r", at(0));
        boolean lost = false;
        long now = 0;
        for (boolean write : steps) {
            if (write) {
                stamps.invalidate("r", at(now + 5).nanos());
            }
            now += 3;
            boolean current = stamps.current("r", stamp, at(now));
            assertThat(lost && current).isFalse();
            lost |= !current;
        }
    }

    @Test
    void theFirstHorizonCountsFromTheFirstMoment() {
        Stamp stamp = stamps.stamp("r", at(0));

        assertThat(stamps.hold("r", stamp, at(1))).isTrue();
        assertThat(stamps.hold("r", Stamp.earlier(0), at(1))).isTrue();
    }

    @Test
    void headersAreMergedAsTheRfcHasIt() {
        var kept = Headers.of(Map.of("ETag", "\"1\"", "content-length", "5", "Server", "a", "x-ms-meta-k", "v"));
        var said = Map.of(
                "etag", "\"1\"", "Content-Length", "0", "Content-Type", "none", "server", "b", "X-MS-Error-Code", "x");

        assertThat(Headers.renewed(kept, said))
                .containsOnly(
                        Map.entry("ETag", "\"1\""),
                        Map.entry("content-length", "5"),
                        Map.entry("Server", "b"),
                        Map.entry("x-ms-meta-k", "v"));
    }

    @Test
    void timesThatCannotBeReadSayNothing() {
        assertThat(Headers.strongLastModified(Map.of("Last-Modified", "yesterday", "Date", "today")))
                .isNull();
        assertThat(Headers.strongLastModified(Map.of("Date", "Sun, 22 Nov 2026 10:00:00 GMT")))
                .isNull();
    }

    @Test
    void failuresDoubleTheTimeUpToABound() {
        Backoffs backoffs = new Backoffs();
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
