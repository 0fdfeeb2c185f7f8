package io.stowline.access;

/**
 * A builder of signatures for one blob, snapshot or version.
 *
 * @param <R> the result of signing
 */
public interface BlobSasBuilder<R> extends BlobServiceSasBuilder<BlobSasBuilder<R>, R> {

    /**
     * Allows deleting the snapshot or version for good where soft delete would keep them.
     *
     * @return this builder
     */
    BlobSasBuilder<R> canDeletePermanently();
}
