package io.stowline.caching.internal.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.Bed;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.engine.Origin;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class FreshnessTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private final UncheckedIOException down = new UncheckedIOException(new IOException("down"));

    private final Bed bed = new Bed();
    private final Origin origin = bed.origin;

    @Test
    @DisplayName("CACHE-3: within the window there is no request, and the age is told")
    void withinTheWindowThereIsNoRequest() {
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        bed.pass(Duration.ofSeconds(59));

        CachedResponse response = Objects.requireNonNull(bed.read(Bed.MINUTE).block());
        assertThat(Bed.text(response)).isEqualTo("HIT one");
        assertThat(response.age()).isEqualTo(Duration.ofSeconds(59));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.length()).isEqualTo(3);
        assertThat(origin.requests).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-1: a 304 is a hit: its headers are merged and the age begins anew")
    void notModifiedRevalidates() {
        origin.more.put("Content-Type", "text/plain");
        bed.see(Bed.MINUTE);
        bed.pass(Duration.ofSeconds(60));

        CachedResponse response = Objects.requireNonNull(bed.read(Bed.MINUTE).block());
        assertThat(Bed.text(response)).isEqualTo("REVALIDATED one");
        assertThat(response.age()).isZero();
        assertThat(response.headers())
                .containsEntry("x-ms-request-id", "of 304")
                .containsEntry("Content-Type", "text/plain")
                .doesNotContainKey("Content-Length");
        assertThat(response.headers().get("etag")).isEqualTo("\"1\"");
        assertThat(origin.requested).containsExactly(Conditions.NONE, new Conditions("\"1\"", null));
        bed.pass(Duration.ofSeconds(59));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
        assertThat(origin.bodies).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-1: a 200 with the same ETag is a hit that cost a transfer: what is kept stays")
    void theSameVersionRevalidates() {
        bed.see(Bed.MINUTE);
        origin.heedless = true;
        bed.pass(Duration.ofSeconds(60));

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        bed.pass(Duration.ofSeconds(59));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
        assertThat(origin.bodies).hasValue(2);
    }

    @Test
    void anotherVersionTakesItsPlace() {
        bed.see(Bed.MINUTE);
        origin.write("two");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
        bed.pass(Duration.ofSeconds(60));

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REFRESHED two");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT two");
    }

    @Test
    @DisplayName("CACHE-3: with no window every read asks, and each reader judges by its own freshness")
    void eachReaderJudgesByItsOwnFreshness() {
        bed.see(Bed.MINUTE);

        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REVALIDATED one");
        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REVALIDATED one");
        bed.pass(Duration.ofSeconds(10));
        assertThat(bed.see(Freshness.fresh(Duration.ofSeconds(10)))).isEqualTo("REVALIDATED one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
        assertThat(origin.requests).hasValue(4);
    }

    @Test
    @DisplayName("CACHE-3: a response is old from the moment at which its load began")
    void theAgeCountsFromTheBeginningOfTheLoad() {
        origin.holding = true;
        var reader = bed.read(Bed.MINUTE).toFuture();
        bed.pass(Duration.ofSeconds(61));
        origin.release();
        reader.join();
        origin.holding = false;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
    }

    @Test
    void staleIsGivenAtOnceWhileOneRequestIsMadeBehindIt() {
        Freshness freshness = Bed.MINUTE.staleWhileRevalidating(Duration.ofMinutes(5));
        bed.see(freshness);
        origin.write("two");
        origin.holding = true;
        bed.pass(Duration.ofMinutes(2));

        assertThat(bed.see(freshness)).isEqualTo("STALE one");
        assertThat(bed.see(freshness)).isEqualTo("STALE one");
        assertThat(origin.requests).hasValue(2);
        origin.release();
        assertThat(bed.see(freshness)).isEqualTo("HIT two");
    }

    @Test
    @DisplayName("CACHE-3: what is older than the bound of staleness is not given")
    void beyondTheBoundStaleIsNotGiven() {
        Freshness freshness = Bed.MINUTE.staleWhileRevalidating(Duration.ofMinutes(5));
        bed.see(freshness);
        origin.write("two");
        bed.pass(Duration.ofMinutes(6));

        assertThat(bed.see(freshness)).isEqualTo("REFRESHED two");
    }

    @Test
    void aFailureBehindAStaleResponseIsCountedAndBacksOff() {
        Freshness freshness = Bed.MINUTE.staleWhileRevalidating(Duration.ofMinutes(5));
        bed.see(freshness);
        origin.failure = down;
        bed.pass(Duration.ofMinutes(2));

        for (int read = 0; read < 10; read++) {
            assertThat(bed.see(freshness)).isEqualTo("STALE one");
        }
        assertThat(origin.requests).hasValue(2);
        assertThat(bed.engine.count(CacheCounter.FAILED_REFRESHES)).isEqualTo(1);
        bed.pass(SECOND);
        bed.see(freshness);
        assertThat(origin.requests).hasValue(3);
        bed.pass(SECOND);
        bed.see(freshness);
        assertThat(origin.requests).hasValue(3);
        bed.pass(SECOND);
        origin.failure = null;
        assertThat(bed.see(freshness)).isEqualTo("STALE one");
        assertThat(bed.see(freshness)).isEqualTo("HIT one");
    }

    @Test
    @DisplayName("CACHE-3: stale-if-error is off by default, and bounded")
    void staleIfErrorIsBounded() {
        bed.see(Bed.MINUTE);
        origin.failure = down;
        bed.pass(Duration.ofMinutes(2));
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> bed.see(Bed.MINUTE));
        assertThat(bed.see(freshness)).isEqualTo("STALE one");
        bed.pass(Duration.ofMinutes(59));
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> bed.see(freshness));
    }

    @Test
    @DisplayName("CACHE-3: a load that something old may stand in for tries once; its failure is remembered for 5 s")
    void theFirstFailureIsEnough() {
        List<String> requested = new ArrayList<>();
        Loader loader = new Loader() {
            @Override
            public Mono<Loader.LoadResult> load(Conditions conditions) {
                requested.add("load");
                return origin.load(conditions);
            }

            @Override
            public Mono<Loader.LoadResult> loadOnce(Conditions conditions) {
                requested.add("once");
                return origin.load(conditions);
            }
        };
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));
        Supplier<String> read = () -> Bed.text(
                Objects.requireNonNull(bed.read(Bed.KEY, freshness, loader).block(Duration.ofSeconds(30))));
        assertThat(read.get()).isNotEmpty();
        origin.failure = down;
        bed.pass(Duration.ofMinutes(2));
        assertThat(read.get()).isEqualTo("STALE one");
        bed.pass(Duration.ofMillis(4_999));
        assertThat(read.get()).isEqualTo("STALE one");
        assertThat(requested).containsExactly("load", "once");
        bed.pass(Duration.ofMillis(1));
        assertThat(read.get()).isEqualTo("STALE one");
        origin.failure = null;
        bed.pass(Duration.ofSeconds(5));
        assertThat(read.get()).isEqualTo("REVALIDATED one");

        assertThat(requested).containsExactly("load", "once", "once", "once");
    }

    @Test
    @DisplayName("CACHE-3: a reader who takes nothing old is not failed by the load that tried once")
    void aReaderWhoTakesNothingOldTriesByItself() {
        bed.see(Bed.MINUTE);
        bed.pass(Duration.ofMinutes(2));
        origin.holding = true;
        CompletableFuture<CachedResponse> tolerant =
                bed.read(Bed.MINUTE.staleIfError(Duration.ofHours(1))).toFuture();
        CompletableFuture<CachedResponse> strict = bed.read(Bed.MINUTE).toFuture();
        origin.waiting.remove(0).tryEmitError(down);
        assertThat(Bed.text(tolerant.join())).isEqualTo("STALE one");
        assertThat(strict).isNotDone();
        origin.release();

        assertThat(Bed.text(strict.join())).isEqualTo("REVALIDATED one");
    }

    @Test
    @DisplayName("CACHE-3: times without a bound are added to windows of any length")
    void timesWithoutABound() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        Freshness freshness = Bed.MINUTE.staleIfError(forever).staleWhileRevalidating(forever);
        bed.see(freshness);
        origin.failure = down;
        bed.pass(Duration.ofDays(10_000));

        assertThat(bed.see(freshness)).isEqualTo("STALE one");
        assertThat(bed.see(Bed.MINUTE.staleIfError(forever))).isEqualTo("STALE one");
        assertThat(bed.see(Freshness.fresh(forever).staleIfError(forever))).isEqualTo("HIT one");
    }

    @Test
    @DisplayName("CACHE-3: a refusal is no failure to ask")
    void aRefusalPassesThrough() {
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));
        bed.see(freshness);
        origin.failure = new IllegalArgumentException("403");
        bed.pass(Duration.ofMinutes(2));

        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> bed.see(freshness));
    }

    @Test
    void anAbsenceRemovesWhatIsKept() {
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));
        bed.see(freshness);
        origin.write(null);
        bed.pass(Duration.ofMinutes(2));

        CachedResponse response = Objects.requireNonNull(bed.read(freshness).block());
        assertThat(response.absent()).isTrue();
        assertThat(response.status()).isEqualTo(404);
        assertThat(Bed.text(response)).isEqualTo("REFRESHED gone");
        origin.failure = down;
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> bed.see(freshness));
    }

    @Test
    void anAbsenceIsRememberedForItsOwnWindowOnly() {
        Freshness freshness = Bed.MINUTE.negative(Duration.ofSeconds(5));
        origin.write(null);

        assertThat(bed.see(freshness)).isEqualTo("MISS gone");
        assertThat(bed.see(freshness)).isEqualTo("HIT gone");
        assertThat(bed.outcome(Bed.MINUTE)).isEqualTo(CacheOutcome.REFRESHED);
        bed.see(freshness);
        bed.pass(Duration.ofSeconds(5));
        origin.write("back");
        assertThat(bed.see(freshness)).isEqualTo("REFRESHED back");
        assertThat(origin.requested).containsOnly(Conditions.NONE);
    }

    @Test
    void aTimeOfModificationServesWhereThereIsNoEtag() {
        origin.withoutEtag = true;
        origin.more.put("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT");
        origin.more.put("Date", "Sun, 22 Nov 2026 10:00:01 GMT");
        bed.see(Bed.MINUTE);

        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REVALIDATED one");
        assertThat(origin.requested).last().isEqualTo(new Conditions(null, "Sun, 22 Nov 2026 10:00:00 GMT"));
    }

    @Test
    void aTimeOfModificationInTheSecondOfTheResponseSaysNothing() {
        origin.withoutEtag = true;
        origin.more.put("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT");
        origin.more.put("Date", "Sun, 22 Nov 2026 10:00:00 GMT");
        bed.see(Bed.MINUTE);

        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REFRESHED one");
        assertThat(origin.requested).containsOnly(Conditions.NONE);
    }

    @Test
    void whatCannotBeRevalidatedIsHandedThrough() {
        origin.withoutEtag = true;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    void a304ThatNobodyRequestedIsAnError() {
        origin.holding = true;
        var reader = bed.read(Bed.MINUTE).toFuture();
        origin.release(Loader.LoadResult.notModified(Map.of()));

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(reader::join)
                .withMessageContaining("but its request had no condition");
    }

    @Test
    void whatIsReportedNotToBeKeptChangesNothing() {
        bed.see(Bed.MINUTE);
        origin.write("two");
        var secondary = new Origin();
        secondary.write("older");

        String seen = Bed.text(Objects.requireNonNull(bed.read(Bed.KEY, Freshness.revalidated(), conditions -> secondary
                        .load(conditions)
                        .map(Loader.LoadResult::unkept))
                .block()));
        assertThat(seen).isEqualTo("REFRESHED older");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
    }
}
