package io.stowline.blob.internal.base;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobContainerProperties;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.ContainerInfo;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The facts of a blob from the models of the SDK. A response may lack each of them but the name: some gateways leave them out (WORLD-2). */
public final class BlobInfoMapper {

    /** The size of a blob whose response does not give it. */
    private static final long UNKNOWN = -1;

    private BlobInfoMapper() {}

    public static BlobInfo of(String name, Response<BlobProperties> response) {
        BlobProperties seen = response.getValue();
        return info(
                name,
                size(response),
                seen.getETag(),
                seen.getLastModified(),
                seen.getBlobType(),
                new BlobHeaders(
                        seen.getContentType(),
                        seen.getContentEncoding(),
                        seen.getContentLanguage(),
                        seen.getContentDisposition(),
                        seen.getCacheControl()),
                seen.getContentMd5(),
                seen.getMetadata(),
                seen.getAccessTier(),
                seen.getVersionId(),
                seen.getCopyStatus());
    }

    /** Returns the properties of a container, as one place has them. */
    public static ContainerInfo container(Response<BlobContainerProperties> response, ReadOrigin origin) {
        BlobContainerProperties seen = response.getValue();
        return new ContainerInfo(
                quoted(seen.getETag()),
                instant(seen.getLastModified()),
                WriteIdMetadata.hiddenIn(seen.getMetadata()),
                origin);
    }

    private static String quoted(@Nullable String etag) {
        return etag == null ? "" : HeaderValues.quoted(etag);
    }

    /**
     * Returns the bytes of a blob, negative where the response has no {@code Content-Length}, for which the SDK gives
     * 0.
     */
    public static long size(Response<BlobProperties> response) {
        long size = response.getValue().getBlobSize();
        if (size < 0) {
            throw new IllegalStateException("a Content-Length of " + size);
        }
        return response.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH) == null ? UNKNOWN : size;
    }

    private static BlobInfo info(
            String name,
            long size,
            @Nullable String etag,
            @Nullable OffsetDateTime lastModified,
            @Nullable BlobType type,
            BlobHeaders headers,
            byte @Nullable [] md5,
            @Nullable Map<String, String> metadata,
            @Nullable AccessTier tier,
            @Nullable String versionId,
            @Nullable CopyStatusType copyStatus) {
        return new BlobInfo(
                name,
                size,
                quoted(etag),
                instant(lastModified),
                type,
                headers,
                md5 == null ? null : Base64.getEncoder().encodeToString(md5),
                WriteIdMetadata.hiddenIn(metadata),
                tier,
                versionId == null || versionId.isEmpty() ? null : versionId,
                copyStatus,
                ReadOrigin.primary());
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

    /** Returns a time of a response, 1970 where it has none. */
    public static Instant instant(@Nullable OffsetDateTime seen) {
        return seen == null ? Instant.EPOCH : seen.toInstant();
    }

    /** Returns headers as the service serves them. */
    public static BlobHeaders served(BlobHeaders headers) {
        return headers.contentType() == null
                ? headers.toBuilder().contentType("application/octet-stream").build()
                : headers;
    }
}
