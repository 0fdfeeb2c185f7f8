package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.FakeShelf;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Loads whose body begins and stops, in virtual time, and the readers that have joined them. */
class StalledLoadTest {

    private static final Duration ENDLESS = SharedLoad.Terms.ENDLESS;
    private static final Duration SECONDS_5 = Duration.ofSeconds(5);
    private static final ByteBuffer PART = ByteBuffer.wrap(new byte[10]).asReadOnlyBuffer();

    private final FakeShelf shelf = new FakeShelf();
    private final Bed bed = new Bed(20_000, 1_500, shelf);
    private final List<Body> bodies = new ArrayList<>();

    /** The body of one request. */
    private static final class Body {
        private final Sinks.Many<ByteBuffer> parts = Sinks.many().unicast().onBackpressureBuffer();
        private boolean cancelled;

        private void give() {
            parts.tryEmitNext(PART.duplicate()).orThrow();
        }
    }

    private record Stalling(List<Body> bodies, int length, Duration maxWait, Duration maxStandstill) implements Loader {

        @Override
        public Mono<Loader.LoadResult> load(Conditions conditions) {
            Body body = new Body();
            bodies.add(body);
            return Mono.just(Loader.LoadResult.found(
                    Map.of("ETag", "\"1\""), length, body.parts.asFlux().doOnCancel(() -> body.cancelled = true)));
        }
    }

    private Mono<CachedResponse> mono(int length, Duration maxWait, Duration maxStandstill) {
        return bed.read(Bed.KEY, Freshness.revalidated(), new Stalling(bodies, length, maxWait, maxStandstill));
    }

    private CompletableFuture<CachedResponse> read(int length, Duration maxWait, Duration maxStandstill) {
        return mono(length, maxWait, maxStandstill).toFuture();
    }

    private static void assertTooLate(CompletableFuture<CachedResponse> read) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(read::join)
                .withCauseInstanceOf(TimeoutException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 5_000, -1})
    @DisplayName("CACHE-2: a follower whose time begins again with each part fails when none has come for that long")
    void partsRenewTheWait(int length) {
        CompletableFuture<CachedResponse> leader = read(length, ENDLESS, ENDLESS);
        CompletableFuture<CachedResponse> follower = read(length, ENDLESS, SECONDS_5);
        for (int part = 0; part < 2; part++) {
            bed.pass(Duration.ofMillis(4_999));
            assertThat(follower).isNotDone();
            bodies.get(0).give();
        }
        bed.pass(Duration.ofMillis(4_999));
        assertThat(follower).isNotDone();
        bed.pass(Duration.ofMillis(1));
        assertTooLate(follower);

        assertThat(leader).isNotDone();
        assertThat(bodies).hasSize(1);
    }

    @Test
    @DisplayName("CACHE-2: parts that come give no more time to a follower whose time is counted in all")
    void partsDoNotRenewTheWholeWait() {
        CompletableFuture<CachedResponse> leader = read(5_000, ENDLESS, ENDLESS);
        CompletableFuture<CachedResponse> follower = read(5_000, SECONDS_5, ENDLESS);
        bed.pass(Duration.ofSeconds(4));
        bodies.get(0).give();
        bed.pass(Duration.ofSeconds(1));
        assertTooLate(follower);

        assertThat(leader).isNotDone();
    }

    @Test
    @DisplayName("CACHE-2: a follower whom the leader of a stalled load leaves keeps its deadline, then the load is"
            + " cancelled")
    void aLeftFollowerEndsOnTime() {
        Disposable leader = mono(5_000, ENDLESS, ENDLESS).subscribe();
        CompletableFuture<CachedResponse> whole = read(5_000, SECONDS_5, ENDLESS);
        CompletableFuture<CachedResponse> still = read(5_000, ENDLESS, SECONDS_5);
        bodies.get(0).give();
        leader.dispose();
        assertThat(bodies.get(0).cancelled).isFalse();
        bed.pass(SECONDS_5);
        assertTooLate(whole);
        assertTooLate(still);

        assertThat(bodies.get(0).cancelled).isTrue();
        assertThat(shelf.writing).hasValue(0);
        assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "interrupt", "linkage", "complete", "close"})
    @DisplayName("CACHE-2: however a stalled load ends, its followers are told at once")
    void anyEndFreesTheFollowers(String end) {
        CompletableFuture<CachedResponse> leader = read(5_000, ENDLESS, ENDLESS);
        CompletableFuture<CachedResponse> follower = read(5_000, ENDLESS, ENDLESS);
        bodies.get(0).give();
        if (end.equals("close")) {
            bed.engine.close();
        }
        @Nullable
        Throwable failure =
                switch (end) {
                    case "error", "close" -> new UncheckedIOException(new IOException("stood still"));
                    case "interrupt" -> new IllegalStateException(new InterruptedException());
                    case "linkage" -> new NoClassDefFoundError("gone");
                    default -> null;
                };
        if (failure == null) {
            bodies.get(0).parts.tryEmitComplete();
        } else {
            bodies.get(0).parts.tryEmitError(failure);
        }
        assertThat(leader).isCompletedExceptionally();
        if (end.equals("interrupt")) {
            assertThat(bodies).as("the follower asks by itself").hasSize(2);
        } else {
            assertThat(follower).isCompletedExceptionally();
        }
        assertThat(shelf.writing).hasValue(end.equals("interrupt") ? 1 : 0);
    }

    @Test
    @DisplayName("CACHE-2: a follower that has to ask alone in the end has what is left of its time")
    void whoRequestsAloneKeepsItsDeadline() {
        FakeShelf none = new FakeShelf();
        none.fault = FakeShelf.Fault.COMMIT;
        Bed other = new Bed(20_000, 1_500, none);
        CompletableFuture<CachedResponse> leader = other.read(
                        Bed.KEY, Freshness.revalidated(), new Stalling(bodies, 2_000, ENDLESS, ENDLESS))
                .toFuture();
        List<Sinks.One<Loader.LoadResult>> alone = new ArrayList<>();
        CompletableFuture<CachedResponse> follower = other.read(Bed.KEY, Freshness.revalidated(), new Loader() {
                    @Override
                    public Mono<Loader.LoadResult> load(Conditions conditions) {
                        alone.add(Sinks.one());
                        return alone.get(0).asMono();
                    }

                    @Override
                    public Duration maxWait() {
                        return SECONDS_5;
                    }
                })
                .toFuture();
        other.pass(Duration.ofSeconds(3));
        for (int part = 0; part < 200; part++) {
            bodies.get(0).give();
        }
        bodies.get(0).parts.tryEmitComplete();
        assertThat(leader).as("what it asks for by itself").isCompleted();
        assertThat(alone).hasSize(1);
        other.pass(Duration.ofMillis(1_999));
        assertThat(follower).isNotDone();
        other.pass(Duration.ofMillis(1));

        assertTooLate(follower);
        assertThat(alone.get(0).currentSubscriberCount()).isZero();
    }
}
