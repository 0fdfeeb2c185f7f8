package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.append.AppendOperations.SerialQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class SerialQueueTest {

    private final SerialQueue turns = new SerialQueue();
    private final List<String> begun = new ArrayList<>();

    private Mono<String> work(String name, Mono<String> end) {
        return turns.take(end.doOnSubscribe(subscription -> begun.add(name)));
    }

    @Test
    void oneAfterTheOther() {
        Sinks.One<String> first = Sinks.one();
        work("first", first.asMono()).subscribe();
        work("second", Mono.just("x")).subscribe();
        work("third", Mono.just("x")).subscribe();

        assertThat(begun).containsExactly("first");
        first.tryEmitValue("x");
        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    void goesOnAfterAnError() {
        work("first", Mono.error(new IllegalStateException("no")))
                .onErrorComplete()
                .subscribe();
        work("second", Mono.just("x")).subscribe();

        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void whoeverGivesUpWaitingDoesNotLetTheNextOnePass() {
        Sinks.One<String> first = Sinks.one();
        work("first", first.asMono()).subscribe();
        Disposable second = work("second", Mono.just("x")).subscribe();
        work("third", Mono.just("x")).subscribe();
        second.dispose();

        assertThat(begun).containsExactly("first");
        first.tryEmitValue("x");
        assertThat(begun).containsExactly("first", "third");
    }

    @Test
    void goesOnWhenTheWorkIsCancelled() {
        Disposable first = work("first", Mono.never()).subscribe();
        work("second", Mono.just("x")).subscribe();
        first.dispose();

        assertThat(begun).containsExactly("first", "second");
    }
}
