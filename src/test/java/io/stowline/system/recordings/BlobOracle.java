package io.stowline.system.recordings;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.transport.ReadOrigin;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of the facts of blobs in headers and listings that shares no code with the library or the SDK. */
final class BlobOracle {

    private static final String METADATA = "x-ms-meta-";

    private BlobOracle() {}

    /** Reads the response to a read of a blob's properties or of its whole content. */
    static BlobInfo ofHeaders(String name, HeaderFields headers) {
        return ofHeaders(name, headers, Long.parseLong(headers.value("Content-Length", "0")), "Content-MD5");
    }

    /** Reads the response to a read of a range. */
    static BlobInfo ofRange(String name, HeaderFields headers) {
        String range = headers.value("Content-Range", "");
        long total = Long.parseLong(range.substring(range.indexOf('/') + 1));
        return ofHeaders(name, headers, total, "x-ms-blob-content-md5");
    }

    static BlobInfo ofHeaders(String name, HeaderFields headers, long size, String md5) {
        return new BlobInfo(
                name,
                size,
                headers.value("ETag"),
                HttpTimes.of(headers.value("Last-Modified", "")),
                BlobType.fromString(headers.value("x-ms-blob-type", "")),
                new BlobHeaders(
                        headers.value("Content-Type"),
                        headers.value("Content-Encoding"),
                        headers.value("Content-Language"),
                        headers.value("Content-Disposition"),
                        headers.value("Cache-Control")),
                headers.value(md5),
                headers.startingWith(METADATA),
                tier(headers.value("x-ms-access-tier")),
                headers.value("x-ms-version-id"),
                copyStatus(headers.value("x-ms-copy-status")),
                ReadOrigin.primary());
    }

    private static @Nullable AccessTier tier(@Nullable String name) {
        return name == null ? null : AccessTier.fromString(name);
    }

    private static @Nullable CopyStatusType copyStatus(@Nullable String name) {
        return name == null ? null : CopyStatusType.fromString(name);
    }

    /** Reads a blob of a listing. Its ETag has no quotes there. */
    static BlobInfo ofListing(XmlTree blob) {
        XmlTree facts = blob.child("Properties");
        XmlTree metadata = blob.child("Metadata");
        return new BlobInfo(
                blob.text("Name"),
                Long.parseLong(facts.text("Content-Length")),
                '"' + facts.text("Etag") + '"',
                HttpTimes.of(facts.text("Last-Modified")),
                BlobType.fromString(facts.text("BlobType")),
                new BlobHeaders(
                        facts.text("Content-Type"),
                        facts.text("Content-Encoding"),
                        facts.text("Content-Language"),
                        facts.text("Content-Disposition"),
                        facts.text("Cache-Control")),
                facts.text("Content-MD5"),
                metadata == null ? Map.of() : metadata.map(),
                tier(facts.text("AccessTier")),
                blob.text("VersionId"),
                copyStatus(facts.text("CopyStatus")),
                ReadOrigin.primary());
    }
}
