package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.request.HeaderValues;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a blob is served with to its readers, a browser for example.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param contentType the media type, or {@code null}; the service makes {@code application/octet-stream} of none
 * @param contentEncoding such as {@code gzip}, or {@code null}
 * @param contentLanguage such as {@code en}, or {@code null}
 * @param contentDisposition such as {@code attachment; filename="a.txt"}, or {@code null}
 * @param cacheControl such as {@code max-age=3600}, or {@code null}
 */
public record BlobHeaders(
        @Nullable String contentType,
        @Nullable String contentEncoding,
        @Nullable String contentLanguage,
        @Nullable String contentDisposition,
        @Nullable String cacheControl) {

    private static final BlobHeaders NONE = new BlobHeaders(null, null, null, null, null);

    /**
     * Returns headers of which none is set.
     *
     * @return headers of which none is set
     */
    public static BlobHeaders none() {
        return NONE;
    }

    /**
     * Begins with these headers.
     *
     * @return a builder that holds them
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobHeaders[contentType=" + contentType + ", contentEncoding=" + contentEncoding
                + ", contentLanguage=" + contentLanguage + ", contentDisposition=" + contentDisposition
                + ", cacheControl=" + cacheControl + "]");
    }

    /** A builder that collects headers; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private @Nullable String contentType;
        private @Nullable String contentEncoding;
        private @Nullable String contentLanguage;
        private @Nullable String contentDisposition;
        private @Nullable String cacheControl;

        private Builder(BlobHeaders from) {
            this.contentType = from.contentType;
            this.contentEncoding = from.contentEncoding;
            this.contentLanguage = from.contentLanguage;
            this.contentDisposition = from.contentDisposition;
            this.cacheControl = from.cacheControl;
        }

        /**
         * Sets the media type.
         *
         * @param contentType such as {@code text/plain; charset=utf-8}, or {@code null} for none
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder contentType(@Nullable String contentType) {
            this.contentType = HeaderValues.check("contentType", contentType);
            return this;
        }

        /**
         * Sets the encoding of the content.
         *
         * @param contentEncoding such as {@code gzip}, or {@code null} for none
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder contentEncoding(@Nullable String contentEncoding) {
            this.contentEncoding = HeaderValues.check("contentEncoding", contentEncoding);
            return this;
        }

        /**
         * Sets the language of the content.
         *
         * @param contentLanguage such as {@code en}, or {@code null} for none
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder contentLanguage(@Nullable String contentLanguage) {
            this.contentLanguage = HeaderValues.check("contentLanguage", contentLanguage);
            return this;
        }

        /**
         * Sets how a browser presents the content.
         *
         * @param contentDisposition such as {@code attachment; filename="a.txt"}, or {@code null} for none
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder contentDisposition(@Nullable String contentDisposition) {
            this.contentDisposition = HeaderValues.check("contentDisposition", contentDisposition);
            return this;
        }

        /**
         * Sets how long others may keep the content.
         *
         * @param cacheControl such as {@code max-age=3600}, or {@code null} for none
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder cacheControl(@Nullable String cacheControl) {
            this.cacheControl = HeaderValues.check("cacheControl", cacheControl);
            return this;
        }

        /**
         * Makes the headers.
         *
         * @return the headers
         */
        public BlobHeaders build() {
            return new BlobHeaders(contentType, contentEncoding, contentLanguage, contentDisposition, cacheControl);
        }
    }
}
