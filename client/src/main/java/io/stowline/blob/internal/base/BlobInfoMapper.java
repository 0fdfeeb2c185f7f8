package io.stowline.blob.internal.base;

import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobItemProperties;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the SDK says of a blob in three ways, in ours. What the service always says must be there. */
public final class BlobInfoMapper {

    private BlobInfoMapper() {}

    public static BlobInfo of(String name, BlobProperties seen) {
        return new BlobInfo(
                name,
                seen.getBlobSize(),
                HeaderValues.quoted(seen.getETag()),
                instant(seen.getLastModified()),
                type(seen.getBlobType()),
                new BlobHeaders(
                        seen.getContentType(),
                        seen.getContentEncoding(),
                        seen.getContentLanguage(),
                        seen.getContentDisposition(),
                        seen.getCacheControl()),
                base64(seen.getContentMd5()),
                WriteIdMetadata.hiddenIn(seen.getMetadata()));
    }

    /** Of an answer with content; the MD5 of the whole blob stands elsewhere than that of a range. */
    public static BlobInfo of(String name, long size, BlobDownloadHeaders seen) {
        return new BlobInfo(
                name,
                size,
                HeaderValues.quoted(seen.getETag()),
                instant(seen.getLastModified()),
                type(seen.getBlobType()),
                new BlobHeaders(
                        seen.getContentType(),
                        seen.getContentEncoding(),
                        seen.getContentLanguage(),
                        seen.getContentDisposition(),
                        seen.getCacheControl()),
                base64(seen.getBlobContentMD5()),
                WriteIdMetadata.hiddenIn(seen.getMetadata()));
    }

    public static BlobInfo of(BlobItem item) {
        BlobItemProperties seen = item.getProperties();
        return new BlobInfo(
                item.getName(),
                Objects.requireNonNull(seen.getContentLength(), "no Content-Length"),
                HeaderValues.quoted(seen.getETag()),
                instant(seen.getLastModified()),
                type(seen.getBlobType()),
                new BlobHeaders(
                        seen.getContentType(),
                        seen.getContentEncoding(),
                        seen.getContentLanguage(),
                        seen.getContentDisposition(),
                        seen.getCacheControl()),
                base64(seen.getContentMd5()),
                WriteIdMetadata.hiddenIn(item.getMetadata()));
    }

    public static BlobHttpHeaders sdk(BlobHeaders headers, @Nullable String contentMd5) {
        return new BlobHttpHeaders()
                .setContentType(headers.contentType())
                .setContentEncoding(headers.contentEncoding())
                .setContentLanguage(headers.contentLanguage())
                .setContentDisposition(headers.contentDisposition())
                .setCacheControl(headers.cacheControl())
                .setContentMd5(contentMd5 == null ? null : Base64.getDecoder().decode(contentMd5));
    }

    public static Instant instant(@Nullable OffsetDateTime seen) {
        return Objects.requireNonNull(seen, "no Last-Modified").toInstant();
    }

    private static BlobType type(@Nullable BlobType seen) {
        return Objects.requireNonNull(seen, "no blob type");
    }

    @Nullable
    private static String base64(byte @Nullable [] md5) {
        return md5 == null ? null : Base64.getEncoder().encodeToString(md5);
    }

    /** As the service serves them. */
    public static BlobHeaders served(BlobHeaders headers) {
        return headers.contentType() == null
                ? headers.toBuilder().contentType("application/octet-stream").build()
                : headers;
    }
}
