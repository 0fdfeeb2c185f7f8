package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Blobs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The pages of the container's listing, as the service's page "List Blobs" shows them: the blobs of a directory whose
 * name gives their number, and none under any other prefix. Only on the event loop.
 */
final class StubListing {

    /** Blobs on a page if the request sets no lower limit, the service's own limit. */
    static final int PAGE = 5_000;

    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults>";

    private final Map<String, StubServerResponse> pages = new HashMap<>();
    private final StubContent content;

    StubListing(StubContent content) {
        this.content = content;
    }

    StubServerResponse respond(RequestHead head) {
        String prefix = URLDecoder.decode(head.option("prefix"), StandardCharsets.UTF_8);
        String marker = head.option("marker");
        String requested = head.option("maxresults");
        int max = requested.isEmpty() ? PAGE : Math.min(PAGE, Integer.parseInt(requested));
        return pages.computeIfAbsent(
                prefix + " " + marker + " " + max,
                key -> page(prefix, marker.isEmpty() ? 0 : Integer.parseInt(marker), max));
    }

    private StubServerResponse page(String prefix, int from, int max) {
        int all = blobs(prefix);
        int to = Math.min(all, from + max);
        StringBuilder xml = new StringBuilder(HEAD).append("<Blobs>");
        for (int i = from; i < to; i++) {
            blob(xml, prefix, prefix + Blobs.smallName(i));
        }
        xml.append("</Blobs><NextMarker>").append(to < all ? to : "").append("</NextMarker></EnumerationResults>");
        return StubServerResponse.of(
                "200 OK", "Content-Type: application/xml\r\n", xml.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static int blobs(String prefix) {
        String before = Blobs.FOLDER_NAME + "/";
        int at = prefix.indexOf(before);
        return at < 0 ? 0 : Integer.parseInt(prefix.substring(at + before.length(), prefix.length() - 1));
    }

    private void blob(StringBuilder xml, String prefix, String name) {
        xml.append("<Blob><Name>")
                .append(name)
                .append("</Name><Properties><Creation-Time>")
                .append(StubContainer.TIME)
                .append("</Creation-Time><Last-Modified>")
                .append(StubContainer.TIME)
                .append("</Last-Modified><Etag>")
                .append(StubContainer.ETAG)
                .append("</Etag><Content-Length>")
                .append(Blobs.SMALL)
                .append("</Content-Length><Content-Type>application/octet-stream</Content-Type>");
        if (prefix.startsWith(Blobs.CHECKED)) {
            xml.append("<Content-MD5>").append(content.md5(Blobs.SMALL)).append("</Content-MD5>");
        }
        xml.append("<BlobType>BlockBlob</BlobType></Properties></Blob>");
    }
}
