package io.stowline.blob.internal.page;

import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A page blob of the stub that is created, written, read and listed as by the service. */
final class StoredPages implements Function<StubRequest, BlobStubResponse> {

    private static final int PAGE = PageRules.PAGE;
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private byte @Nullable [] content;
    private final BitSet used = new BitSet();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private int version;
    private int perPage = Integer.MAX_VALUE;

    /** Lists so many ranges at a time. */
    StoredPages listing(int ranges) {
        perPage = ranges;
        return this;
    }

    byte[] content() {
        return content == null ? new byte[0] : content.clone();
    }

    Map<String, String> metadata() {
        return metadata;
    }

    private String etag() {
        return "\"v" + version + "\"";
    }

    private BlobStubResponse dressed(BlobStubResponse response) {
        return response.with("ETag", etag()).with("x-ms-blob-type", "PageBlob");
    }

    @Override
    public synchronized BlobStubResponse apply(StubRequest request) {
        if (content == null && !request.is("PUT", "")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        String condition = request.header("If-Match");
        if (condition != null && !condition.equals(etag())) {
            return BlobStubResponse.refusal(412, "ConditionNotMet");
        }
        if (request.method().equals("HEAD")) {
            return described(BlobStubResponse.of(200)).with("Content-Length", Integer.toString(content.length));
        }
        if (request.method().equals("GET")) {
            return request.is("GET", "pagelist") ? listed(request) : read(request);
        }
        if (request.is("PUT", "page")) {
            return written(request);
        }
        if (request.is("PUT", "metadata")) {
            remember(request);
            return dressed(BlobStubResponse.of(200));
        }
        if (content != null && "*".equals(request.header("If-None-Match"))) {
            return BlobStubResponse.refusal(409, "BlobAlreadyExists");
        }
        content = new byte[Integer.parseInt(request.header("x-ms-blob-content-length"))];
        used.clear();
        remember(request);
        return dressed(BlobStubResponse.of(201));
    }

    private void remember(StubRequest request) {
        version++;
        metadata.clear();
        request.headers().forEach((name, value) -> {
            if (name.startsWith("x-ms-meta-")) {
                metadata.put(name, value);
            }
        });
    }

    private BlobStubResponse described(BlobStubResponse response) {
        BlobStubResponse all = dressed(response);
        for (Map.Entry<String, String> each : metadata.entrySet()) {
            all = all.with(each.getKey(), each.getValue());
        }
        return all;
    }

    private static long[] range(StubRequest request, long size) {
        String header = request.header("x-ms-range");
        if (header == null) {
            return new long[] {0, size - 1};
        }
        Matcher parts = RANGE.matcher(header);
        if (!parts.matches()) {
            throw new AssertionError(header);
        }
        return new long[] {Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))};
    }

    private BlobStubResponse written(StubRequest request) {
        long[] range = range(request, content.length);
        if (range[0] % PAGE != 0 || (range[1] + 1) % PAGE != 0 || request.body().length > PageRules.MAX_WRITE) {
            return BlobStubResponse.refusal(400, "InvalidHeaderValue");
        }
        if (range[1] >= content.length) {
            return BlobStubResponse.refusal(416, "InvalidPageRange");
        }
        int from = (int) range[0];
        int to = (int) range[1] + 1;
        boolean update = request.header("x-ms-page-write").equals("update");
        if (update) {
            System.arraycopy(request.body(), 0, content, from, to - from);
        } else {
            Arrays.fill(content, from, to, (byte) 0);
        }
        used.set(from / PAGE, to / PAGE, update);
        version++;
        return dressed(BlobStubResponse.of(201));
    }

    private BlobStubResponse read(StubRequest request) {
        long[] range = range(request, content.length);
        if (range[0] >= content.length) {
            return BlobStubResponse.refusal(416, "InvalidRange");
        }
        int to = (int) Math.min(content.length, range[1] + 1);
        return described(BlobStubResponse.of(206))
                .with("Content-Range", "bytes " + range[0] + "-" + (to - 1) + "/" + content.length)
                .body(Arrays.copyOfRange(content, (int) range[0], to));
    }

    private BlobStubResponse listed(StubRequest request) {
        long[] range = range(request, content.length);
        Matcher marker = Pattern.compile("marker=(\\d+)").matcher(request.query());
        int begin = marker.find() ? Integer.parseInt(marker.group(1)) : (int) (range[0] / PAGE);
        int end = (int) Math.min(content.length / PAGE, range[1] / PAGE + 1);
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><PageList>");
        int listed = 0;
        int at = used.nextSetBit(begin);
        for (; at >= 0 && at < end && listed < perPage; at = used.nextSetBit(at)) {
            int next = Math.min(end, used.nextClearBit(at));
            xml.append("<PageRange><Start>").append((long) at * PAGE).append("</Start><End>");
            xml.append((long) next * PAGE - 1).append("</End></PageRange>");
            at = next;
            listed++;
        }
        xml.append("<NextMarker>")
                .append(at >= 0 && at < end ? Integer.toString(at) : "")
                .append("</NextMarker>");
        xml.append("</PageList>");
        return dressed(BlobStubResponse.of(200)).body(xml.toString().getBytes(StandardCharsets.UTF_8));
    }
}
