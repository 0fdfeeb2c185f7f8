package io.stowline.blob;

import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A {@link LeaderElection} with a method that does not block. Thread-safe. */
public interface ReactiveLeaderElection {

    /**
     * Returns the name of the blob that stands for the election.
     *
     * @return the name
     */
    String name();

    /**
     * Waits until this process is the leader, then subscribes to the work, and cancels it when the term is lost; see {@link
     * LeaderElection#whileLeading}. Values of the work are dropped.
     *
     * @param work makes the work of one term
     * @return the end of the work; a {@link LeaseLostException} if the term was lost before
     */
    Mono<Void> whileLeading(Function<? super LeaderTerm, ? extends Publisher<?>> work);

    /**
     * Subscribes to the work if this process can become the leader now, and cancels it when the term is lost; see {@link
     * LeaderElection#tryLeading}. Values of the work are dropped.
     *
     * @param work makes the work of one term
     * @return false if another process leads; true after the end of the work; a {@link LeaseLostException} if the term was lost before
     */
    Mono<Boolean> tryLeading(Function<? super LeaderTerm, ? extends Publisher<?>> work);
}
