package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.PageRange;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.blob.internal.request.BlobRequests.BlobVersion;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.ResponsePage;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests on the pages of one page blob, and what their responses mean (the service's pages "Put Page" and "Get Page Ranges").
 * Immutable.
 */
public final class PageRequests {

    private static final HttpHeaderName RANGE = HttpHeaderName.fromString("x-ms-range");
    private static final HttpHeaderName PAGE_WRITE = HttpHeaderName.fromString("x-ms-page-write");

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final String url;

    /**
     * Prepares the requests.
     *
     * @param context the container
     * @param verb the caller's verb
     * @param name the blob's name
     */
    public PageRequests(BlobContext context, String verb, String name) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.url = context.url(name);
    }

    /**
     * A condition on the sequence number of the blob.
     *
     * @param header the header of its comparison
     * @param number the number that is compared
     */
    public record SequenceCondition(HttpHeaderName header, long number) {

        /** Returns a condition, by the end of its header's name. */
        public static SequenceCondition of(String comparison, long number) {
            return new SequenceCondition(HttpHeaderName.fromString("x-ms-if-sequence-number-" + comparison), number);
        }
    }

    /**
     * A page of a listing of ranges in use.
     *
     * @param next the marker of the next page, or {@code null} at the end
     */
    public record RangePage(
            List<PageRange> ranges, @Nullable String next) implements ResponsePage {

        @Override
        public int returned() {
            return ranges.size();
        }

        @Override
        public boolean continued() {
            return next != null;
        }
    }

    /** Returns a request that writes pages. */
    public Exchange<BlobVersion> write(
            PageRange range, RequestBody content, String md5, @Nullable SequenceCondition condition) {
        Request request = put(range, "update", condition, content.length())
                .addHeader(HttpHeaderName.CONTENT_MD5, md5)
                .body(BlobRequests.BYTES, content);
        return Exchange.of(
                request,
                TransferTimes.of(context.retry(), content.length()),
                BlobRequests.parser(BlobRequests.MADE, BlobVersion::of));
    }

    /** Returns a request that clears pages. */
    public Exchange<BlobVersion> clear(PageRange range, @Nullable SequenceCondition condition) {
        return Exchange.of(
                put(range, "clear", condition, 0),
                context.retry(),
                BlobRequests.parser(BlobRequests.MADE, BlobVersion::of));
    }

    private Request put(PageRange range, String write, @Nullable SequenceCondition condition, long bytes) {
        Request request = request(OperationType.WRITE, HttpMethod.PUT, "?comp=page", bytes)
                .addHeader(PAGE_WRITE, write)
                .addHeader(RANGE, text(range))
                .changing(ChangedResources.of(url));
        return condition == null ? request : request.addHeader(condition.header(), Long.toString(condition.number()));
    }

    /**
     * Returns a request for ranges in use.
     *
     * @param within the part of the blob, or {@code null} for all of it
     * @param marker the marker of the page before, or {@code null} for the first page
     * @param ifMatch the only version, or {@code null} for any
     */
    public Exchange<RangePage> ranges(
            @Nullable PageRange within, @Nullable String marker, @Nullable String ifMatch, RetrySettings retry) {
        String query = "?comp=pagelist" + Request.parameter("marker", marker);
        Request request = request(OperationType.READ, HttpMethod.GET, query, 0);
        if (within != null) {
            request.addHeader(RANGE, text(within));
        }
        if (ifMatch != null) {
            request.addHeader(HttpHeaderName.IF_MATCH, ifMatch);
        }
        return Exchange.of(request, retry, BlobRequests.parser(BlobRequests.READ, response -> page(response.body())));
    }

    private static String text(PageRange range) {
        return "bytes=" + range.offset() + "-" + (range.end() - 1);
    }

    private Request request(OperationType type, HttpMethod method, String query, long bytes) {
        return Request.of(verb, context.target(name), type, method, url + query)
                .costing(new RequestCost(ChangedResources.address(url), 1, bytes))
                .addHeaders(context.calls().view().headersOf(type, context.resource(name)));
    }

    /** Reads a page; ranges that were cleared stand in comparisons of snapshots only. */
    static RangePage page(byte[] body) throws IOException {
        List<PageRange> ranges = new ArrayList<>();
        String next = null;
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals("PageList")) {
            throw new IOException("the response has no list, the element PageList");
        }
        while (xml.next()) {
            switch (xml.name()) {
                case "PageRange" -> ranges.add(range(xml));
                case "NextMarker" -> next = xml.text();
                default -> xml.skip();
            }
        }
        return new RangePage(ranges, next == null || next.isEmpty() ? null : next);
    }

    private static PageRange range(XmlCursor range) throws IOException {
        long start = -1;
        long end = -1;
        while (range.next()) {
            switch (range.name()) {
                case "Start" -> start = Long.parseLong(range.text().strip());
                case "End" -> end = Long.parseLong(range.text().strip());
                default -> range.skip();
            }
        }
        if (start < 0 || end < start) {
            throw new IOException("a range has no start or no end behind it");
        }
        return new PageRange(start, end - start + 1);
    }
}
