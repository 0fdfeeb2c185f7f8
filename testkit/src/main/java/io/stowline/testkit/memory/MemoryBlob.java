package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.Bytes;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A blob of the memory account. Not thread-safe. */
final class MemoryBlob {

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
    private static final List<String> CONTENT_HEADERS = List.of(
            "Content-Type",
            "Content-Encoding",
            "Content-Language",
            "Content-Disposition",
            "Cache-Control",
            "Content-MD5");

    private final BlobKind kind;
    private final Map<String, byte[]> blocks;
    private final Map<String, String> content = new LinkedHashMap<>();
    private final @Nullable MemoryPages pages;
    private Map<String, String> metadata;
    private byte[] bytes;
    private MemoryVersion version;
    private int appended;
    private @Nullable CopyState copy;

    private MemoryBlob(
            BlobKind kind,
            Map<String, byte[]> blocks,
            @Nullable MemoryPages pages,
            byte[] bytes,
            Map<String, String> metadata,
            MemoryVersion version) {
        this.kind = kind;
        this.blocks = blocks;
        this.pages = pages;
        this.bytes = bytes;
        this.metadata = metadata;
        this.version = version;
    }

    static MemoryBlob made(BlobKind kind, StorageRequest request, byte[] bytes, MemoryVersion version) {
        MemoryPages pages = kind == BlobKind.PAGE ? MemoryPages.of(request) : null;
        MemoryBlob blob = new MemoryBlob(kind, Map.of(), pages, bytes, request.metadata(), version);
        blob.describe(request);
        if (kind == BlobKind.BLOCK) {
            blob.content.putIfAbsent("Content-MD5", md5(bytes));
        }
        return blob;
    }

    static MemoryBlob ofBlocks(
            StorageRequest request,
            Map<String, byte[]> uncommitted,
            @Nullable MemoryBlob before,
            MemoryVersion version) {
        Map<String, byte[]> committed = before == null ? Map.of() : before.blocks;
        Map<String, byte[]> chosen = new LinkedHashMap<>();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (XmlElement entry : MemoryXml.children(request)) {
            String id = entry.text();
            byte[] block =
                    switch (entry.name()) {
                        case "Latest" -> uncommitted.getOrDefault(id, committed.get(id));
                        case "Uncommitted" -> uncommitted.get(id);
                        default -> committed.get(id);
                    };
            if (block == null) {
                throw new RefusedOperation(400, "InvalidBlockList", "The specified block list is invalid.");
            }
            chosen.put(id, block);
            whole.writeBytes(block);
        }
        MemoryBlob blob =
                new MemoryBlob(BlobKind.BLOCK, chosen, null, whole.toByteArray(), request.metadata(), version);
        blob.describe(request);
        return blob;
    }

    /** Returns the body of a request, whose MD5 it checks. */
    static Bytes checked(StorageRequest request) {
        String given = request.header("Content-MD5");
        if (given != null && !given.equals(md5(request.body().toArray()))) {
            throw new RefusedOperation(
                    400, "Md5Mismatch", "The MD5 value specified in the request did not match with the content.");
        }
        return request.body();
    }

    /** Returns this blob with headers of a source, and its metadata unless it has others. */
    MemoryBlob described(MemoryBlob source) {
        source.content.forEach(content::put);
        metadata = metadata.isEmpty() ? source.metadata : metadata;
        return this;
    }

    /** Returns the empty target of a copy of this blob. */
    MemoryBlob copied(StorageRequest request, String id, ServiceTimes times) {
        MemoryBlob target = new MemoryBlob(
                        kind,
                        Map.of(),
                        pages == null ? null : pages.emptied(),
                        new byte[0],
                        request.metadata(),
                        MemoryVersion.next(times))
                .described(this);
        target.copy = CopyState.pending(id, length());
        return target;
    }

    /** Ends a pending copy, as the service does: with the content, or empty. */
    void endCopy(String status, byte[] whole, ServiceTimes times) {
        copy = Objects.requireNonNull(copy).ended(status);
        byte[] arrived = copy.isSuccess() ? whole : new byte[0];
        if (pages == null) {
            bytes = arrived;
        } else {
            pages.fill(arrived);
        }
        version = MemoryVersion.next(times);
    }

    boolean isPending() {
        return copy != null && copy.isPending();
    }

    boolean isCopy(@Nullable String id) {
        return copy != null && copy.id().equals(id);
    }

    void checkNotPending() {
        if (isPending()) {
            throw new RefusedOperation(409, "PendingCopyOperation", "There is currently a pending copy operation.");
        }
    }

    byte[] content() {
        return part(0, length());
    }

