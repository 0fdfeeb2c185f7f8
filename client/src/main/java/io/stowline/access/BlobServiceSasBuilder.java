package io.stowline.access;

/**
 * A builder of signatures for blobs: what one blob and a container have in common.
 *
 * @param <B> the builder of one kind of resource
 * @param <R> the result of signing
 */
public interface BlobServiceSasBuilder<B extends BlobServiceSasBuilder<B, R>, R> extends SasBuilder<B, R> {

    /**
     * Allows reading content, properties, metadata and block lists, and being the source of a copy.
     *
     * @return this builder
     */
    B canRead();

    /**
     * Allows appending to append blobs.
     *
     * @return this builder
     */
    B canAppend();

    /**
     * Allows writing new blobs, but not changing those that are there.
     *
     * @return this builder
     */
    B canCreate();

    /**
     * Allows writing blobs, new ones and those that are there, with their properties, metadata and leases.
     *
     * @return this builder
     */
    B canWrite();

    /**
     * Allows deleting blobs, and breaking their leases.
     *
     * @return this builder
     */
    B canDelete();

    /**
     * Allows deleting versions of blobs.
     *
     * @return this builder
     */
    B canDeleteVersions();

    /**
     * Allows reading and setting tags.
     *
     * @return this builder
     */
    B canTag();

    /**
     * Allows setting immutability policies and legal holds.
     *
     * @return this builder
     */
    B canSetImmutability();

    /**
     * Signs for a stored access policy of the container, which may set permissions and times and takes the access back when it is removed. What
     * the policy sets is not given here; a new policy takes up to 30 seconds to take effect. Not with a user delegation key.
     *
     * @param policy its identifier
     * @return this builder
     * @throws IllegalArgumentException if it is empty or longer than 64 characters
     */
    B byPolicy(String policy);

    /**
     * Lets responses with content carry this {@code Cache-Control}.
     *
     * @param cacheControl the value
     * @return this builder
     */
    B servedWithCacheControl(String cacheControl);

    /**
     * Lets responses with content carry this {@code Content-Disposition}, such as {@code attachment; filename="report.pdf"}.
     *
     * @param contentDisposition the value
     * @return this builder
     */
    B servedWithContentDisposition(String contentDisposition);

    /**
     * Lets responses with content carry this {@code Content-Encoding}.
     *
     * @param contentEncoding the value
     * @return this builder
     */
    B servedWithContentEncoding(String contentEncoding);

    /**
     * Lets responses with content carry this {@code Content-Language}.
     *
     * @param contentLanguage the value
     * @return this builder
     */
    B servedWithContentLanguage(String contentLanguage);

    /**
     * Lets responses with content carry this {@code Content-Type}.
     *
     * @param contentType the value
     * @return this builder
     */
    B servedWithContentType(String contentType);

    /**
     * Requires that written content is encrypted by this encryption scope.
     *
     * @param scope its name
     * @return this builder
     */
    B encryptedBy(String scope);
}
