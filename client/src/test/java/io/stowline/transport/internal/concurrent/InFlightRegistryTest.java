package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
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
    void closingTwiceIsClosingOnce() {
        inFlight.enter();
        boolean[] first = endOf(inFlight.close());
        boolean[] second = endOf(inFlight.close());
        inFlight.leave();

        assertThat(first[0]).isTrue();
        assertThat(second[0]).isTrue();
        assertThat(endOf(inFlight.close())[0]).isTrue();
    }
}
