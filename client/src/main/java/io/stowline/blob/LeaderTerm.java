package io.stowline.blob;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** A term of one leader, from its election until its work ends or its lease is lost. Thread-safe. */
public interface LeaderTerm {

    /**
     * Returns the number of the term, which is larger than those of all terms before. It is stored in the blob of the election.
     *
     * @return a number from 1 on
     */
    long number();

    /**
     * Returns whether the term lasts for certain. Costs no request, and knows of a stop of this process.
     *
     * @return false once its lease is lost or released, for ever
     */
    boolean isCurrent();

    /**
     * Returns the time for which no other process can become the leader, if no renewal arrives.
     *
     * @return the time; zero once the term is over
     */
    Duration remaining();

    /**
     * Runs a task once when the term is lost, on the callback threads; at once if it is lost already.
     *
     * @param task stops work of other threads
     */
    void onLost(Runnable task);

    /**
     * Writes the number of this term into a blob, after which the store refuses every fenced write of an earlier term to it. An absent blob is
     * created empty. A second call for one blob reads it again, and returns an object with the same chain of writes.
     *
     * @param container the container of the blob, of this account or another one
     * @param name the blob's name
     * @return the blob for the writes of this term
     * @throws LeaseLostException if the term is over, or a later term has fenced the blob
     */
    FencedBlob fence(BlobContainer container, String name);

    /**
     * Writes the number of this term into a blob without blocking; see {@link #fence(BlobContainer, String)}.
     *
     * @param container the container of the blob, of this account or another one
     * @param name the blob's name
     * @return the blob for the writes of this term
     */
    Mono<ReactiveFencedBlob> fence(ReactiveBlobContainer container, String name);
}
