package io.stowline.caching.internal.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.Bed;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CacheTiersTest {

    private static final String LARGE = "0123456789".repeat(1_000);

    private final FakeShelf shelf = new FakeShelf();
    private final Bed bed = new Bed(20_000, 4_000, shelf);
    private final Bed shelfless = new Bed(20_000, 4_000, null);

    @Test
    @DisplayName("CACHE-5: memory is weighed in bytes, and what is read least gives way")
    void memoryIsWeighed() {
        String text = "x".repeat(2_000);
        for (int n = 0; n < 100; n++) {
            shelfless.origin.write(text);
            shelfless
                    .read(new CacheKey("scope", "row" + n, ""), Bed.MINUTE, shelfless.origin)
                    .block();
        }

        assertThat(shelfless.engine.count(CacheCounter.MEMORY_BYTES)).isBetween(10_000L, 20_000L);
        assertThat(shelfless.engine.count(CacheCounter.ENTRIES)).isBetween(4L, 9L);
        assertThat(shelfless.engine.count(CacheCounter.EVICTIONS)).isGreaterThan(80);
        assertThat(shelfless.engine.count(CacheCounter.PUTS)).isEqualTo(100);
    }

    @Test
    @DisplayName("CACHE-5: keys and headers weigh too")
    void keysAndHeadersWeigh() {
        shelfless.origin.more.put("x-ms-meta-note", "y".repeat(4_000));
        shelfless.see(Bed.MINUTE);
        assertThat(shelfless.engine.count(CacheCounter.ENTRIES)).isZero();
        shelfless.origin.more.clear();
        shelfless
                .read(new CacheKey("", "r".repeat(4_000), ""), Bed.MINUTE, shelfless.origin)
                .block();

        assertThat(shelfless.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    @DisplayName("CACHE-5: what is too large for memory is kept on disk, asked about and given from there")
    void largeResponsesAreKeptOnTheShelf() {
        bed.origin.write(LARGE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS " + LARGE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE);
        bed.pass(Duration.ofMinutes(2));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED " + LARGE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE);
        bed.engine.invalidate(Bed.KEY.resource(), Duration.ZERO);
        bed.origin.write(LARGE + "!");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REFRESHED " + LARGE + "!");

        assertThat(bed.origin.bodies).hasValue(2);
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
        assertThat(shelf.open).hasValue(0);
    }

    @Test
    @DisplayName("CACHE-5: what has become small moves into memory, what has become large onto disk")
    void respondsMoveBetweenTheTiers() {
        bed.origin.write(LARGE);
        bed.see(Bed.MINUTE);
        bed.origin.write("small");
        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REFRESHED small");
        assertThat(shelf.heads).isEmpty();
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT small");
        bed.origin.write(LARGE);
        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REFRESHED " + LARGE);

        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE);
    }

    @Test
    void followersOfALargeLoadAreServedFromTheShelf() {
        bed.origin.write(LARGE);
        bed.origin.holding = true;
        CompletableFuture<CachedResponse> leader = bed.read(Bed.MINUTE).toFuture();
        CompletableFuture<CachedResponse> follower = bed.read(Bed.MINUTE).toFuture();
        bed.origin.release();

        assertThat(Bed.text(leader.join())).isEqualTo("MISS " + LARGE);
        assertThat(Bed.text(follower.join())).isEqualTo("COLLAPSED " + LARGE);
        assertThat(bed.origin.requests).hasValue(1);
        assertThat(shelf.open).hasValue(0);
    }

    @Test
    void closingALargeResponseClosesItsFile() {
        bed.origin.write(LARGE);
        bed.outcome(Bed.MINUTE);
        assertThat(shelf.open).hasValue(0);
        CachedResponse response = Objects.requireNonNull(bed.read(Bed.MINUTE).block());
        assertThat(shelf.open).hasValue(1);
        response.close();
        response.close();

        assertThat(shelf.open).hasValue(0);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> response.bytes().block());
    }

    @Test
    void whatFitsNowhereIsHandedThroughAndFollowersAskForThemselves() {
        shelfless.see(Bed.MINUTE);
        shelfless.origin.write(LARGE);
        shelfless.origin.holding = true;
        CompletableFuture<CachedResponse> leader =
                shelfless.read(Freshness.revalidated()).toFuture();
        CompletableFuture<CachedResponse> follower =
                shelfless.read(Freshness.revalidated()).toFuture();
        shelfless.origin.release();
        shelfless.origin.release();

        assertThat(Bed.text(leader.join())).isEqualTo("REFRESHED " + LARGE);
        assertThat(Bed.text(follower.join())).isEqualTo("REFRESHED " + LARGE);
        assertThat(shelfless.origin.requests).hasValue(3);
        assertThat(shelfless.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    void whatIsLargerThanTheDiskIsHandedThrough() {
        String vast = LARGE.repeat(11);
        bed.origin.write(vast);

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS " + vast);
        assertThat(bed.engine.count(CacheCounter.FAULTS)).isZero();
        assertThat(shelf.heads).isEmpty();
    }

    @Test
    void aTransferThatNobodyTakesIsCancelled() {
        shelfless.origin.write(LARGE);
        shelfless.outcome(Bed.MINUTE);

        assertThat(shelfless.origin.bodiesCancelled).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "small", "0123456789"})
    void bodiesOfUnknownLengthAreKeptWhereTheyFit(String text) {
        for (Bed each : new Bed[] {bed, shelfless}) {
            each.origin.lengthUnknown = true;
            each.origin.write(text);
            assertThat(each.see(Bed.MINUTE)).isEqualTo("MISS " + text);
            assertThat(each.see(Bed.MINUTE)).isEqualTo("HIT " + text);
            assertThat(each.engine.count(CacheCounter.ENTRIES)).isEqualTo(1);
        }
    }

    @Test
    void aLargeBodyOfUnknownLengthGoesToDisk() {
        bed.origin.lengthUnknown = true;
        bed.origin.write(LARGE);

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS " + LARGE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE);
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    void aLargeBodyOfUnknownLengthIsRequestedAgainWhereThereIsNoDisk() {
        shelfless.origin.lengthUnknown = true;
        shelfless.origin.write(LARGE);

        assertThat(shelfless.see(Bed.MINUTE)).isEqualTo("MISS " + LARGE);
        assertThat(shelfless.origin.requests).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeShelf.Fault.class,
            names = {"BEGIN", "WRITE", "COMMIT"})
    @DisplayName("CACHE-5: a disk that fails while it is written fails no read")
    void aFaultOfTheDiskFailsNoRead(FakeShelf.Fault fault) {
        bed.origin.write(LARGE);
        bed.origin.holding = true;
        shelf.fault = fault;
        CompletableFuture<CachedResponse> leader = bed.read(Bed.MINUTE).toFuture();
        CompletableFuture<CachedResponse> follower = bed.read(Bed.MINUTE).toFuture();
        while (!bed.origin.waiting.isEmpty()) {
            bed.origin.release();
        }

        assertThat(bed.origin.requests)
                .as("what was not begun is handed through, what was lost is asked for again")
                .hasValue(fault == FakeShelf.Fault.BEGIN ? 2 : 3);
        assertThat(Bed.text(leader.join())).isEqualTo("MISS " + LARGE);
        assertThat(Bed.text(follower.join())).isEqualTo("MISS " + LARGE);
        assertThat(bed.engine.count(CacheCounter.FAULTS)).isEqualTo(1);
        assertThat(shelf.aborted).hasValue(fault == FakeShelf.Fault.BEGIN ? 0 : 1);
    }

    @Test
    @DisplayName("CACHE-5: a disk that cannot be read is a miss")
    void aDiskThatCannotBeReadIsAMiss() {
        shelf.fault = FakeShelf.Fault.FIND;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        assertThat(bed.engine.count(CacheCounter.FAULTS)).isEqualTo(1);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT one");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 5_000})
    @DisplayName("CACHE-5: a body that is cut short is not kept, and fails the read")
    void aBodyThatIsCutIsNotKept(int length) {
        Loader.LoadResult cut = Loader.LoadResult.found(
                Map.of("ETag", "\"1\""), length, Flux.just(ByteBuffer.wrap(new byte[length - 1])));

        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> bed.read(Bed.KEY, Bed.MINUTE, conditions -> Mono.just(cut))
                        .block())
                .satisfies(failure -> assertThat(Exceptions.unwrap(failure))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(length - 1 + " bytes; it was to have " + length));
        assertThat(shelf.heads).isEmpty();
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
        assertThat(bed.engine.count(CacheCounter.FAULTS)).isZero();
        assertThat(shelf.aborted).hasValue(length > 4_000 ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    @DisplayName("CACHE-5: a body that streams past the cache fails the read if it is shorter or longer than announced")
    void aBodyOfTheWrongLengthFailsAlsoPastTheCache(int more) {
        byte[] body = LARGE.getBytes(StandardCharsets.US_ASCII);
        Loader.LoadResult wrong =
                Loader.LoadResult.found(Map.of("ETag", "\"1\""), body.length - more, Flux.just(ByteBuffer.wrap(body)));

        CachedResponse response = Objects.requireNonNull(shelfless
                .read(Bed.KEY, Bed.MINUTE, conditions -> Mono.just(wrong))
                .block());

        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> response.bytes().block())
                .satisfies(failure -> assertThat(Exceptions.unwrap(failure))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(body.length + " bytes; it was to have " + (body.length - more)));
    }

    @Test
    @DisplayName(
            "CACHE-5: a transfer that fails on its way to disk leaves nothing behind, and may be answered by what is"
                    + " there")
    void aTransferThatFailsLeavesNothing() {
        Freshness freshness = Freshness.revalidated().staleIfError(Duration.ofHours(1));
        bed.origin.write(LARGE);
        bed.see(freshness);
        Loader.LoadResult failing = Loader.LoadResult.found(
                Map.of("ETag", "\"9\""),
                9_000,
                Flux.concat(
                        Flux.just(ByteBuffer.wrap(new byte[5_000])),
                        Flux.error(new UncheckedIOException(new IOException("reset")))));

        CachedResponse response =
                bed.read(Bed.KEY, freshness, conditions -> Mono.just(failing)).block();
        assertThat(Bed.text(Objects.requireNonNull(response))).isEqualTo("STALE " + LARGE);
        assertThat(shelf.aborted).hasValue(1);
        assertThat(shelf.open).hasValue(0);
    }

    @Test
    void aReaderWhoLeavesEndsTheWritingToDisk() {
        Loader.LoadResult endless = Loader.LoadResult.found(
                Map.of("ETag", "\"1\""), 9_000, Flux.concat(Flux.just(ByteBuffer.wrap(new byte[5])), Flux.never()));
        bed.read(Bed.KEY, Bed.MINUTE, conditions -> Mono.just(endless))
                .subscribe()
                .dispose();

        assertThat(shelf.aborted).hasValue(1);
        assertThat(shelf.heads).isEmpty();
    }

    @Test
    @DisplayName("CACHE-4: a large load begun before our write does not displace what a later one has put on disk")
    void anOldLargeLoadDoesNotDisplaceALaterOne() {
        bed.origin.write(LARGE);
        bed.origin.holding = true;
        CompletableFuture<CachedResponse> before = bed.read(Bed.MINUTE).toFuture();
        Loader.LoadResult old = bed.origin.found(LARGE);
        bed.origin.write(LARGE + "!");
        bed.engine.invalidate(Bed.KEY.resource(), Duration.ZERO);
        CompletableFuture<CachedResponse> after = bed.read(Bed.MINUTE).toFuture();
        var first = bed.origin.waiting.remove(0);
        bed.origin.release();
        bed.origin.holding = false;
        first.tryEmitValue(old);

        assertThat(Bed.text(after.join())).isEqualTo("MISS " + LARGE + "!");
        assertThat(Bed.text(before.join())).isEqualTo("MISS " + LARGE + "!");
        assertThat(shelf.aborted).hasValue(1);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE + "!");
    }

    @Test
    @DisplayName(
            "CACHE-4: what an earlier process has left is asked about before it is given, and may be given when the"
                    + " service is down")
    void whatAnEarlierProcessHasLeftIsAskedAbout() {
        bed.origin.write(LARGE);
        bed.see(Bed.MINUTE);
        EntryHead head = shelf.heads.get(Bed.KEY);
        shelf.heads.put(Bed.KEY, new EntryHead(200, head.headers(), InvalidationStamp.earlier(0)));
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("REVALIDATED " + LARGE);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("HIT " + LARGE);
        shelf.heads.put(Bed.KEY, new EntryHead(200, head.headers(), InvalidationStamp.earlier(0)));
        bed.origin.failure = new UncheckedIOException(new IOException("down"));
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));
        assertThat(bed.see(freshness)).isEqualTo("STALE " + LARGE);
        bed.engine.invalidate(Bed.KEY.resource(), Duration.ZERO);

        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> bed.see(freshness));
        assertThat(shelf.open).hasValue(0);
    }

    @Test
    @DisplayName(
            "CACHE-4: our own write counts for what an earlier process has left, though nobody has read it in this one")
    void ourWriteCountsForWhatAnEarlierProcessHasLeft() {
        byte[] left = LARGE.getBytes(StandardCharsets.UTF_8);
        shelf.heads.put(Bed.KEY, EntryHead.of(200, Map.of("ETag", "\"1\""), InvalidationStamp.earlier(0)));
        shelf.bodies.put(Bed.KEY, left);
        Bed later = new Bed(1 << 20, 4_000, shelf);
        later.origin.failure = new UncheckedIOException(new IOException("down"));
        Freshness freshness = Bed.MINUTE.staleIfError(Duration.ofHours(1));
        assertThat(later.see(freshness)).isEqualTo("STALE " + LARGE);

        Bed writing = new Bed(1 << 20, 4_000, shelf);
        writing.origin.failure = later.origin.failure;
        writing.engine.invalidate(Bed.KEY.resource(), Duration.ZERO);
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> writing.see(freshness));
    }

    @Test
    @DisplayName("CACHE-5: an error in the code of the disk is a fault of the cache too, and nobody waits for ever")
    void anErrorOfTheDiskFailsNoRead() {
        shelf.fault = FakeShelf.Fault.LINK;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        bed.origin.write(LARGE);
        assertThat(bed.see(Freshness.revalidated())).isEqualTo("REFRESHED " + LARGE);
        assertThat(bed.engine.count(CacheCounter.FAULTS)).isEqualTo(2);
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    @Test
    @DisplayName("CACHE-5: of a body on its way to disk one buffer is asked for at a time")
    void oneBufferIsRequestedAtATime() {
        List<Long> requested = new ArrayList<>();
        Flux<ByteBuffer> body = Flux.just(ByteBuffer.wrap(new byte[5_000]), ByteBuffer.wrap(new byte[5_000]))
                .doOnRequest(requested::add);
        Loader.LoadResult large = Loader.LoadResult.found(Map.of("ETag", "\"1\""), 10_000, body);

        assertThat(bed.read(Bed.KEY, Bed.MINUTE, conditions -> Mono.just(large)).block())
                .isNotNull();
        assertThat(requested).containsOnly(1L);
    }

    @Test
    void aPrefixIsRemovedFromTheDisk() {
        bed.origin.write(LARGE);
        bed.see(Bed.MINUTE);
        bed.engine.invalidateAll("account/", Duration.ZERO);

        assertThat(shelf.heads).isEmpty();
    }

    @Test
    void aClosedCacheKeepsNothingAndAsksForEachReader() {
        bed.see(Bed.MINUTE);
        bed.engine.close();

        assertThat(shelf.closed).isTrue();
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
        bed.origin.write(null);
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS gone");
        assertThat(bed.engine.count(CacheCounter.ENTRIES)).isZero();
    }

    @Test
    @DisplayName("CACHE-6: scope, resource and variant are all part of the key")
    void everyPartOfTheKeyCounts() {
        CacheKey key = new CacheKey("s", "r", "v");
        for (CacheKey other : new CacheKey[] {
            key, new CacheKey("t", "r", "v"), new CacheKey("s", "q", "v"), new CacheKey("s", "r", "w")
        }) {
            CachedResponse response = bed.read(other, Bed.MINUTE, bed.origin).block();
            assertThat(Bed.text(Objects.requireNonNull(response))).isEqualTo("MISS one");
        }
    }
}
