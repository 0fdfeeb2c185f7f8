package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.stowline.benchmarks.side.work.Blobs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * The pages of the container's listing, as the service's page "List Blobs" shows them: the blobs of a directory whose
 * name gives their number, and none under any other prefix. A page is made when it is requested, so that a listing of any
 * length costs no memory. Only on the event loop.
 */
final class StubListing {

    /** Blobs on a page if the request sets no lower limit, the service's own limit. */
    static final int PAGE = 5_000;

    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>";
    private static final byte[] NAME = "<Blob><Name>".getBytes(StandardCharsets.UTF_8);
    private static final String TIMES = "<Creation-Time>" + StubContainer.TIME + "</Creation-Time><Last-Modified>"
            + StubContainer.TIME + "</Last-Modified>";

    private final byte[] plain;
    private final byte[] checked;

    StubListing(StubContent content) {
        plain = properties("");
        checked = properties("<Content-MD5>" + content.md5(Blobs.SMALL) + "</Content-MD5>");
    }

    private static byte[] properties(String md5) {
        return ("</Name><Properties>" + TIMES + "<Etag>" + StubContainer.ETAG + "</Etag><Content-Length>" + Blobs.SMALL
                        + "</Content-Length><Content-Type>application/octet-stream</Content-Type>" + md5
                        + "<BlobType>BlockBlob</BlobType></Properties></Blob>")
                .getBytes(StandardCharsets.UTF_8);
    }

    StubServerResponse respond(RequestHead head) {
        String prefix = URLDecoder.decode(head.option("prefix"), StandardCharsets.UTF_8);
        String marker = head.option("marker");
        String requested = head.option("maxresults");
        int max = requested.isEmpty() ? PAGE : Math.min(PAGE, Integer.parseInt(requested));
        return page(prefix, marker.isEmpty() ? 0 : Integer.parseInt(marker), max);
    }

    private StubServerResponse page(String prefix, int from, int max) {
        int all = blobs(prefix);
        int to = Math.min(all, from + max);
        byte[] properties = prefix.startsWith(Blobs.CHECKED) ? checked : plain;
        int room = NAME.length + prefix.length() + Blobs.smallName(all).length() + properties.length;
        ByteBuf xml = UnpooledByteBufAllocator.DEFAULT.heapBuffer(2 * HEAD.length() + room * Math.max(1, to - from));
        xml.writeCharSequence(HEAD, StandardCharsets.UTF_8);
        for (int i = from; i < to; i++) {
            xml.writeBytes(NAME);
            xml.writeCharSequence(prefix, StandardCharsets.UTF_8);
            xml.writeCharSequence(Blobs.smallName(i), StandardCharsets.US_ASCII);
            xml.writeBytes(properties);
        }
        xml.writeCharSequence(
                "</Blobs><NextMarker>" + (to < all ? to : "") + "</NextMarker></EnumerationResults>",
                StandardCharsets.US_ASCII);
        return StubServerResponse.once("200 OK", "Content-Type: application/xml\r\n", Unpooled.wrappedBuffer(xml));
    }

    private static int blobs(String prefix) {
        String before = Blobs.FOLDER_NAME + "/";
        int at = prefix.indexOf(before);
        return at < 0 ? 0 : Integer.parseInt(prefix.substring(at + before.length(), prefix.length() - 1));
    }
}
