package io.stowline.testkit.memory;

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

    /** The types of blobs. */
    enum BlobKind {
        BLOCK("BlockBlob"),
        APPEND("AppendBlob");

        private final String wireName;

        BlobKind(String wireName) {
            this.wireName = wireName;
        }

        static BlobKind of(MemoryRequest request) {
            String given = request.header("x-ms-blob-type");
            for (BlobKind kind : values()) {
                if (kind.wireName.equals(given)) {
                    return kind;
                }
            }
            throw request.unknown();
        }
    }

    /** A state of a blob or container. */
    record Version(Instant changed, String etag) {

        static Version next(ServiceTimes times) {
            Instant changed = times.change();
            long ticks = changed.getEpochSecond() * 10_000_000 + changed.getNano() / 100;
            return new Version(changed, "\"0x" + Long.toHexString(ticks).toUpperCase(Locale.ROOT) + "\"");
        }

        MemoryResponse on(MemoryResponse response) {
            return response.header("ETag", etag).header("Last-Modified", ServiceTimes.rfc1123(changed));
        }

        String xml() {
            return MemoryXml.element("Last-Modified", ServiceTimes.rfc1123(changed)) + MemoryXml.element("Etag", etag);
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

    static MemoryBlob made(BlobKind kind, MemoryRequest request, byte[] bytes, Version version) {
        checkMd5(request);
        MemoryBlob blob = new MemoryBlob(kind, Map.of(), bytes, request.metadata(), version);
        blob.describe(request);
        if (kind == BlobKind.BLOCK) {
            blob.content.putIfAbsent("Content-MD5", md5(bytes));
        }
        return blob;
    }

    static MemoryBlob ofBlocks(
            MemoryRequest request, Map<String, byte[]> uncommitted, @Nullable MemoryBlob before, Version version) {
        Map<String, byte[]> committed = before == null ? Map.of() : before.blocks;
        Map<String, byte[]> chosen = new LinkedHashMap<>();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (Map.Entry<String, String> entry : MemoryXml.children(request.body())) {
            String id = entry.getValue();
            byte[] block =
                    switch (entry.getKey()) {
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

    static void checkMd5(MemoryRequest request) {
        String given = request.header("Content-MD5");
        if (given != null && !given.equals(md5(request.body()))) {
            throw new RefusedOperation(
                    400, "Md5Mismatch", "The MD5 value specified in the request did not match with the content.");
        }
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    private void describe(MemoryRequest request) {
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
    static void checkWrite(@Nullable MemoryBlob known, MemoryRequest request) {
        if (known != null) {
            if ("*".equals(request.header("If-None-Match"))) {
                throw new RefusedOperation(409, "BlobAlreadyExists", "The specified blob already exists.");
            }
            known.check(request);
        } else if (request.header("If-Match") != null) {
            throw unmet();
        }
    }

    void check(MemoryRequest request) {
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
            throw request.unknown();
        }
    }

    /** Microsoft's clients send an ETag without its quotation marks, and the service takes it. */
    private static @Nullable String quoted(@Nullable String etag) {
        return etag == null || etag.equals("*") || etag.startsWith("\"") ? etag : "\"" + etag + "\"";
    }

    private static RefusedOperation unmet() {
        return new RefusedOperation(
                412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");
    }

    MemoryResponse written(int status) {
        return version.on(new MemoryResponse(status))
                .header("x-ms-request-server-encrypted", "true")
                .header("Content-MD5", content.get("Content-MD5"));
    }

    MemoryResponse facts() {
        MemoryResponse response = version.on(new MemoryResponse(200))
                .header("Content-Length", Integer.toString(bytes.length))
                .header("x-ms-blob-type", kind.wireName)
                .header("x-ms-creation-time", ServiceTimes.rfc1123(version.changed()))
                .header("Accept-Ranges", "bytes");
        content.forEach(response::header);
        metadata.forEach((name, value) -> response.header("x-ms-meta-" + name, value));
        return kind == BlobKind.APPEND
                ? response.header("x-ms-blob-committed-block-count", Integer.toString(appended))
                : response;
    }

    MemoryResponse read(MemoryRequest request) {
        String given = request.header("x-ms-range") == null ? request.header("Range") : request.header("x-ms-range");
        String type = String.valueOf(content.get("Content-Type"));
        if (given == null) {
            return facts().body(type, bytes);
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
        MemoryResponse response = new MemoryResponse(206);
        version.on(response).header("x-ms-blob-type", kind.wireName).header("Accept-Ranges", "bytes");
        metadata.forEach((name, value) -> response.header("x-ms-meta-" + name, value));
        content.forEach(
                (name, value) -> response.header(name.equals("Content-MD5") ? "x-ms-blob-content-md5" : name, value));
        return response.header("Content-Range", "bytes " + from + "-" + end + "/" + bytes.length)
                .header("Content-Length", Integer.toString(part.length))
                .body(type, part);
    }

    MemoryResponse append(MemoryRequest request, ServiceTimes times) {
        if (kind != BlobKind.APPEND) {
            throw new RefusedOperation(409, "InvalidBlobType", "The blob type is invalid for this operation.");
        }
        checkMd5(request);
        String position = request.header("x-ms-blob-condition-appendpos");
        if (position != null && Long.parseLong(position) != bytes.length) {
            throw new RefusedOperation(
                    412, "AppendPositionConditionNotMet", "The append position condition specified was not met.");
        }
        String max = request.header("x-ms-blob-condition-maxsize");
        if (max != null && bytes.length + (long) request.body().length > Long.parseLong(max)) {
            throw new RefusedOperation(412, "MaxBlobSizeConditionNotMet", "The max blob size condition was not met.");
        }
        int offset = bytes.length;
        byte[] longer = Arrays.copyOf(bytes, offset + request.body().length);
        System.arraycopy(request.body(), 0, longer, offset, request.body().length);
        bytes = longer;
        appended++;
        version = Version.next(times);
        return version.on(new MemoryResponse(201))
                .header("x-ms-request-server-encrypted", "true")
                .header("x-ms-blob-append-offset", Integer.toString(offset))
                .header("x-ms-blob-committed-block-count", Integer.toString(appended));
    }

    MemoryResponse change(MemoryRequest request, boolean onlyMetadata, ServiceTimes times) {
        if (onlyMetadata) {
            metadata = request.metadata();
        } else {
            content.clear();
            describe(request);
        }
        version = Version.next(times);
        return version.on(new MemoryResponse(200));
    }

    /** Returns the blob in a listing. */
    String xml(String name, boolean withMetadata) {
        StringBuilder xml = new StringBuilder("<Blob>")
                .append(MemoryXml.element("Name", name))
                .append("<Properties>")
                .append(MemoryXml.element("Creation-Time", ServiceTimes.rfc1123(version.changed())))
                .append(version.xml())
                .append(MemoryXml.element("Content-Length", Integer.toString(bytes.length)))
                .append(MemoryXml.element("BlobType", kind.wireName));
        new TreeMap<>(content).forEach((header, value) -> xml.append(MemoryXml.element(header, value)));
        xml.append("</Properties>");
        return xml.append(withMetadata ? MemoryXml.metadata(Objects.requireNonNull(metadata)) : "")
                .append("</Blob>")
                .toString();
    }
}
