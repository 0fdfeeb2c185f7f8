package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.FakeShelf;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.entry.OneTimeBody;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

class SharedLoadTest {

    private final Bed bed = new Bed();
    private final Origin origin = bed.origin;

    SharedLoadTest() {
        origin.holding = true;
    }

    private CompletableFuture<CachedResponse> read() {
        return bed.read(Freshness.revalidated()).toFuture();
    }

    @Test
    @DisplayName("CACHE-2: ten thousand concurrent reads of a cold key are one load")
    void tenThousandReadersAreOneLoad() throws ExecutionException, InterruptedException, TimeoutException {
        CountDownLatch waiting = new CountDownLatch(10_000);
        CompletableFuture<List<CacheOutcome>> outcomes = Flux.range(0, 10_000)
                .flatMap(
                        n -> Mono.defer(() -> {
                                    Mono<CacheOutcome> read =
                                            bed.read(Bed.MINUTE).map(CachedResponse::outcome);
                                    return read.doOnSubscribe(reader -> waiting.countDown());
                                })
                                .subscribeOn(Schedulers.parallel()),
                        10_000)
                .collectList()
                .toFuture();
        assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(origin.requests).hasValueLessThanOrEqualTo(1);
        while (origin.requests.get() == 0) {
            LockSupport.parkNanos(100_000);
        }
        origin.release();

        assertThat(outcomes.get(30, TimeUnit.SECONDS))
                .hasSize(10_000)
                .filteredOn(CacheOutcome.MISS::equals)
                .hasSize(1);
        assertThat(origin.requests).hasValue(1);
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    @Test
    @DisplayName("CACHE-2: the first has the load's outcome, the others are collapsed")
    void followersAreCollapsed() {
        CompletableFuture<CachedResponse> leader = read();
        CompletableFuture<CachedResponse> follower = read();
        origin.release();

        assertThat(Bed.text(leader.join())).isEqualTo("MISS one");
        assertThat(Bed.text(follower.join())).isEqualTo("COLLAPSED one");
        assertThat(bed.engine.reads(CacheOutcome.COLLAPSED)).isEqualTo(1);
        assertThat(bed.engine.reads(CacheOutcome.MISS)).isEqualTo(1);
    }

    @Test
    @DisplayName("CACHE-2: a follower who cancels leaves the leader alone")
    void aFollowerLeaves() {
        CompletableFuture<CachedResponse> leader = read();
        bed.read(Bed.MINUTE).subscribe().dispose();
        assertThat(origin.cancelled).hasValue(0);
        origin.release();

        assertThat(Bed.text(leader.join())).isEqualTo("MISS one");
    }

    @Test
    @DisplayName("CACHE-2: a leader who cancels hands over")
    void aLeaderHandsOver() {
        Disposable leader = bed.read(Bed.MINUTE).subscribe();
        CompletableFuture<CachedResponse> follower = read();
        leader.dispose();
        assertThat(origin.cancelled).hasValue(0);
        origin.release();

        assertThat(Bed.text(follower.join())).isEqualTo("MISS one");
        assertThat(origin.requests).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-2: the load is cancelled when nobody waits for it, and who comes then begins a new one")
    void theLastTurnsOutTheLight() {
        Disposable leader = bed.read(Bed.MINUTE).subscribe();
        Disposable follower = bed.read(Bed.MINUTE).subscribe();
        leader.dispose();
        follower.dispose();
        assertThat(origin.cancelled).hasValue(1);
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
        CompletableFuture<CachedResponse> next = read();
        assertThat(origin.requests).hasValue(2);
        origin.waiting.remove(0);
        origin.release();

        assertThat(Bed.text(next.join())).isEqualTo("MISS one");
    }

    @Test
    @DisplayName("CACHE-2: a join that races with the last leave begins a new load")
    void aJoinInTheMidstOfTheLastLeaveBeginsANewLoad() {
        AtomicReference<CompletableFuture<CachedResponse>> joined = new AtomicReference<>();
        Loader first = conditions -> Mono.<Loader.LoadResult>never().doOnCancel(() -> joined.set(read()));
        bed.read(Bed.KEY, Bed.MINUTE, first).subscribe().dispose();
        assertThat(origin.requests).hasValue(1);
        origin.release();

        assertThat(Bed.text(joined.get().join())).isEqualTo("MISS one");
    }

    @Test
    @DisplayName(
            "CACHE-2: a response that its first reader no longer takes goes to the next reader, and is closed without"
                    + " one")
    void aResponseThatTheFirstNoLongerTakesIsTheNextOnes() {
        List<Boolean> first = new ArrayList<>();
        FakeShelf shelf = new FakeShelf();
        SharedLoad flight = new SharedLoad(InvalidationStamp.earlier(0), over -> {});
        Mono.<LoadShare>create(flight::board).subscribe(ticket -> first.add(ticket.first()));
        Mono.<LoadShare>create(flight::board).map(LoadShare::claim).subscribe(ticket -> first.add(ticket.first()));
        Mono.<LoadShare>create(flight::board).map(LoadShare::claim).subscribe(ticket -> first.add(ticket.first()));
        flight.start(Mono.just(landing(shelf)), Context.empty());
        assertThat(first).containsExactly(true, true, false);
        assertThat(shelf.open).hasValue(1);
        new SharedLoad(InvalidationStamp.earlier(0), over -> {}).start(Mono.just(landing(shelf)), Context.empty());

        assertThat(shelf.open).hasValue(1);
    }

    private static LoadCompletion landing(FakeShelf shelf) {
        shelf.open.incrementAndGet();
        CachedBody file = OneTimeBody.file(0, Flux.empty(), shelf.open::decrementAndGet);
        return LoadCompletion.of(CacheOutcome.MISS, EntryHead.of(200, Map.of(), InvalidationStamp.earlier(0)), file);
    }

    @Test
    @DisplayName(
            "CACHE-2: a load that fails fails all of its readers with the same error, and the next read asks again")
    void allReadersFailAlike() {
        CompletableFuture<CachedResponse> leader = read();
        CompletableFuture<CachedResponse> follower = read();
        IllegalStateException refused = new IllegalStateException("403");
        origin.waiting.remove(0).tryEmitError(refused);

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(leader::join)
                .withCause(refused);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(follower::join)
                .withCause(refused);
        origin.holding = false;
        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
    }

    private static Loader holding(List<Sinks.One<Loader.LoadResult>> loads, Duration patience, Duration wait) {
        return new Loader() {
            @Override
            public Mono<Loader.LoadResult> load(Conditions conditions) {
                Sinks.One<Loader.LoadResult> load = Sinks.one();
                loads.add(load);
                return load.asMono();
            }

            @Override
            public Duration patience() {
                return patience;
            }

            @Override
            public Duration maxWait() {
                return wait;
            }
        };
    }

    @Test
    @DisplayName("CACHE-2: an interrupted leader fails alone, and a follower loads by itself")
    void anInterruptedLeaderHandsOver() {
        CompletableFuture<CachedResponse> leader = read();
        CompletableFuture<CachedResponse> first = read();
        CompletableFuture<CachedResponse> second = read();
        IllegalStateException interrupted = new IllegalStateException(new InterruptedException());
        origin.waiting.remove(0).tryEmitError(interrupted);
        assertThat(origin.requests).as("the followers are one load").hasValue(2);
        origin.release();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(leader::join)
                .withCause(interrupted);
        assertThat(List.of(Bed.text(first.join()), Bed.text(second.join())))
                .containsExactly("MISS one", "COLLAPSED one");
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    @Test
    @DisplayName("CACHE-2: a time-out below the type of an interrupt is none, and fails all alike")
    void aTimeOutIsNoInterrupt() {
        List<CompletableFuture<CachedResponse>> reads = List.of(read(), read());
        origin.waiting.remove(0).tryEmitError(new UncheckedIOException(new SocketTimeoutException("timeout")));

        assertThat(reads).allSatisfy(read -> assertThat(read).isCompletedExceptionally());
        assertThat(origin.requests).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-2: the leader's shorter deadline fails no follower that has more time")
    void aFollowerWithMoreTimeLoadsByItself() {
        List<Sinks.One<Loader.LoadResult>> loads = new ArrayList<>();
        Duration second = Duration.ofSeconds(1);
        Loader hasty = holding(loads, second, second);
        Loader patient = holding(loads, Duration.ofMinutes(1), Duration.ofMinutes(1));
        CompletableFuture<CachedResponse> leader =
                bed.read(Bed.KEY, Bed.MINUTE, hasty).toFuture();
        CompletableFuture<CachedResponse> same =
                bed.read(Bed.KEY, Bed.MINUTE, hasty).toFuture();
        CompletableFuture<CachedResponse> other =
                bed.read(Bed.KEY, Bed.MINUTE, patient).toFuture();
        loads.get(0).tryEmitError(new UncheckedIOException(new IOException("the deadline of 1 s")));
        assertThat(leader).isCompletedExceptionally();
        assertThat(same).isCompletedExceptionally();
        assertThat(loads).hasSize(2);
        loads.get(1).tryEmitValue(origin.found("one"));

        assertThat(Bed.text(other.join())).isEqualTo("MISS one");
    }

    @Test
    @DisplayName("CACHE-2: a refusal fails the readers with more time, too")
    void aRefusalIsEverybodys() {
        List<Sinks.One<Loader.LoadResult>> loads = new ArrayList<>();
        Loader hasty = holding(loads, Duration.ofSeconds(1), Duration.ofSeconds(1));
        Loader patient = holding(loads, Duration.ofMinutes(1), Duration.ofMinutes(1));
        var unused = bed.read(Bed.KEY, Bed.MINUTE, hasty).toFuture();
        CompletableFuture<CachedResponse> other =
                bed.read(Bed.KEY, Bed.MINUTE, patient).toFuture();
        loads.get(0).tryEmitError(new IllegalStateException("403"));

        assertThat(other).isCompletedExceptionally();
        assertThat(loads).hasSize(1);
    }

    @Test
    @DisplayName("CACHE-2: a follower keeps its own deadline, and leaves the leader alone")
    void aFollowerKeepsItsOwnDeadline() {
        List<Sinks.One<Loader.LoadResult>> loads = new ArrayList<>();
        CompletableFuture<CachedResponse> leader = bed.read(
                        Bed.KEY, Bed.MINUTE, holding(loads, Duration.ofMinutes(1), Duration.ofMinutes(1)))
                .toFuture();
        CompletableFuture<CachedResponse> follower = bed.read(
                        Bed.KEY, Bed.MINUTE, holding(loads, Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .toFuture();
        bed.pass(Duration.ofMillis(4_999));
        assertThat(follower).isNotDone();
        bed.pass(Duration.ofMillis(1));
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(follower::join)
                .withCauseInstanceOf(TimeoutException.class);
        loads.get(0).tryEmitValue(origin.found("one"));

        assertThat(Bed.text(leader.join())).isEqualTo("MISS one");
        assertThat(loads).hasSize(1);
    }

    @Test
    @DisplayName("CACHE-2: a reader that throws keeps no other one waiting")
    void aReaderThatThrowsKeepsNoOneWaiting() {
        bed.read(Bed.MINUTE).subscribe(response -> {
            throw new NoClassDefFoundError("in the reader");
        });
        CompletableFuture<CachedResponse> follower = read();
        origin.release();

        assertThat(Bed.text(follower.join())).isEqualTo("COLLAPSED one");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CACHE-2: an error that Reactor throws instead of passing it on ends the flight")
    void anErrorEndsTheFlight(boolean later) {
        Loader broken = conditions -> {
            if (!later) {
                throw new NoClassDefFoundError("in the loader");
            }
            return Mono.fromCallable(() -> {
                throw new NoClassDefFoundError("in the load");
            });
        };
        CompletableFuture<CachedResponse> leader =
                bed.read(Bed.KEY, Bed.MINUTE, broken).toFuture();
        assertThat(leader).isCompletedExceptionally();
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
        origin.holding = false;

        assertThat(bed.see(Bed.MINUTE)).isEqualTo("MISS one");
    }

    @Test
    @DisplayName("CACHE-5: a read that is cancelled at its second look gives back what the first one found")
    void theFirstLookIsGivenBack() {
        FakeShelf shelf = new FakeShelf();
        Deque<Runnable> work = new ArrayDeque<>();
        Bed other = new Bed(2_000, 200, shelf, VirtualTimeScheduler.create(), Schedulers.fromExecutor(work::add));
        other.origin.write("x".repeat(1_000));
        other.read(Bed.MINUTE).subscribe(CachedResponse::close);
        drain(work);
        other.pass(Duration.ofMinutes(2));
        Disposable reader = other.read(Bed.MINUTE).subscribe(CachedResponse::close);
        Runnable firstLook = work.remove();
        other.read(Bed.MINUTE).subscribe(CachedResponse::close);
        drain(work);
        other.pass(Duration.ofMinutes(2));
        firstLook.run();
        assertThat(work).as("the second look").hasSize(1);
        assertThat(shelf.open).hasValue(1);
        reader.dispose();
        drain(work);

        assertThat(shelf.open).hasValue(0);
        assertThat(other.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    private static void drain(Deque<Runnable> work) {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    @Test
    void aLoaderThatThrowsOrGivesNothingFailsItsReaders() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> bed.read(Bed.KEY, Bed.MINUTE, conditions -> {
                            throw new IllegalArgumentException("bad");
                        })
                        .block());
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> bed.read(Bed.KEY, Bed.MINUTE, conditions -> Mono.empty())
                        .block())
                .withMessageContaining("without a response");
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    @Test
    void theLoadSeesTheContextOfItsFirstReader() {
        Loader loader = conditions -> Mono.deferContextual(context ->
                Mono.just(Loader.LoadResult.absent(404, Map.of("trace", context.get("trace")), new byte[0])));
        CachedResponse response = bed.read(Bed.KEY, Bed.MINUTE, loader)
                .contextWrite(context -> context.put("trace", "t1"))
                .block(Duration.ofSeconds(30));

        assertThat(response).isNotNull();
        assertThat(response.headers()).containsEntry("Trace", "t1");
    }

    @Test
    void everySubscriptionIsARead() {
        origin.holding = false;
        Mono<CachedResponse> read = bed.read(Freshness.revalidated());
        read.block();
        read.block();

        assertThat(origin.requests).hasValue(2);
    }

    @Test
    @DisplayName("CACHE-2: a load that ends between a look into the cache and the joining of loads is not made twice")
    void whatALoadHasJustBroughtIsTaken() {
        FakeShelf shelf = new FakeShelf();
        Bed other = new Bed(1 << 20, 1 << 17, shelf);
        shelf.meanwhile = () -> assertThat(other.see(Bed.MINUTE)).startsWith("MISS");

        assertThat(other.see(Bed.MINUTE)).startsWith("COLLAPSED");
        assertThat(other.origin.requests).hasValue(1);
    }

    @Test
    @DisplayName("CACHE-4: but not what was read before a write of our own")
    void whatIsOlderThanAnOwnWriteIsNotTaken() {
        FakeShelf shelf = new FakeShelf();
        Bed other = new Bed(1 << 20, 1 << 17, shelf);
        shelf.meanwhile = () -> {
            other.see(Bed.MINUTE);
            other.engine.invalidate(Bed.KEY.resource(), Duration.ZERO);
        };

        assertThat(other.see(Bed.MINUTE)).startsWith("MISS");
        assertThat(other.origin.requests).hasValue(2);
    }
}
