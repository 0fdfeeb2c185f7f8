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
import java.time.Instant;
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
    private Map<String, String> metadata;
    private byte[] bytes;
    private Version version;
    private int appended;
    private @Nullable CopyState copy;

    /** The types of blobs. */
    enum BlobKind {
        BLOCK("BlockBlob"),
        APPEND("AppendBlob");

        private final String wireName;

        BlobKind(String wireName) {
            this.wireName = wireName;
        }

        static BlobKind of(StorageRequest request) {
            String given = request.header("x-ms-blob-type");
            for (BlobKind kind : values()) {
                if (kind.wireName.equals(given)) {
                    return kind;
                }
            }
            throw RefusedOperation.unknown(request);
        }
    }

    /** A state of a blob or container. */
    record Version(Instant changed, String etag) {

        static Version next(ServiceTimes times) {
            Instant changed = times.change();
            long ticks = changed.getEpochSecond() * 10_000_000 + changed.getNano() / 100;
            return new Version(changed, "\"0x" + Long.toHexString(ticks).toUpperCase(Locale.ROOT) + "\"");
        }

        StubResponse on(StubResponse response) {
            return response.header("ETag", etag).header("Last-Modified", HttpDate.format(changed));
        }

        String xml() {
            return XmlDocument.element("Last-Modified", HttpDate.format(changed)) + XmlDocument.element("Etag", etag);
        }
    }

    private MemoryBlob(
            BlobKind kind, Map<String, byte[]> blocks, byte[] bytes, Map<String, String> metadata, Version version) {
        this.kind = kind;
        this.blocks = blocks;
        this.bytes = bytes;
        this.metadata = metadata;
        this.version = version;
    }

    static MemoryBlob made(BlobKind kind, StorageRequest request, byte[] bytes, Version version) {
        MemoryBlob blob = new MemoryBlob(kind, Map.of(), bytes, request.metadata(), version);
        blob.describe(request);
        if (kind == BlobKind.BLOCK) {
            blob.content.putIfAbsent("Content-MD5", md5(bytes));
        }
        return blob;
    }

    static MemoryBlob ofBlocks(
            StorageRequest request, Map<String, byte[]> uncommitted, @Nullable MemoryBlob before, Version version) {
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
        MemoryBlob blob = new MemoryBlob(BlobKind.BLOCK, chosen, whole.toByteArray(), request.metadata(), version);
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
        MemoryBlob target =
                new MemoryBlob(kind, Map.of(), new byte[0], request.metadata(), Version.next(times)).described(this);
        target.copy = CopyState.pending(id, bytes.length);
        return target;
    }

    /** Ends a pending copy, as the service does: with the content, or empty. */
    void endCopy(String status, byte[] whole, ServiceTimes times) {
        copy = Objects.requireNonNull(copy).ended(status);
        bytes = copy.isSuccess() ? whole : new byte[0];
        version = Version.next(times);
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
        return bytes.clone();
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

    /** Checks the conditions of a write to a blob that may not exist. */
    static void checkWrite(@Nullable MemoryBlob known, StorageRequest request) {
        if (known != null) {
            if ("*".equals(request.header("If-None-Match"))) {
                throw new RefusedOperation(409, "BlobAlreadyExists", "The specified blob already exists.");
            }
            known.check(request);
        } else if (request.header("If-Match") != null) {
            throw unmet();
        }
    }

    Version version() {
        return version;
    }

    void check(StorageRequest request) {
        String match = quoted(request.header("If-Match"));
        String noneMatch = quoted(request.header("If-None-Match"));
        boolean read = request.method().equals("GET") || request.method().equals("HEAD");
        if (match != null && !match.equals("*") && !match.equals(version.etag())) {
            throw unmet();
        }
        if (noneMatch != null && (noneMatch.equals("*") || noneMatch.equals(version.etag()))) {
            throw read ? new RefusedOperation(304, "ConditionNotMet", "The condition was not met.") : unmet();
        }
        if (request.header("If-Modified-Since") != null || request.header("If-Unmodified-Since") != null) {
            throw RefusedOperation.unknown(request);
        }
    }

    /** Microsoft's clients send an ETag without its quotation marks, and the service takes it. */
    static @Nullable String quoted(@Nullable String etag) {
        return etag == null || etag.equals("*") || etag.startsWith("\"") ? etag : "\"" + etag + "\"";
    }

    private static RefusedOperation unmet() {
        return new RefusedOperation(
                412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");
    }

    StubResponse written(int status) {
        StubResponse response = version.on(StubResponse.of(status)).header("x-ms-request-server-encrypted", "true");
        String md5 = content.get("Content-MD5");
        return withCopy(md5 == null ? response : response.header("Content-MD5", md5));
    }

    private StubResponse withCopy(StubResponse response) {
        return copy == null ? response : copy.on(response);
    }

    StubResponse facts() {
        StubResponse response = MemoryResponse.with(described(200), "", content)
                .header("Content-Length", Integer.toString(bytes.length))
                .header("x-ms-creation-time", HttpDate.format(version.changed()));
        return kind == BlobKind.APPEND
                ? response.header("x-ms-blob-committed-block-count", Integer.toString(appended))
                : response;
    }

    private StubResponse described(int status) {
        StubResponse response = version.on(StubResponse.of(status))
                .header("x-ms-blob-type", kind.wireName)
                .header("Accept-Ranges", "bytes");
        return withCopy(MemoryResponse.withMetadata(response, metadata));
    }

    StubResponse read(StorageRequest request) {
        String given = request.header("x-ms-range") == null ? request.header("Range") : request.header("x-ms-range");
        if (given == null) {
            return facts().body(bytes);
        }
        Matcher range = RANGE.matcher(given);
        if (!range.matches()) {
            throw new RefusedOperation(400, "InvalidHeaderValue", "The range " + given + " is not valid.");
        }
        long from = Long.parseLong(range.group(1));
        if (from >= bytes.length) {
            throw new RefusedOperation(
                    416, "InvalidRange", "The range specified is invalid for the current size of the resource.");
        }
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
        int end = (int) Math.min(bytes.length - 1L, last);
        byte[] part = Arrays.copyOfRange(bytes, (int) from, end + 1);
        StubResponse response = MemoryResponse.with(described(206), "", content);
        String md5 = content.get("Content-MD5");
        response =
                md5 == null ? response : response.withoutHeader("Content-MD5").header("x-ms-blob-content-md5", md5);
        return response.header("Content-Range", "bytes " + from + "-" + end + "/" + bytes.length)
                .header("Content-Length", Integer.toString(part.length))
                .body(part);
    }

    StubResponse append(StorageRequest request, ServiceTimes times) {
        if (kind != BlobKind.APPEND) {
            throw new RefusedOperation(409, "InvalidBlobType", "The blob type is invalid for this operation.");
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
        version = Version.next(times);
        return version.on(StubResponse.of(201))
                .header("x-ms-request-server-encrypted", "true")
                .header("x-ms-blob-append-offset", Integer.toString(offset))
                .header("x-ms-blob-committed-block-count", Integer.toString(appended));
    }

    StubResponse change(StorageRequest request, boolean onlyMetadata, ServiceTimes times) {
        if (onlyMetadata) {
            metadata = request.metadata();
        } else {
            content.clear();
            describe(request);
        }
        version = Version.next(times);
        return version.on(StubResponse.of(200));
    }

    /** Returns the blob in a listing. */
    String xml(String name, boolean withMetadata) {
        StringBuilder xml = new StringBuilder("<Blob>")
                .append(XmlDocument.element("Name", name))
                .append("<Properties>")
                .append(XmlDocument.element("Creation-Time", HttpDate.format(version.changed())))
                .append(version.xml())
                .append(XmlDocument.element("Content-Length", Integer.toString(bytes.length)))
                .append(XmlDocument.element("BlobType", kind.wireName));
        new TreeMap<>(content).forEach((header, value) -> xml.append(XmlDocument.element(header, value)));
        xml.append("</Properties>");
        return xml.append(withMetadata ? MemoryXml.metadata(Objects.requireNonNull(metadata)) : "")
                .append("</Blob>")
                .toString();
    }
}
