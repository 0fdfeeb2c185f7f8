package io.stowline.blob;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;

/**
 * A blob that is written at its end only, such as a log. It remembers where its last append ended, and queries the service where it does not
 * know. Every append is for that position and no other, so that no attempt of it can append twice.
 *
 * <p>After a lost response the bytes at the position are read and compared: if they are those of the append, it was carried out
 * ({@link io.stowline.outcome.Evidence#CONTENT}); if they are others, it was not and never will be. For the only writer of a blob that
 * makes each append exactly once. If there are others, one of them may have appended the same bytes there.
 *
 * <p>Made for one writer. Where another one appends too, an append fails with a {@link PreconditionFailedException} that names both
 * positions, and the next one goes to the new end.
 *
 * <p>Thread-safe: appends through one object are made one after the other, in the order of their calls.
 */
public interface AppendBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods; both share one position.
     *
     * @return the reactive face of this blob
     */
    ReactiveAppendBlob reactive();

    /**
     * Creates the empty blob. The call leaves a marker in the blob's metadata, which is not shown, and recognises it after a lost response.
     * The call may then wait up to 35 s more, within its deadline.
     *
     * @throws ConflictException if there is a blob of this name
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and the service does not show which client created the
     *     existing one
     */
    void create();

    /**
     * Creates the empty blob unless there is a blob of this name.
     *
     * @return whether it was made; after a lost response also false where the blob is there and its marker cannot be found
     * @throws io.stowline.error.ConflictException if there is a blob of another type
     */
    boolean createIfMissing();

    /**
     * Appends bytes: all of them or none.
     *
     * <p>The deadline begins when the appends before it have ended, and covers asking for the blob's end, too.
     *
     * <p>If a response is lost, the call reads the bytes at the position back. If that leaves the outcome open, it waits within its
     * deadline until no attempt can still take effect: up to 35 s with the default settings.
     *
     * @param bytes 1 byte to 100 MiB, not copied: they must not change until the end
     * @return where they are
     * @throws PreconditionFailedException if the blob's end is not where it was
     * @throws NotFoundException if the blob is not there
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and it is unknown whether the bytes were appended: the blob
     *     is gone or may have been emptied, it cannot be read, or the deadline ends before that shows
     * @throws ConflictException if it is no append blob, or has had its 50,000 appends
     */
    BlobWriteResult append(byte[] bytes);

    /**
     * Appends bytes at a position that the caller knows, such as one that it has written down before: all of them or none. Costs no request
     * for the blob's end. Later appends go on behind them.
     *
     * @param bytes 1 byte to 100 MiB, not copied: they must not change until the end
     * @param position the blob's end, 0 or more
     * @return where they are
     * @throws PreconditionFailedException if the blob ends elsewhere, and other bytes stand at the position
     * @throws NotFoundException if the blob is not there
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and it is unknown whether the bytes were appended, as for
     *     {@link #append(byte[])}
     * @throws ConflictException if it is no append blob, or has had its 50,000 appends
     */
    BlobWriteResult append(byte[] bytes, long position);

    /**
     * Returns the largest append that the service version of the client allows: 100 MiB, or 4 MiB before 2022-11-02.
     *
     * @return its bytes
     */
    int maxAppend();
}
