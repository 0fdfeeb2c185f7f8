package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("A result that a thread would wait for in vain refuses to be waited for, and can be subscribed to")
class UnblockableMonoTest {

    private final Mono<String> refusing = new UnblockableMono<>(Mono.just("value"), () -> "waits for itself");

    @Test
    void blocking() {
        assertThatIllegalStateException().isThrownBy(refusing::block).withMessage("waits for itself");
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> refusing.map(String::length).filter(n -> n > 0).block(Duration.ofHours(1)))
                .withMessage("waits for itself");
        assertThatIllegalStateException()
                .isThrownBy(() -> refusing.flux().blockLast())
                .withMessage("waits for itself");
        assertThatIllegalStateException().isThrownBy(refusing::blockOptional).withMessage("waits for itself");
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> refusing.flux().map(String::length).toIterable().forEach(length -> {}))
                .withMessage("waits for itself");
        assertThatIllegalStateException()
                .isThrownBy(() -> refusing.flux().toStream().toList())
                .withMessage("waits for itself");
    }

    @Test
    void futures() {
        assertThat(refusing.toFuture()).isCompletedExceptionally();
        assertThat(refusing.map(String::length).filter(n -> n > 0).toFuture()).isCompletedExceptionally();
    }

    @Test
    void subscribing() {
        StringBuilder heard = new StringBuilder();
        refusing.map(value -> value + "!").subscribe(heard::append);

        assertThat(heard).hasToString("value!");
    }

    @Test
    void otherThreads() {
        assertThat(new UnblockableMono<>(Mono.just(1), () -> null).block()).isEqualTo(1);
    }
}
