package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that list the blobs of one container page by page (the service's pages "List Blobs" and "Find Blobs by Tags in Container").
 * The XML of a page is read apart from its exchange: a page may have megabytes, which no I/O thread parses. Immutable.
 */
public final class ListingRequests {

    private static final DocumentedStatus LIST = DocumentedStatus.status(200);
    private static final String ROOT = "EnumerationResults";
    private static final byte[] ELEMENT = "<Blobs".getBytes(StandardCharsets.US_ASCII);

    private final BlobContext context;
    private final String verb;
    private final String resource;
    private final String query;

    private ListingRequests(BlobContext context, String verb, String resource, String query) {
        this.context = context;
        this.verb = verb;
        this.resource = resource;
        this.query = "?restype=container" + query;
    }

    /**
     * The selection of a listing, and the facts that it gives.
     *
     * @param prefix the beginning of the names, may be empty
     * @param delimiter what ends a folder in a name, or {@code null} to list flat
     * @param include what the service adds to names and properties, such as {@code copy}
     * @param pageSize the limit of a page, or {@code null} for that of the service
     */
    public record ListingQuery(
            String prefix,
            @Nullable String delimiter,
            List<String> include,
            @Nullable Integer pageSize) {

        private String text() {
            return "&comp=list" + Request.parameter("prefix", prefix.isEmpty() ? null : prefix)
                    + Request.parameter("delimiter", delimiter)
                    + Request.parameter("maxresults", pageSize == null ? null : pageSize.toString())
                    + Request.parameter("include", include.isEmpty() ? null : String.join(",", include));
        }
    }

    /**
     * Prepares the requests of a listing.
     *
     * @param verb the caller's verb
     */
    public static ListingRequests of(BlobContext context, String verb, ListingQuery listing) {
        return new ListingRequests(context, verb, context.resource(listing.prefix), listing.text());
    }

    /**
     * Prepares the requests of a search.
     *
     * @param verb the caller's verb
     * @param where the condition on the tags, in the service's language
     */
    public static ListingRequests byTags(BlobContext context, String verb, String where) {
        return new ListingRequests(context, verb, context.name(), "&comp=blobs" + Request.parameter("where", where));
    }

    /** Returns the caller's verb. */
    public String verb() {
        return verb;
    }

    /** Returns what is listed, for errors and listeners. */
    public String resource() {
        return resource;
    }

    /**
     * Returns the request for a page, whose response has the XML.
     *
     * @param marker the marker that the page before has given, or {@code null} for the first page
     */
    public Exchange<StorageResponse> page(@Nullable String marker) {
        Request request = Request.of(
                        verb,
                        RequestTarget.of(context.name(), resource),
                        OperationType.READ,
                        HttpMethod.GET,
                        context.url() + query + Request.parameter("marker", marker))
                .addHeader(HttpHeaderName.ACCEPT, "application/xml")
                .addHeaders(context.calls().view().headersOf(OperationType.READ, resource))
                .limitingResponse(ResponseBounds.LISTING_BYTES);
        return Exchange.of(request, context.retry(), ListingRequests::list);
    }

    /** The element is there even in an empty list; a page of a gateway lacks it. */
    private static ParseResult<StorageResponse> list(StorageResponse response) {
        ParseResult<StorageResponse> read = LIST.read(response);
        return read instanceof ParseResult.Value && !contains(response.body(), ELEMENT)
                ? new ParseResult.Unreadable<>("the response has no list, the element Blobs")
                : read;
    }

    private static boolean contains(byte[] body, byte[] part) {
        for (int i = 0; i <= body.length - part.length; i++) {
            int same = 0;
            while (same < part.length && body[i + same] == part[same]) {
                same++;
            }
            if (same == part.length) {
                return true;
            }
        }
        return false;
    }

    /**
     * A page of a listing.
     *
     * @param marker what the next page is requested with, or {@code null} on the last one
     */
    public record BlobPage(
            List<ListedElement> elements, @Nullable String marker) {

        /**
         * Reads the XML of a page.
         *
         * @throws IOException if it is no XML, or has no list
         * @throws RuntimeException if it is no list of blobs
         */
        public static BlobPage read(byte[] body) throws IOException {
            List<ListedElement> elements = new ArrayList<>();
            String marker = null;
            XmlCursor xml = new XmlCursor(body);
            boolean found = false;
            if (!xml.root().equals(ROOT)) {
                throw new IOException("the response is no list: its root is not " + ROOT);
            }
            while (xml.next()) {
                if (xml.name().equals("Blobs")) {
                    found = true;
                    elements(xml, elements);
                } else if (xml.name().equals("NextMarker")) {
                    marker = xml.text();
                } else {
                    xml.skip();
                }
            }
            if (!found) {
                throw new IOException("the response has no list, the element Blobs");
            }
            return new BlobPage(elements, marker == null || marker.isEmpty() ? null : marker);
        }

        private static void elements(XmlCursor xml, List<ListedElement> elements) throws IOException {
            while (xml.next()) {
                boolean folder = xml.name().equals("BlobPrefix");
                if (folder || xml.name().equals("Blob")) {
                    elements.add(ListedElement.read(xml, folder));
                } else {
                    xml.skip();
                }
            }
        }
    }
}
