package io.stowline.blob.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class TransferSlotsTest {

    private final TransferSlots slots = new TransferSlots(4);
    private final List<String> begun = new ArrayList<>();

    private Mono<Void> work(String name, Sinks.Empty<Void> end) {
        return Mono.defer(() -> {
            begun.add(name);
            return end.asMono();
        });
    }

    @Test
    @DisplayName("weights add up to the bound, and waiters begin in their order")
    void order() {
        Sinks.Empty<Void> large = Sinks.empty();
        Sinks.Empty<Void> never = Sinks.empty();
        slots.with(3, work("large", large)).subscribe();
        slots.with(2, work("next", never)).subscribe();
        slots.with(1, work("small", never)).subscribe();
        slots.with(0, work("free", never)).subscribe();
        assertThat(begun).containsExactly("large", "free");

        large.tryEmitEmpty();

        assertThat(begun).containsExactly("large", "free", "next", "small");
        assertThat(slots.free()).isOne();
    }

    @Test
    @DisplayName("what is heavier than all slots takes all of them")
    void tooHeavy() {
        slots.with(100, work("huge", Sinks.empty())).subscribe();

        assertThat(begun).containsExactly("huge");
        assertThat(slots.free()).isZero();
    }

    @Test
    @DisplayName("errors and cancellations, of waiters too, give everything back")
    void everythingBack() {
        Sinks.Empty<Void> failing = Sinks.empty();
        slots.with(4, work("failing", failing)).onErrorComplete().subscribe();
        Disposable waiting = slots.with(2, work("waiting", Sinks.empty())).subscribe();
        Disposable running = slots.with(4, work("running", Sinks.empty())).subscribe();
        waiting.dispose();
        failing.tryEmitError(new IllegalStateException());
        assertThat(begun).containsExactly("failing", "running");
        running.dispose();
        running.dispose();

        assertThat(slots.free()).isEqualTo(4);
    }
}
