package io.stowline.access;

/**
 * A builder of signatures for all blobs of a container. The container itself is not created, deleted or read by them; an account's signature can do that.
 *
 * @param <R> the result of signing
 */
public interface ContainerSasBuilder<R> extends BlobServiceSasBuilder<ContainerSasBuilder<R>, R> {

    /**
     * Allows listing the blobs.
     *
     * @return this builder
     */
    ContainerSasBuilder<R> canList();

    /**
     * Allows finding blobs by their tags.
     *
     * @return this builder
     */
    ContainerSasBuilder<R> canFindByTags();
}
