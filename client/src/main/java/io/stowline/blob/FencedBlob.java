package io.stowline.blob;

import java.util.function.UnaryOperator;

/**
 * A blob that only the present leader writes. Each write names the ETag that the term has seen or made last ({@code If-Match}) and carries
 * the number of the term in the metadata {@code stowlineterm}. A later term changes both when it fences the blob, so that the store refuses
 * each write of an earlier one, whenever it was sent.
 *
 * <p>All writes of one term to one blob go one by one, through all objects; each waits within its own deadline. After one without a
 * proved outcome the next one fences the blob again. Writes of other clients that name no ETag are not fenced, and end the chain: the
 * next write here is refused. Thread-safe.
 */
public interface FencedBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Replaces the content of the blob.
     *
     * @param content the content
     * @return what was written
     * @throws LeaseLostException if the term is over; nothing was sent
     * @throws io.stowline.error.PreconditionFailedException if another client, such as a later leader, has written the blob
     * @throws io.stowline.error.DeadlineExceededException if earlier writes take all of its time; nothing was sent
     */
    default BlobWriteResult upload(byte[] content) {
        return upload(content, with -> with);
    }

    /**
     * Replaces the content of the blob.
     *
     * @param content the content
     * @param settings changes the default settings; the condition and the number of the term are added
     * @return what was written
     * @throws LeaseLostException if the term is over; nothing was sent
     * @throws io.stowline.error.PreconditionFailedException if another client, such as a later leader, has written the blob
     * @throws io.stowline.error.DeadlineExceededException if earlier writes take all of its time; nothing was sent
     */
    BlobWriteResult upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings);
}
