package io.stowline.blob.internal.request;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.models.LeaseStatusType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A blob, or a folder of them, in the XML of a listing (the service's page "List Blobs"). A name is all that a listing must give: what
 * else is left out or cannot be read is unknown (decision 507). Not changed once it is read.
 */
public final class ListedElement {

    /** The size of a blob whose listing does not give it. */
    private static final long UNKNOWN = -1;

    private final boolean folder;
    private String name = "";
    private @Nullable String snapshot;
    private @Nullable String versionId;
    private boolean deleted;
    private boolean current;
    private Map<String, String> metadata = Map.of();
    private Map<String, String> tags = Map.of();
    private long size = UNKNOWN;
    private String etag = "";
    private Instant lastModified = Instant.EPOCH;
    private @Nullable String contentType;
    private @Nullable String contentEncoding;
    private @Nullable String contentLanguage;
    private @Nullable String contentDisposition;
    private @Nullable String cacheControl;
    private @Nullable String contentMd5;
    private @Nullable BlobType type;
    private @Nullable AccessTier tier;
    private @Nullable CopyStatusType copyStatus;
    private @Nullable LeaseStatusType leaseStatus;
    private @Nullable String customerKeyHash;

    private ListedElement(boolean folder) {
        this.folder = folder;
    }

    /**
     * Reads the element that the reader is at.
     *
     * @param folder whether it is the common beginning of several names
     * @throws IOException if it has no name, or is no XML
     */
    static ListedElement read(XmlCursor xml, boolean folder) throws IOException {
        ListedElement element = new ListedElement(folder);
        while (xml.next()) {
            switch (xml.name()) {
                case "Name" -> element.name = name(xml);
                case "Snapshot" -> element.snapshot = text(xml);
                case "VersionId" -> element.versionId = text(xml);
                case "Deleted" -> element.deleted = Boolean.parseBoolean(text(xml));
                case "IsCurrentVersion" -> element.current = Boolean.parseBoolean(text(xml));
                case "Properties" -> element.properties(xml);
                case "Metadata" -> element.metadata = texts(xml);
                case "Tags" -> element.tags = TagsXml.read(xml);
                default -> xml.skip();
            }
        }
        if (element.name.isEmpty()) {
            throw new IOException("an entry of the list has no name");
        }
        return element;
    }

    /** Names that XML cannot carry come encoded as in an address. */
    private static String name(XmlCursor xml) throws IOException {
        boolean encoded = Boolean.parseBoolean(xml.attribute("Encoded"));
        String text = xml.text();
        try {
            return encoded ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8) : text;
        } catch (IllegalArgumentException e) {
            throw new IOException("the name of an entry of the list is not encoded as in an address", e);
        }
    }

    private static @Nullable String text(XmlCursor xml) throws IOException {
        String text = xml.text();
        return text.isEmpty() ? null : text;
    }

    private void properties(XmlCursor xml) throws IOException {
        while (xml.next()) {
            switch (xml.name()) {
                case "Content-Length" -> size = size(text(xml));
                case "Etag" -> etag = quoted(text(xml));
                case "Last-Modified" -> lastModified = time(text(xml));
                case "Content-Type" -> contentType = text(xml);
                case "Content-Encoding" -> contentEncoding = text(xml);
                case "Content-Language" -> contentLanguage = text(xml);
                case "Content-Disposition" -> contentDisposition = text(xml);
                case "Cache-Control" -> cacheControl = text(xml);
                case "Content-MD5" -> contentMd5 = text(xml);
                case "BlobType" -> type = BlobType.fromString(text(xml));
                case "AccessTier" -> tier = tier(text(xml));
                case "CopyStatus" -> copyStatus = CopyStatusType.fromString(text(xml));
                case "LeaseStatus" -> leaseStatus = LeaseStatusType.fromString(text(xml));
                case "CustomerProvidedKeySha256" -> customerKeyHash = text(xml);
                default -> xml.skip();
            }
        }
    }

    private static long size(@Nullable String length) {
        try {
            return length == null ? UNKNOWN : Math.max(UNKNOWN, Long.parseLong(length.strip()));
        } catch (NumberFormatException e) {
            return UNKNOWN;
        }
    }

    private static String quoted(@Nullable String etag) {
        return etag == null ? "" : HeaderValues.quoted(etag);
    }

    private static Instant time(@Nullable String rfc1123) {
        Instant time = HttpDates.parse(rfc1123);
        return time == null ? Instant.EPOCH : time;
    }

    private static @Nullable AccessTier tier(@Nullable String name) {
        return name == null ? null : AccessTier.fromString(name);
    }

    /** Reads the texts of the elements within the one that the reader is at, by their names. */
    static Map<String, String> texts(XmlCursor xml) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        while (xml.next()) {
            String key = xml.name();
            texts.put(key, xml.text());
        }
        return texts;
    }

    /** Returns the name, or the beginning that several names share. */
    public String name() {
        return name;
    }

    /** Returns whether it is the common beginning of several names. */
    public boolean isFolder() {
        return folder;
    }

    /** Returns the id of the snapshot that it is, or {@code null}. */
    public @Nullable String snapshot() {
        return snapshot;
    }

    /** Returns the id of its version, or {@code null} where the account keeps none. */
    public @Nullable String versionId() {
        return versionId;
    }

    /** Returns whether it is deleted, and still kept. */
    public boolean isDeleted() {
        return deleted;
    }

    /** Returns whether it is the version that its blob has at present. */
    public boolean isCurrentVersion() {
        return current;
    }

    /** Returns all metadata, with those that users do not see. */
    public Map<String, String> metadata() {
        return metadata;
    }

    public Map<String, String> tags() {
        return tags;
    }

    /** Returns the bytes of its content; negative where they are unknown. */
    public long size() {
        return size;
    }

    /** Returns the version, quoted; empty where it is unknown. */
    public String etag() {
        return etag;
    }

    /** Returns when it was written last; 1970 where it is unknown. */
    public Instant lastModified() {
        return lastModified;
    }

    /** Returns the stored MD5 in Base64, or {@code null}. */
    public @Nullable String contentMd5() {
        return contentMd5;
    }

    public @Nullable String contentEncoding() {
        return contentEncoding;
    }

    public @Nullable BlobType type() {
        return type;
    }

    public @Nullable AccessTier tier() {
        return tier;
    }

    public @Nullable CopyStatusType copyStatus() {
        return copyStatus;
    }

    public @Nullable LeaseStatusType leaseStatus() {
        return leaseStatus;
    }

    /** Returns the hash of the key that its writer keeps, or {@code null}. */
    public @Nullable String customerKeyHash() {
        return customerKeyHash;
    }

    /**
     * Returns the properties as users see them.
     *
     * @param origin where the listing came from
     */
    public BlobInfo info(ReadOrigin origin) {
        return new BlobInfo(
                name,
                size,
                etag,
                lastModified,
                type,
                new BlobHeaders(contentType, contentEncoding, contentLanguage, contentDisposition, cacheControl),
                contentMd5,
                WriteIdMetadata.hiddenIn(metadata),
                tier,
                versionId,
                copyStatus,
                origin);
    }
}
