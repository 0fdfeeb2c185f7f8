package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

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

    @Test
    void manyThatGiveUpWaitingTakeNoStack() {
        Sinks.One<String> first = Sinks.one();
        work("first", first.asMono()).subscribe();
        List<Disposable> others = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            others.add(work("other", Mono.never()).subscribe());
        }
        work("last", Mono.just("x")).subscribe();
        others.forEach(Disposable::dispose);
        first.tryEmitValue("x");

        assertThat(begun).containsExactly("first", "last");
    }

    @Test
    void givesUpWaitingInTime() {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        List<Throwable> errors = new ArrayList<>();
        Sinks.One<String> first = Sinks.one();
        work("first", first.asMono()).subscribe();
        turns.take(Mono.just("x"), Duration.ofSeconds(3), () -> new IllegalStateException("late"), timer)
                .subscribe(done -> begun.add("second"), errors::add);
        turns.take(Mono.just("x"), Duration.ofSeconds(9), () -> new IllegalStateException("late"), timer)
                .subscribe(done -> begun.add("third"), errors::add);
        timer.advanceTimeBy(Duration.ofSeconds(3));

        assertThat(errors).extracting(Throwable::getMessage).containsExactly("late");
        first.tryEmitValue("x");
        assertThat(begun).containsExactly("first", "third");
        timer.advanceTimeBy(Duration.ofSeconds(9));
        assertThat(errors).hasSize(1);
    }
}
