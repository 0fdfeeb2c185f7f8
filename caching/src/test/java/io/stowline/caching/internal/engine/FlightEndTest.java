package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.FakeShelf;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.Loader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** The ends of a flight, after each of which it is over. */
class FlightEndTest {

    private static final class Boarding extends BaseSubscriber<LoadShare> {

        private final List<Boolean> boarded = new ArrayList<>();
        private @Nullable Throwable failure;

        @Override
        protected void hookOnError(Throwable e) {
            failure = e;
        }
    }

    /** An assertion inside of a sink fails no test, so that it comes after it. */
    private static Boarding board(BiConsumer<MonoSink<LoadShare>, List<Boolean>> what) {
        Boarding boarding = new Boarding();
        Mono.<LoadShare>create(reader -> what.accept(reader, boarding.boarded)).subscribe(boarding);
        return boarding;
    }

    @Test
    @DisplayName(
            "CACHE-2: a flight that its last reader has left takes no other on board, nor does one that has landed or"
                    + " failed")
    void aFlightThatIsOverTakesNoOneOnBoard() {
        List<SharedLoad> ended = new ArrayList<>();
        SharedLoad left = new SharedLoad(InvalidationStamp.earlier(0), ended::add);
        Boarding before = board((reader, boarded) -> {
            boarded.add(left.board(reader));
            boarded.add(left.board(reader));
            left.leave(reader);
            boarded.add(left.board(reader));
            left.leave(reader);
        });
        Boarding after = board((reader, boarded) -> boarded.add(left.board(reader)));
        SharedLoad landed = new SharedLoad(InvalidationStamp.earlier(0), ended::add);
        landed.start(Mono.just(LoadCompletion.lost(CacheOutcome.MISS)), Context.empty());
        Boarding late = board((reader, boarded) -> boarded.add(landed.board(reader)));
        SharedLoad crashed = new SharedLoad(InvalidationStamp.earlier(0), ended::add);
        crashed.start(Mono.error(new IllegalStateException("403")), Context.empty());
        Boarding later = board((reader, boarded) -> boarded.add(crashed.board(reader)));

        assertThat(before.boarded).containsExactly(true, false, false);
        assertThat(after.boarded).containsExactly(false);
        assertThat(late.boarded).containsExactly(false);
        assertThat(later.boarded).containsExactly(false);
        assertThat(ended).containsExactly(left, landed, crashed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CACHE-2: a load whose subscription itself throws ends its flight, and tells its readers with what")
    void aSubscriptionThatThrowsEndsTheFlight(boolean fatal) {
        Error thrown = fatal ? new StackOverflowError("deep") : new NoClassDefFoundError("in an operator");
        List<SharedLoad> ended = new ArrayList<>();
        SharedLoad flight = new SharedLoad(InvalidationStamp.earlier(0), ended::add);
        Boarding reader = board((sink, boarded) -> boarded.add(flight.board(sink)));
        Mono<LoadCompletion> load = Mono.from(subscriber -> {
            throw thrown;
        });
        Throwable passedOn = catchThrowable(() -> flight.start(load, Context.empty()));

        assertThat(reader.failure).isSameAs(thrown);
        assertThat(ended).containsExactly(flight);
        assertThat(passedOn).as("what is wrong with the machine is not hidden").isSameAs(fatal ? thrown : null);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 5_000, 90_000, -1})
    @DisplayName(
            "CACHE-2: a body whose subscription throws ends the flight, when its response comes at once and when it"
                    + " comes later")
    void aBodyThatThrowsEndsTheFlight(int length) {
        Bed other = new Bed(60_000, 1_500, new FakeShelf());
        Flux<ByteBuffer> broken = Flux.defer(() -> {
            throw new NoClassDefFoundError("in the body");
        });
        Loader.LoadResult response = Loader.LoadResult.found(Map.of("ETag", "\"1\""), length, broken);
        CompletableFuture<CachedResponse> atOnce = other.read(Bed.KEY, Bed.MINUTE, conditions -> Mono.just(response))
                .toFuture();
        assertThat(atOnce).isCompletedExceptionally();
        Sinks.One<Loader.LoadResult> sink = Sinks.one();
        CompletableFuture<CachedResponse> leader =
                other.read(Bed.KEY, Bed.MINUTE, conditions -> sink.asMono()).toFuture();
        CompletableFuture<CachedResponse> follower =
                other.read(Bed.KEY, Bed.MINUTE, conditions -> sink.asMono()).toFuture();
        sink.tryEmitValue(response);
        assertThat(leader).isCompletedExceptionally();
        assertThat(follower).isCompletedExceptionally();

        assertThat(other.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
        assertThat(other.see(Bed.MINUTE)).isEqualTo("MISS one");
    }
}
