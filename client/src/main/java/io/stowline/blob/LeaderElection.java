package io.stowline.blob;

import java.util.function.Consumer;

/**
 * An election of one leader among the processes that name the same blob. The blob carries the lease of the leader and the number of its term.
 *
 * <pre>{@code
 * storage.container("locks").leader("nightly").whileLeading(term -> {
 *     FencedBlob state = term.fence(photos, "state.json");
 *     state.upload(bytes);
 * });
 * }</pre>
 *
 * <p>The lease alone does not keep a former leader from writing: one that was stopped may have a request on its way. Writes that must come
 * from the present leader go through {@link LeaderTerm#fence}, so that the store refuses those of earlier terms.
 *
 * <p>Thread-safe. {@link ReactiveLeaderElection} has the same without blocking.
 */
public interface LeaderElection {

    /**
     * Returns the name of the blob that stands for the election.
     *
     * @return the name
     */
    String name();

    /**
     * Waits until this process is the leader, then runs the work in this thread. When it returns, another process can lead at once.
     *
     * <p>When the term is lost the thread is interrupted. Work that acts otherwise than through the term checks {@link
     * LeaderTerm#isCurrent} before each step.
     *
     * @param work the work of one term
     * @throws LeaseLostException if the term was lost before the work returned; its cause is what the work threw
     * @throws io.stowline.error.NotFoundException if the container is not there
     * @throws io.stowline.error.StorageInterruptedException if the thread is interrupted while it waits
     */
    void whileLeading(Consumer<? super LeaderTerm> work);

    /**
     * Runs the work in this thread if this process can become the leader now. Tries once: an acquisition whose outcome stays unknown is an
     * error, and the work does not run.
     *
     * <p>When the term is lost the thread is interrupted; see {@link #whileLeading}.
     *
     * @param work the work of one term
     * @return false if another process leads
     * @throws LeaseLostException if the term was lost before the work returned; its cause is what the work threw
     * @throws io.stowline.error.NotFoundException if the container is not there
     * @throws io.stowline.error.OutcomeUnknownException if it is unknown whether this process leads: none may lead until the lease has passed
     * @throws io.stowline.error.StorageInterruptedException if the thread is interrupted while it waits for the service
     */
    boolean tryLeading(Consumer<? super LeaderTerm> work);
}
