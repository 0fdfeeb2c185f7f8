package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OwnWritesTest {

    private static final String ROW = Bed.KEY.resource();

    private final Bed bed = new Bed();
    private final Origin origin = bed.origin;

    private CompletableFuture<CachedResponse> read() {
        return bed.read(Bed.MINUTE).toFuture();
    }

    private void written(String content) {
        origin.write(content);
        bed.engine.invalidate(ROW, Duration.ZERO);
    }

    @Test
    @DisplayName("CACHE-4: after our own write what is kept is asked about, once")
    void ourOwnWriteInvalidates() {
        bed.see(Bed.MINUTE);
        written("two");

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REFRESHED two");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT two");
    }

    @Test
    @DisplayName("CACHE-4: a write that has changed nothing costs no transfer")
    void aWriteThatHasFailedCostsNoTransfer() {
        bed.see(Bed.MINUTE);
        bed.engine.invalidate(ROW, Duration.ZERO);

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
    }

    @Test
    @DisplayName("CACHE-4: a load begun before our write is given to its readers and not kept")
    void aLoadBegunBeforeOurWriteIsNotKept() {
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        var old = origin.respond(Conditions.NONE);
        written("two");
        origin.release(old);
        assertThat(Bed.text(before.join())).isEqualTo("MISS one");
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
        origin.holding = false;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS two");
    }

    @Test
    @DisplayName("CACHE-4: a read that begins after our write does not join a load begun before it, nor is its response"
            + " overwritten by that")
    void aLaterReaderDoesNotJoin() {
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        var old = origin.respond(Conditions.NONE);
        written("two");
        CompletableFuture<CachedResponse> after = read();
        assertThat(origin.requests).hasValue(2);
        var first = origin.waiting.remove(0);
        origin.release();
        assertThat(Bed.text(after.join())).isEqualTo("MISS two");
        first.tryEmitValue(old);

        assertThat(Bed.text(before.join())).isEqualTo("MISS one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT two");
    }

    @Test
    @DisplayName("CACHE-4: the load that was passed by leaves the flight of the later one in place")
    void theLaterLoadStaysJoinable() {
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        var old = origin.respond(Conditions.NONE);
        written("two");
        CompletableFuture<CachedResponse> after = read();
        origin.release(old);
        assertThat(Bed.text(before.join())).isEqualTo("MISS one");
        CompletableFuture<CachedResponse> third = read();
        assertThat(origin.requests).hasValue(2);
        origin.release();

        assertThat(Bed.text(after.join())).isEqualTo("MISS two");
        assertThat(Bed.text(third.join())).isEqualTo("COLLAPSED two");
    }

    @Test
    @DisplayName("CACHE-4: until the horizon of an unanswered write nothing that is read counts as fresh")
    void nothingIsFreshBeforeTheHorizon() {
        bed.see(Bed.MINUTE);
        bed.engine.invalidate(ROW, Duration.ofSeconds(30));

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        bed.pass(Duration.ofSeconds(29));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        origin.write("late");
        bed.pass(Duration.ofSeconds(1));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REFRESHED late");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT late");
    }

    @Test
    @DisplayName("CACHE-4: before the horizon readers share a load; after it they join none from before it")
    void loadsAcrossTheHorizonAreNotJoined() {
        bed.engine.invalidate(ROW, Duration.ofSeconds(30));
        origin.holding = true;
        CompletableFuture<CachedResponse> first = read();
        CompletableFuture<CachedResponse> second = read();
        assertThat(origin.requests).hasValue(1);
        var old = origin.respond(Conditions.NONE);
        origin.write("late");
        bed.pass(Duration.ofSeconds(30));
        CompletableFuture<CachedResponse> third = read();
        assertThat(origin.requests).hasValue(2);
        var before = origin.waiting.remove(0);
        origin.release();
        before.tryEmitValue(old);

        assertThat(Bed.text(first.join())).isEqualTo("MISS one");
        assertThat(Bed.text(second.join())).isEqualTo("COLLAPSED one");
        assertThat(Bed.text(third.join())).isEqualTo("MISS late");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT late");
    }

    @Test
    @DisplayName("CACHE-4: a read after the horizon of one lost write joins no load from before it, though another's is"
            + " still to come")
    void horizonsThatOverlapCountEach() {
        bed.engine.invalidate(ROW, Duration.ofSeconds(30));
        bed.pass(Duration.ofSeconds(20));
        bed.engine.invalidate(ROW, Duration.ofSeconds(30));
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        var old = origin.respond(Conditions.NONE);
        origin.write("late");
        bed.pass(Duration.ofSeconds(10));
        CompletableFuture<CachedResponse> after = read();
        origin.release(old);
        origin.release();

        assertThat(Bed.text(before.join())).isEqualTo("MISS one");
        assertThat(Bed.text(after.join())).isEqualTo("MISS late");
    }

    @Test
    @DisplayName("CACHE-4: what our own write has made old is not given as stale either")
    void whatWeHaveWrittenIsNotGivenAsStale() {
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1)).staleWhileRevalidating(Duration.ofHours(1));
        bed.see(freshness);
        written("two");
        origin.failure = new UncheckedIOException(new IOException("down"));

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> bed.see(freshness));
    }

    @Test
    @DisplayName("CACHE-4: a time of modification is no condition after our own write, which may be of the same second")
    void aTimeOfModificationIsNoConditionAfterAWrite() {
        origin.withoutEtag = true;
        origin.more.put("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT");
        origin.more.put("Date", "Sun, 22 Nov 2026 10:00:05 GMT");
        bed.see(Bed.MINUTE);
        written("two");

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REFRESHED two");
    }

    @Test
    @DisplayName(
            "CACHE-1 CACHE-4: a write of ours while the service is asked under a time of modification leaves its 304"
                    + " a response")
    void aWriteWhileTheServiceIsRequestedLeavesA304() {
        origin.withoutEtag = true;
        origin.more.put("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT");
        origin.more.put("Date", "Sun, 22 Nov 2026 10:00:05 GMT");
        bed.see(Bed.MINUTE);
        bed.pass(Duration.ofMinutes(2));
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        bed.engine.invalidate(ROW, Duration.ZERO);
        origin.release(Loader.LoadResult.notModified(Map.of()));

        assertThat(Bed.text(before.join())).isEqualTo("REVALIDATED one");
    }

    @Test
    @DisplayName("CACHE-4: a horizon beyond all time is one that never comes")
    void aHorizonBeyondAllTime() {
        bed.see(Bed.MINUTE);
        bed.pass(Duration.ofDays(1));
        bed.engine.invalidate(ROW, ChronoUnit.FOREVER.getDuration());
        bed.engine.invalidateAll("account/", ChronoUnit.FOREVER.getDuration());
        bed.see(Bed.MINUTE);
        bed.pass(Duration.ofDays(1));

        assertThat(bed.see(Bed.MINUTE)).isIn("REVALIDATED one", "MISS one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
    }

    @Test
    @DisplayName("CACHE-4: a table that is gone takes all of its responses with it, and no others")
    void aPrefixIsInvalidated() {
        bed.see(Bed.MINUTE);
        bed.engine.invalidateAll("account/other/", Duration.ZERO);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
        origin.write(null);
        bed.engine.invalidateAll("account/table/", Duration.ZERO);
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS gone");
    }

    @Test
    @DisplayName("CACHE-4: a load begun before a prefix was invalidated is not kept")
    void aLoadBegunBeforeAPrefixWasInvalidatedIsNotKept() {
        origin.holding = true;
        CompletableFuture<CachedResponse> before = read();
        bed.engine.invalidateAll("account/table/", Duration.ZERO);
        origin.release();
        before.join();

        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    @DisplayName("CACHE-4: until the horizon of an unanswered write of a whole table nothing is fresh")
    void aPrefixHasAHorizonToo() {
        bed.see(Bed.MINUTE);
        bed.engine.invalidateAll("account/table/", Duration.ofSeconds(30));
        bed.see(Bed.MINUTE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED one");
        bed.pass(Duration.ofSeconds(30));
        bed.see(Bed.MINUTE);

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
    }
}
