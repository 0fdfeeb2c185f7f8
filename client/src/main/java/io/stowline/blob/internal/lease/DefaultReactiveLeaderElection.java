package io.stowline.blob.internal.lease;

import io.stowline.blob.LeaderTerm;
import io.stowline.blob.ReactiveLeaderElection;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@link ReactiveLeaderElection} whose work is cancelled with its term.
 *
 * @param containers gives the context of a container's face
 */
public record DefaultReactiveLeaderElection(
        BlobContext context, Election election, Function<Object, BlobContext> containers)
        implements ReactiveLeaderElection {

    @Override
    public String name() {
        return election.name();
    }

    @Override
    public Mono<Void> whileLeading(Function<? super LeaderTerm, ? extends Publisher<?>> work) {
        Objects.requireNonNull(work, "work");
        return led(election.elected(), work).then();
    }

    @Override
    public Mono<Boolean> tryLeading(Function<? super LeaderTerm, ? extends Publisher<?>> work) {
        Objects.requireNonNull(work, "work");
        return led(election.candidacy(), work).defaultIfEmpty(false);
    }

    private Mono<Boolean> led(Mono<Term> candidacy, Function<? super LeaderTerm, ? extends Publisher<?>> work) {
        return context.delivered(Mono.usingWhen(
                candidacy,
                term -> led(term, work).then(term.end()).thenReturn(true),
                term -> Mono.empty(),
                (term, thrown) -> term.holder().releaseIfHeld(),
                term -> term.holder().releaseIfHeld()));
    }

    private Mono<Void> led(Term term, Function<? super LeaderTerm, ? extends Publisher<?>> work) {
        return context.delivered(Mono.<LeaderTerm>just(new DefaultLeaderTerm(term, containers)))
                .flatMapMany(known -> Flux.<Object>from(work.apply(known)))
                .takeUntilOther(term.lost())
                .onErrorMap(term::asLeaseLoss)
                .then();
    }

    @Override
    public String toString() {
        return "ReactiveLeaderElection[" + PrintableText.of(election.resource()) + "]";
    }
}
