package io.stowline.blob.internal.directory;

import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A container of few blobs as the service lists and deletes them, each with what a test says of it. Of an account with a hierarchical
 * namespace: a folder that is not empty is not deleted. Thread-safe.
 */
final class ListedBlobs implements Function<StubRequest, BlobStubResponse> {

    private static final Pattern PART = Pattern.compile(
            "Content-ID: (\\d+)\r\n\r\n(DELETE) /acct/photos/(\\S+) HTTP/1.1\r\n(.*?)\r\n\r\n", Pattern.DOTALL);

    private static final Pattern PREFIX = Pattern.compile("(?:^|&)prefix=([^&]*)");

    private final Map<String, Listed> blobs;

    ListedBlobs() {
        this(Comparator.naturalOrder());
    }

    /** A container that lists in another order. */
    ListedBlobs(Comparator<String> order) {
        this.blobs = new TreeMap<>(order);
    }

    /**
     * A blob of the listing.
     *
     * @param properties elements of its properties beside the usual ones
     * @param metadata elements of its metadata
     * @param without a usual element that is missing
     */
    record Listed(int size, String properties, String metadata, int snapshots, String without) {

        static Listed content(int size) {
            return new Listed(size, "", "", 0, "");
        }

        static Listed folder() {
            return new Listed(0, "", "<hdi_isfolder>true</hdi_isfolder>", 0, "");
        }

        Listed with(String element, String value) {
            return new Listed(
                    size,
                    properties + "<" + element + ">" + value + "</" + element + ">",
                    metadata,
                    snapshots,
                    without);
        }

        Listed withMetadata(String name, String value) {
            return new Listed(
                    size, properties, metadata + "<" + name + ">" + value + "</" + name + ">", snapshots, without);
        }

        Listed withSnapshot() {
            return new Listed(size, properties, metadata, snapshots + 1, without);
        }

        /** Returns the element without one of its usual parts. */
        Listed without(String element) {
            return new Listed(size, properties, metadata, snapshots, element);
        }

        private boolean isFolder() {
            return metadata.contains("hdi_isfolder");
        }

        private String xml(String name, String snapshot) {
            return "<Blob><Name>" + name + "</Name>" + snapshot + "<Properties>"
                    + element("Last-Modified", "Thu, 29 Feb 2024 12:00:00 GMT") + element("Etag", "v1")
                    + element("Content-Length", Integer.toString(size)) + element("BlobType", "BlockBlob") + properties
                    + "</Properties>" + (without.equals("Metadata") ? "" : "<Metadata>" + metadata + "</Metadata>")
                    + "</Blob>";
        }

        private String element(String name, String value) {
            return name.equals(without) ? "" : "<" + name + ">" + value + "</" + name + ">";
        }
    }

    synchronized ListedBlobs put(String name, Listed blob) {
        blobs.put(name, blob);
        return this;
    }

    synchronized ListedBlobs content(String... names) {
        Arrays.stream(names).forEach(name -> put(name, Listed.content(1)));
        return this;
    }

    synchronized ListedBlobs folders(String... names) {
        Arrays.stream(names).forEach(name -> put(name, Listed.folder()));
        return this;
    }

    synchronized Map<String, Listed> left() {
        return new LinkedHashMap<>(blobs);
    }

    @Override
    public synchronized BlobStubResponse apply(StubRequest requested) {
        if (requested.is("GET", "list")) {
            return listing(requested);
        }
        if (requested.is("POST", "batch")) {
            return batch(requested);
        }
        String name = requested.path().replaceFirst(".*/photos/", "");
        if (requested.is("DELETE", "")) {
            return respond(deleted(decoded(name), requested.header("x-ms-delete-snapshots")));
        }
        Listed found = blobs.get(decoded(name));
        if (requested.is("HEAD", "")) {
            return found == null
                    ? BlobStubResponse.refusal(404, "BlobNotFound")
                    : BlobStubResponse.of(200)
                            .with("x-ms-blob-type", "BlockBlob")
                            .with("Content-Length", Integer.toString(found.size))
                            .with(found.isFolder() ? "x-ms-meta-hdi_isfolder" : "x-ms-meta-a", "true");
        }
        return BlobStubResponse.refusal(400, "Unexpected");
    }

    private BlobStubResponse listing(StubRequest requested) {
        Matcher match = PREFIX.matcher(requested.query());
        String prefix = match.find() ? decoded(match.group(1)) : "";
        boolean snapshots = requested.query().contains("snapshots");
        String xml = blobs.entrySet().stream()
                .filter(blob -> blob.getKey().startsWith(prefix))
                .map(blob -> (snapshots
                                ? blob.getValue()
                                        .xml(blob.getKey(), "<Snapshot>2024-02-29T12:00:00.0000000Z</Snapshot>")
                                        .repeat(blob.getValue().snapshots)
                                : "")
                        + blob.getValue().xml(blob.getKey(), ""))
                .collect(Collectors.joining());
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>" + xml
                                + "</Blobs><NextMarker/></EnumerationResults>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private BlobStubResponse batch(StubRequest requested) {
        StringBuilder responses = new StringBuilder();
        Matcher parts = PART.matcher(new String(requested.body(), StandardCharsets.UTF_8));
        while (parts.find()) {
            String refusal = deleted(
                    decoded(parts.group(3)),
                    parts.group(4).contains("x-ms-delete-snapshots: include") ? "include" : null);
            responses
                    .append("--answer\r\nContent-Type: application/http\r\nContent-ID: ")
                    .append(parts.group(1))
                    .append("\r\n\r\nHTTP/1.1 ")
                    .append(status(refusal))
                    .append(" x\r\n")
                    .append(refusal.isEmpty() ? "" : "x-ms-error-code: " + refusal + "\r\n")
                    .append("Content-Length: 0\r\n\r\n");
        }
        return BlobStubResponse.of(202)
                .with("Content-Type", "multipart/mixed; boundary=answer")
                .body(responses.append("--answer--\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The code of a refusal, or nothing. */
    private String deleted(String name, String snapshots) {
        Listed blob = blobs.get(name);
        if (blob == null) {
            return "BlobNotFound";
        }
        if (blob.properties.contains("locked")) {
            return "LeaseIdMissing";
        }
        if (blob.snapshots > 0 && !"include".equals(snapshots)) {
            return "SnapshotsPresent";
        }
        if (blob.isFolder() && blobs.keySet().stream().anyMatch(other -> other.startsWith(name + "/"))) {
            return "DirectoryIsNotEmpty";
        }
        blobs.remove(name);
        return "";
    }

    private static int status(String refusal) {
        return switch (refusal) {
            case "" -> 202;
            case "BlobNotFound" -> 404;
            case "LeaseIdMissing" -> 412;
            default -> 409;
        };
    }

    private static BlobStubResponse respond(String refusal) {
        return refusal.isEmpty() ? BlobStubResponse.of(202) : BlobStubResponse.refusal(status(refusal), refusal);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
