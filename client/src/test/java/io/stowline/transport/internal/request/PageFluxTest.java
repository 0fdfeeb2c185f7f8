package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.internal.request.PageFlux.Pages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** The times at which the pages of a list are requested. */
class PageFluxTest {

    /** Numbers, of which each is a page. */
    private static class Numbers implements Pages<Integer> {

        private final List<Object> requested = new ArrayList<>();
        private final int last;
        private boolean cancelled;

        Numbers(int last) {
            this.last = last;
        }

        @Override
        public Mono<Integer> next() {
            return Mono.deferContextual(seen -> {
                requested.add(seen.getOrDefault("caller", "none"));
                return Mono.just(requested.size());
            });
        }

        @Override
        public boolean ended() {
            return cancelled || requested.size() == last;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    @Test
    @DisplayName("MAP-5: a page is requested when one is wanted, and not before")
    void requestsWhatIsWanted() {
        Numbers numbers = new Numbers(3);
        StepVerifier.create(PageFlux.of(() -> numbers), 0)
                .then(() -> assertThat(numbers.requested).isEmpty())
                .thenRequest(1)
                .expectNext(1)
                .then(() -> assertThat(numbers.requested).hasSize(1))
                .thenRequest(1)
                .expectNext(2)
                .then(() -> assertThat(numbers.requested).hasSize(2))
                .thenRequest(10)
                .expectNext(3)
                .verifyComplete();
    }

    @Test
    @DisplayName("pages that are there already take no stack, and have the context of their reader")
    void manyPagesAtOnce() {
        Numbers numbers = new Numbers(100_000);
        StepVerifier.create(PageFlux.of(() -> numbers).contextWrite(Context.of("caller", "reader")))
                .expectNextCount(100_000)
                .verifyComplete();
        assertThat(numbers.requested).containsOnly("reader");
    }

    @Test
    @DisplayName("a reader who leaves cancels the page in flight, and requests none after it")
    void leaves() {
        Sinks.One<Integer> page = Sinks.one();
        Numbers numbers = new Numbers(3) {
            @Override
            public Mono<Integer> next() {
                return page.asMono();
            }
        };
        StepVerifier.create(PageFlux.of(() -> numbers)).thenCancel().verify();
        assertThat(page.currentSubscriberCount()).isZero();
        assertThat(numbers.cancelled).isTrue();
    }

    @Test
    @DisplayName("the error of a page ends the list")
    void failure() {
        Numbers numbers = new Numbers(3) {
            @Override
            public Mono<Integer> next() {
                return Mono.error(new IllegalStateException("no page"));
            }
        };
        StepVerifier.create(PageFlux.of(() -> numbers)).verifyErrorMessage("no page");
    }
}
