package io.stowline.blob;

import io.stowline.blob.internal.AppendVerbs;
import io.stowline.blob.internal.BlobScope;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.transport.internal.Await;

/**
 * A blob that is written at its end only, such as a log. It remembers where its last append ended, and asks the service where it does not
 * know. Every append is for that position and no other, so that no attempt of it can append twice.
 *
 * <p>After a lost answer the bytes at the position are read and compared: if they are those of the append, it was carried out
 * ({@link io.stowline.outcome.Evidence#CONTENT}); if they are others, it was not and never will be. For the only writer of a blob that
 * makes each append exactly once. If there are others, one of them may have appended the same bytes there.
 *
 * <p>Made for one writer. Where another one appends meanwhile, an append fails with a {@link PreconditionFailedException} that names both
 * positions, and the next one goes to the new end.
 *
 * <p>Thread-safe: appends through one object are made one after the other, in the order of their calls.
 */
public final class AppendBlob {

    private final BlobScope scope;
    private final AppendVerbs verbs;

    AppendBlob(BlobScope scope, AppendVerbs verbs) {
        this.scope = scope;
        this.verbs = verbs;
    }

    /**
     * The blob's name.
     *
     * @return the name
     */
    public String name() {
        return verbs.name();
    }

    /**
     * The same verbs without blocking; both remember one position.
     *
     * @return the reactive face of this blob
     */
    public ReactiveAppendBlob reactive() {
        return new ReactiveAppendBlob(scope, verbs);
    }

    /**
     * Makes the empty blob. The call leaves a mark in the blob's metadata, which is not shown, to be known again by after a lost answer; then
     * it may wait up to 35 s more, within its deadline.
     *
     * @throws ConflictException if there is a blob of this name
     * @throws io.stowline.error.OutcomeUnknownException if an answer was lost and nobody can tell who made the one that is there
     */
    public void create() {
        Await.on(verbs.create());
    }

    /**
     * Makes the empty blob unless there is a blob of this name.
     *
     * @return whether it was made; after a lost answer also false where the blob is there and its mark cannot be found
     */
    public boolean createIfMissing() {
        return BlobContainer.await(verbs.createIfMissing());
    }

    /**
     * Appends bytes: all of them or none.
     *
     * <p>If an answer is lost, the bytes at the position are read back. Where only time can tell, the call waits within its deadline until no attempt can be carried
     * out any more: up to 35 s with the default settings.
     *
     * @param bytes 1 byte to 100 MiB, not copied: they must not change meanwhile
     * @return where they are
     * @throws PreconditionFailedException if the blob's end is not where it was
     * @throws NotFoundException if the blob is not there
     * @throws io.stowline.error.OutcomeUnknownException if an answer was lost and it cannot be told whether the bytes were appended: the
     *     blob is gone or may have been emptied, it cannot be read, or the deadline ends before that shows
     * @throws ConflictException if it is no append blob, or has had its 50,000 appends
     */
    public Appended append(byte[] bytes) {
        return BlobContainer.await(verbs.append(bytes));
    }

    @Override
    public String toString() {
        return "AppendBlob[" + scope.name() + "/" + name() + "]";
    }
}