    /** Returns the status of the write that made it. */
    int status() {
        return copy == null ? 201 : 202;
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    private static boolean isDescribed(StorageRequest request) {
        return CONTENT_HEADERS.stream()
                .anyMatch(name -> request.header("x-ms-blob-" + name.toLowerCase(Locale.ROOT)) != null);
    }

    private void describe(StorageRequest request) {
        for (String name : CONTENT_HEADERS) {
            String value = request.header("x-ms-blob-" + name.toLowerCase(Locale.ROOT));
            if (value != null) {
                content.put(name, value);
            }
        }
        content.putIfAbsent("Content-Type", "application/octet-stream");
    }

    boolean isOf(BlobKind other) {
        return kind == other;
    }

    Map<String, byte[]> blocks() {
        return blocks;
    }

    MemoryVersion version() {
        return version;
    }

    StubResponse written(int status) {
        StubResponse response = version.on(StubResponse.of(status)).header("x-ms-request-server-encrypted", "true");
        String md5 = content.get("Content-MD5");
        return withCopy(md5 == null ? response : response.header("Content-MD5", md5));
    }

    private StubResponse withCopy(StubResponse response) {
        return copy == null ? response : copy.on(response);
    }

    StubResponse properties() {
        StubResponse response = MemoryResponse.with(described(200), "", content)
                .header("Content-Length", Long.toString(length()))
                .header("x-ms-creation-time", HttpDate.format(version.changed()));
        if (pages != null) {
            return pages.on(response);
        }
        return kind == BlobKind.APPEND
                ? response.header("x-ms-blob-committed-block-count", Integer.toString(appended))
                : response;
    }

    private long length() {
        return pages == null ? bytes.length : pages.size();
    }

    private byte[] part(long from, long end) {
        return pages == null ? Arrays.copyOfRange(bytes, (int) from, (int) end) : pages.part(from, end);
    }

    private StubResponse described(int status) {
        StubResponse response = version.on(StubResponse.of(status))
                .header("x-ms-blob-type", kind.wireName())
                .header("Accept-Ranges", "bytes");
        return withCopy(MemoryResponse.withMetadata(response, metadata));
    }

    StubResponse read(StorageRequest request) {
        String given = request.header("x-ms-range") == null ? request.header("Range") : request.header("x-ms-range");
        if (given == null) {
            return properties().body(part(0, length()));
        }
        Matcher range = RANGE.matcher(given);
        if (!range.matches()) {
            throw new RefusedOperation(400, "InvalidHeaderValue", "The range " + given + " is not valid.");
        }
        long from = Long.parseLong(range.group(1));
        if (from >= length()) {
            throw MemoryPages.outOfRange();
        }
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
        long end = Math.min(length() - 1, last);
        byte[] part = part(from, end + 1);
        StubResponse response = MemoryResponse.with(described(206), "", content);
        String md5 = content.get("Content-MD5");
        response =
                md5 == null ? response : response.withoutHeader("Content-MD5").header("x-ms-blob-content-md5", md5);
        return response.header("Content-Range", "bytes " + from + "-" + end + "/" + length())
                .header("Content-Length", Integer.toString(part.length))
                .body(part);
    }

    static RefusedOperation otherKind() {
        return new RefusedOperation(409, "InvalidBlobType", "The blob type is invalid for this operation.");
    }

    private MemoryPages pages() {
        if (pages == null) {
            throw otherKind();
        }
        return pages;
    }

    StubResponse writePages(StorageRequest request, ServiceTimes times) {
        pages().write(request);
        version = MemoryVersion.next(times);
        StubResponse response = pages().on(version.on(StubResponse.of(201)));
        String md5 = request.header("Content-MD5");
        return (md5 == null ? response : response.header("Content-MD5", md5))
                .header("x-ms-request-server-encrypted", "true");
    }

    StubResponse listPages(StorageRequest request) {
        return version.on(pages().list(request));
    }

    StubResponse append(StorageRequest request, ServiceTimes times) {
        if (kind != BlobKind.APPEND) {
            throw otherKind();
        }
        Bytes block = checked(request);
        String position = request.header("x-ms-blob-condition-appendpos");
        if (position != null && Long.parseLong(position) != bytes.length) {
            throw new RefusedOperation(
                    412, "AppendPositionConditionNotMet", "The append position condition specified was not met.");
        }
        String max = request.header("x-ms-blob-condition-maxsize");
        if (max != null && bytes.length + (long) block.length() > Long.parseLong(max)) {
            throw new RefusedOperation(412, "MaxBlobSizeConditionNotMet", "The max blob size condition was not met.");
        }
        int offset = bytes.length;
        byte[] longer = Arrays.copyOf(bytes, offset + block.length());
        System.arraycopy(block.toArray(), 0, longer, offset, block.length());
        bytes = longer;
        appended++;
        version = MemoryVersion.next(times);
        return version.on(StubResponse.of(201))
                .header("x-ms-request-server-encrypted", "true")
                .header("x-ms-blob-append-offset", Integer.toString(offset))
                .header("x-ms-blob-committed-block-count", Integer.toString(appended));
    }

    StubResponse change(StorageRequest request, boolean onlyMetadata, ServiceTimes times) {
        if (onlyMetadata) {
            metadata = request.metadata();
        } else if (pages == null || !pages.change(request) || isDescribed(request)) {
            content.clear();
            describe(request);
        }
        version = MemoryVersion.next(times);
        StubResponse response = version.on(StubResponse.of(200));
        return pages == null ? response : pages.on(response);
    }

    /** Returns the blob in a listing. */
    String xml(String name, boolean withMetadata) {
        StringBuilder xml = new StringBuilder("<Blob>")
                .append(XmlDocument.element("Name", name))
                .append("<Properties>")
                .append(XmlDocument.element("Creation-Time", HttpDate.format(version.changed())))
                .append(version.xml())
                .append(XmlDocument.element("Content-Length", Long.toString(length())))
                .append(XmlDocument.element("BlobType", kind.wireName()));
        new TreeMap<>(content).forEach((header, value) -> xml.append(XmlDocument.element(header, value)));
        xml.append("</Properties>");
        return xml.append(withMetadata ? MemoryXml.metadata(Objects.requireNonNull(metadata)) : "")
                .append("</Blob>")
                .toString();
    }
}
