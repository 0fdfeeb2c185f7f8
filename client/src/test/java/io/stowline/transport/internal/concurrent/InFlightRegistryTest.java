package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.ClosedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class InFlightRegistryTest {

    private final InFlightRegistry inFlight = new InFlightRegistry();

    private static boolean[] endOf(Mono<Void> mono) {
        boolean[] ended = new boolean[1];
        mono.subscribe(value -> {}, error -> {}, () -> ended[0] = true);
        return ended;
    }

    @Test
    void closesAtOnceWhenNothingIsUnderWay() {
        assertThat(endOf(inFlight.close())[0]).isTrue();
    }

    @Test
    void waitsForTheLast() {
        inFlight.enter();
        inFlight.enter();
        boolean[] ended = endOf(inFlight.close());

        inFlight.leave();
        assertThat(ended[0]).isFalse();
        inFlight.leave();
        assertThat(ended[0]).isTrue();
    }

    @Test
    void refusesWhoComesAfterClosing() {
        inFlight.enter();
        boolean[] ended = endOf(inFlight.close());

        assertThatIllegalStateException().isThrownBy(inFlight::enter).withMessageContaining("closed");
        assertThat(ended[0]).isFalse();
        inFlight.leave();
        assertThat(ended[0]).isTrue();
        assertThatIllegalStateException().isThrownBy(inFlight::enter);
    }

    @Test
    @DisplayName("a body whose subscription throws a fatal error is not in flight")
    void aBrokenBody() {
        Flux<String> body = inFlight.count(Flux.defer(() -> {
            throw new NoClassDefFoundError("of the body");
        }));

        assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(body::subscribe);
        assertThat(inFlight.size()).isZero();
    }

    @Test
    void closingTwiceIsClosingOnce() {
        inFlight.enter();
        boolean[] first = endOf(inFlight.close());
        boolean[] second = endOf(inFlight.close());
        inFlight.leave();

        assertThat(first[0]).isTrue();
        assertThat(second[0]).isTrue();
        assertThat(endOf(inFlight.close())[0]).isTrue();
    }

    @Test
    @DisplayName("work whose cancel() throws ends all the same, and so does the work behind it")
    void abandonsAllWhenOneThrows() {
        List<Throwable> ends = new ArrayList<>();
        inFlight.enter();
        inFlight.enter();
        List<Work> works = List.of(new Work(inFlight, ends), new Work(inFlight, ends));
        works.forEach(work -> work.onSubscribe(new Subscription() {
            @Override
            public void request(long more) {
                // Nothing comes.
            }

            @Override
            public void cancel() {
                throw new IllegalStateException("no");
            }
        }));
        boolean[] closed = endOf(inFlight.close());

        inFlight.abandon();

        assertThat(ends).hasSize(2).allSatisfy(end -> assertThat(end)
                .hasMessage("given up")
                .hasSuppressedException(new IllegalStateException("no")));
        assertThat(closed[0]).isTrue();
    }

    private static final class Work extends InFlightEntry<String> {

        Work(InFlightRegistry registry, List<Throwable> ends) {
            super(registry, true, new BaseSubscriber<>() {
                @Override
                protected void hookOnError(Throwable error) {
                    ends.add(error);
                }
            });
        }

        @Override
        protected void succeeded(@Nullable String result) {}

        @Override
        protected void failed(Throwable error) {}

        @Override
        protected void cancelled() {}

        @Override
        protected Throwable abandoned() {
            return new ClosedException("given up");
        }

        @Override
        protected void discard(String late) {}
    }
}
