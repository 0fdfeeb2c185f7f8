package io.stowline.transport.internal.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class ResolvedMonoTest {

    private final TestPublisher<Integer> request = TestPublisher.create();
    private final TestPublisher<String> next = TestPublisher.create();

    private static <A, R> Mono<R> resolved(Mono<A> request, Function<A, R> meaning, Function<Throwable, Mono<R>> next) {
        return new ResolvedMono<>(request, meaning, next);
    }

    @Test
    void aValueIsItsMeaning() {
        StepVerifier.create(resolved(Mono.just(7), value -> "v" + value, Mono::error))
                .expectNext("v7")
                .verifyComplete();
    }

    @Test
    void anErrorIsResolved() {
        StepVerifier.create(resolved(
                        Mono.<Integer>error(new TimeoutException("late")),
                        String::valueOf,
                        error -> Mono.just(String.valueOf(error.getMessage()))))
                .expectNext("late")
                .verifyComplete();
        StepVerifier.create(
                        resolved(Mono.<Integer>error(new TimeoutException("late")), String::valueOf, e -> Mono.empty()))
                .verifyComplete();
        StepVerifier.create(resolved(Mono.<Integer>error(new TimeoutException("late")), String::valueOf, Mono::error))
                .verifyErrorMessage("late");
    }

    @Test
    void anEmptyRequestStaysEmpty() {
        StepVerifier.create(resolved(Mono.<Integer>empty(), String::valueOf, Mono::error))
                .verifyComplete();
    }

    @Test
    void whatTheMeaningThrowsIsResolvedAfterACancelOfTheRequest() {
        List<String> results = new ArrayList<>();
        resolved(
                        request.mono(),
                        value -> {
                            throw new IllegalStateException("no meaning");
                        },
                        error -> Mono.just(String.valueOf(error.getMessage())))
                .subscribe(results::add);

        request.next(1);

        assertThat(results).containsExactly("no meaning");
    }

    @Test
    void aResolutionThatThrowsKeepsTheFirstError() {
        StepVerifier.create(resolved(Mono.<Integer>error(new TimeoutException("late")), String::valueOf, error -> {
                    throw new IllegalStateException("not resolved");
                }))
                .verifyErrorSatisfies(error -> assertThat(error)
                        .hasMessage("not resolved")
                        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1)));
    }

    @Test
    void aCancelReachesTheRequest() {
        Disposable running =
                resolved(request.mono(), String::valueOf, Mono::error).subscribe();

        running.dispose();

        request.assertCancelled();
    }

    @Test
    void aCancelReachesTheResolution() {
        Disposable running =
                resolved(request.mono(), String::valueOf, error -> next.mono()).subscribe();
        request.error(new TimeoutException("late"));

        running.dispose();

        next.assertCancelled();
    }

    @Test
    void aResolutionWaitsForDemand() {
        List<String> results = new ArrayList<>();
        BaseSubscriber<String> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}

            @Override
            protected void hookOnNext(String value) {
                results.add(value);
            }
        };
        resolved(Mono.<Integer>error(new TimeoutException("late")), String::valueOf, error -> Mono.just("next"))
                .subscribe((CoreSubscriber<String>) slow);
        assertThat(results).isEmpty();

        slow.request(1);

        assertThat(results).containsExactly("next");
    }
}
