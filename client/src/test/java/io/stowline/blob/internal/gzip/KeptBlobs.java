package io.stowline.blob.internal.gzip;

import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A container that keeps the blobs and blocks that are uploaded, with their headers and metadata. Thread-safe. */
final class KeptBlobs implements Function<StubRequest, BlobStubResponse> {

    private static final Pattern BLOCK = Pattern.compile("<Latest>([^<]+)</Latest>");
    private static final Pattern BLOCK_ID = Pattern.compile("blockid=([^&]+)");

    private final Map<String, KeptBlob> blobs = new ConcurrentHashMap<>();
    /** The uncommitted blocks by the path of their blob and their ids. */
    private final Map<String, Map<String, byte[]>> blocks = new ConcurrentHashMap<>();

    /** A blob with the headers that it is served with. */
    @SuppressWarnings("ArrayRecordComponent")
    record KeptBlob(byte[] content, Map<String, String> headers) {}

    KeptBlob blob(String name) {
        return blobs.get("/acct/photos/" + name);
    }

    void put(String name, byte[] content, Map<String, String> headers) {
        blobs.put("/acct/photos/" + name, new KeptBlob(content, headers));
    }

    @Override
    public BlobStubResponse apply(StubRequest request) {
        Map<String, byte[]> staged = blocks.computeIfAbsent(request.path(), path -> new ConcurrentHashMap<>());
        boolean makes = request.is("PUT", "blocklist") || request.is("PUT", "");
        if (makes && "*".equals(request.header("If-None-Match")) && blobs.containsKey(request.path())) {
            return BlobStubResponse.refusal(409, "BlobAlreadyExists");
        }
        if (request.is("PUT", "blocklist")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            Matcher ids = BLOCK.matcher(new String(request.body(), StandardCharsets.UTF_8));
            while (ids.find()) {
                all.writeBytes(staged.get(ids.group(1)));
            }
            staged.clear();
            return kept(request, all.toByteArray());
        }
        if (request.is("PUT", "block")) {
            Matcher id = BLOCK_ID.matcher(request.query());
            if (!id.find()) {
                return BlobStubResponse.refusal(400, "InvalidQueryParameterValue");
            }
            staged.put(URLDecoder.decode(id.group(1), StandardCharsets.UTF_8), request.body());
            return BlobStubResponse.of(201);
        }
        if (request.is("PUT", "")) {
            return kept(request, request.body());
        }
        if (request.is("PUT", "metadata")) {
            return BlobStubResponse.of(200);
        }
        if (request.is("GET", "blocklist") && !staged.isEmpty()) {
            return uncommitted(staged);
        }
        KeptBlob blob = blobs.get(request.path());
        if (blob == null || request.is("GET", "blocklist")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        BlobStubResponse response = new StoredBlob(blob.content).apply(request);
        for (Map.Entry<String, String> header : blob.headers.entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }

    private static BlobStubResponse uncommitted(Map<String, byte[]> staged) {
        StringBuilder list =
                new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><UncommittedBlocks>");
        staged.forEach((id, block) -> list.append("<Block><Name>")
                .append(id)
                .append("</Name><Size>")
                .append(block.length)
                .append("</Size></Block>"));
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(list.append("</UncommittedBlocks></BlockList>").toString().getBytes(StandardCharsets.UTF_8));
    }

    private BlobStubResponse kept(StubRequest request, byte[] content) {
        Map<String, String> headers = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith("x-ms-meta-")) {
                headers.put(name, value);
            } else if (name.equals("x-ms-blob-content-encoding")) {
                headers.put("Content-Encoding", value);
            } else if (name.equals("x-ms-blob-content-md5")) {
                headers.put("x-ms-test-md5", value);
            }
        });
        blobs.put(request.path(), new KeptBlob(content, headers));
        return BlobStubResponse.of(201);
    }
}
