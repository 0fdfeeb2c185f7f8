package io.stowline.blob.internal.base;

import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A blob of the stub that responds to GET and HEAD as the service does. */
public final class StoredBlob implements Function<StubRequest, BlobStubResponse> {

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private byte[] content;
    private String etag = "\"v1\"";
    private String md5;
    private String type = "BlockBlob";
    private String copyStatus;

    public StoredBlob(byte[] content) {
        this(content, hashOf(content));
    }

    /** Makes a blob for tests that share their content: the hash of some MiB takes long. */
    public StoredBlob(byte[] content, String md5) {
        this.content = content;
        this.md5 = md5;
    }

    /** The hash of a content as a header has it. */
    public static String hashOf(byte[] content) {
        return Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(content)));
    }

    public synchronized void changeTo(byte[] other, String otherEtag) {
        content = other;
        etag = otherEtag;
    }

    public synchronized StoredBlob md5(String stored) {
        md5 = stored;
        return this;
    }

    public synchronized StoredBlob etag(String other) {
        etag = other;
        return this;
    }

    public synchronized StoredBlob type(String other) {
        type = other;
        return this;
    }

    /** Sets the status of the server-side copy onto it. */
    public synchronized StoredBlob copyStatus(String status) {
        copyStatus = status;
        return this;
    }

    @Override
    public synchronized BlobStubResponse apply(StubRequest requested) {
        String condition = requested.header("If-Match");
        if (condition != null && !condition.equals(etag)) {
            return BlobStubResponse.refusal(412, "ConditionNotMet");
        }
        if (etag.equals(requested.header("If-None-Match"))) {
            return dressed(BlobStubResponse.refusal(304, "ConditionNotMet"));
        }
        if (requested.method().equals("HEAD")) {
            return dressed(BlobStubResponse.of(200)).with("Content-Length", Integer.toString(content.length));
        }
        Matcher range = RANGE.matcher(requested.header("x-ms-range"));
        if (!range.matches()) {
            throw new AssertionError(requested.headers());
        }
        int from = Integer.parseInt(range.group(1));
        if (from >= content.length) {
            return BlobStubResponse.refusal(416, "InvalidRange");
        }
        int to = (int) Math.min(Long.parseLong(range.group(2)), content.length - 1);
        BlobStubResponse whole = dressed(BlobStubResponse.of(206))
                .with("Content-Range", "bytes " + from + "-" + to + "/" + content.length)
                .body(Arrays.copyOfRange(content, from, to + 1));
        return md5 == null ? whole : whole.with("x-ms-blob-content-md5", md5);
    }

    private BlobStubResponse dressed(BlobStubResponse reported) {
        BlobStubResponse copied = copyStatus == null ? reported : reported.with("x-ms-copy-status", copyStatus);
        return copied.with("ETag", etag)
                .with("x-ms-blob-type", type)
                .with("x-ms-meta-owner", "me")
                .with("x-ms-meta-stowlinewrite", "7");
    }
}
