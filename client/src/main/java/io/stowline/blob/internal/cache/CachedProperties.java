package io.stowline.blob.internal.cache;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The facts of a blob as headers, as a cache keeps them beside its content. */
final class CachedProperties {

    private static final String ETAG = "etag";
    private static final String LAST_MODIFIED = "last-modified-instant";
    private static final String SIZE = "size";
    private static final String TYPE = "type";
    private static final String MD5 = "content-md5";
    private static final String CONTENT_TYPE = "content-type";
    private static final String CONTENT_ENCODING = "content-encoding";
    private static final String CONTENT_LANGUAGE = "content-language";
    private static final String CONTENT_DISPOSITION = "content-disposition";
    private static final String CACHE_CONTROL = "cache-control";
    private static final String TIER = "access-tier";
    private static final String VERSION_ID = "version-id";
    private static final String COPY_STATUS = "copy-status";
    private static final String METADATA = "meta-";

    private CachedProperties() {}

    static Map<String, String> headers(BlobInfo info) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(ETAG, info.etag());
        headers.put(LAST_MODIFIED, info.lastModified().toString());
        headers.put(SIZE, Long.toString(info.size()));
        put(headers, TYPE, info.type() == null ? null : info.type().toString());
        put(headers, MD5, info.contentMd5());
        put(headers, CONTENT_TYPE, info.headers().contentType());
        put(headers, CONTENT_ENCODING, info.headers().contentEncoding());
        put(headers, CONTENT_LANGUAGE, info.headers().contentLanguage());
        put(headers, CONTENT_DISPOSITION, info.headers().contentDisposition());
        put(headers, CACHE_CONTROL, info.headers().cacheControl());
        put(headers, TIER, info.tier() == null ? null : info.tier().toString());
        put(headers, VERSION_ID, info.versionId());
        put(
                headers,
                COPY_STATUS,
                info.copyStatus() == null ? null : info.copyStatus().toString());
        info.metadata().forEach((name, value) -> headers.put(METADATA + name, value));
        return headers;
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    static BlobInfo of(String name, Map<String, String> headers) {
        Map<String, String> metadata = new LinkedHashMap<>();
        headers.forEach((header, value) -> {
            if (header.startsWith(METADATA)) {
                metadata.put(header.substring(METADATA.length()), value);
            }
        });
        String type = headers.get(TYPE);
        String tier = headers.get(TIER);
        String copyStatus = headers.get(COPY_STATUS);
        return new BlobInfo(
                name,
                Long.parseLong(needed(headers, SIZE)),
                needed(headers, ETAG),
                Instant.parse(needed(headers, LAST_MODIFIED)),
                type == null ? null : BlobType.fromString(type),
                new BlobHeaders(
                        headers.get(CONTENT_TYPE),
                        headers.get(CONTENT_ENCODING),
                        headers.get(CONTENT_LANGUAGE),
                        headers.get(CONTENT_DISPOSITION),
                        headers.get(CACHE_CONTROL)),
                headers.get(MD5),
                metadata,
                tier == null ? null : AccessTier.fromString(tier),
                headers.get(VERSION_ID),
                copyStatus == null ? null : CopyStatusType.fromString(copyStatus),
                ReadOrigin.primary());
    }

    /** Returns whether the Content-Encoding is that of gzip. */
    static boolean isGzip(Map<String, String> headers) {
        return Expansion.isGzip(headers.get(CONTENT_ENCODING));
    }

    private static String needed(Map<String, String> headers, String name) {
        return Objects.requireNonNull(headers.get(name), name);
    }
}
