package io.stowline.transport.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.Endpoint.StandardHost;
import io.stowline.transport.internal.account.Service;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cost of an attempt to the service's capacity. Immutable.
 *
 * @param partition the unit that the service limits: a partition of a table, a queue, a blob; {@code null} if it is not known
 * @param entities the entities, messages or requests that it counts as
 * @param bytes the content that it moves
 * @param pages whether it is known to concern a page blob, which has lower targets than others
 */
public record RequestCost(@Nullable String partition, int entities, long bytes, boolean pages) {

    private static final HttpHeaderName STORAGE_RANGE = HttpHeaderName.fromString("x-ms-range");
    private static final String MESSAGES = "/messages";
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");
    private static final Pattern NUMBER = Pattern.compile("[?&]numofmessages=(\\d{1,4})(?:&|$)");

    /** One request to an unknown partition. */
    public static final RequestCost ONE = new RequestCost(null, 1, 0);

    /**
     * Makes the cost of a request that concerns no page blob.
     *
     * @param partition the unit that the service limits, or {@code null} if it is not known
     * @param entities the entities, messages or requests that it counts as
     * @param bytes the content that it moves
     */
    public RequestCost(@Nullable String partition, int entities, long bytes) {
        this(partition, entities, bytes, false);
    }

    /**
     * Returns the cost of one request.
     *
     * @param partition the unit that the service limits
     * @return its load
     */
    public static RequestCost of(String partition) {
        return new RequestCost(partition, 1, 0);
    }

    /**
     * Returns the cost of a request of an SDK client, read from its address and headers: a queue, a container and a
     * blob are partitions, a receive counts as the messages that it may bring, and content counts by its bytes.
     *
     * @param service the service, or {@code null} where clients of several are served
     * @return the cost of one attempt
     */
    public static RequestCost bySdkClient(@Nullable Service service, HttpRequest request) {
        String url = request.getUrl().toString();
        int query = url.indexOf('?');
        String address = ChangedResources.address(query < 0 ? url : url.substring(0, query));
        Service served = service == null ? served(request.getUrl().getHost()) : service;
        return switch (served) {
            case QUEUE -> new RequestCost(queue(address), messages(request, query < 0 ? "" : url.substring(query)), 0);
            case BLOB -> new RequestCost(address, 1, Math.max(sent(request), ranged(request)), pages(url, query));
            case TABLE -> RequestCost.of(address);
        };
    }

    /** Each address is one partition, as those of blobs are, where the name of the host does not show the service. */
    private static Service served(String host) {
        StandardHost standard = StandardHost.of(host);
        Service named = standard == null ? null : standard.service();
        return named == null ? Service.BLOB : named;
    }

    private static String queue(String address) {
        int messages = address.lastIndexOf(MESSAGES);
        int end = messages + MESSAGES.length();
        boolean complete = messages > 0 && (end == address.length() || address.charAt(end) == '/');
        return complete ? address.substring(0, messages) : address;
    }

    private static int messages(HttpRequest request, String query) {
        Matcher number = NUMBER.matcher(query);
        return request.getHttpMethod() == HttpMethod.GET && number.find()
                ? Math.max(1, Integer.parseInt(number.group(1)))
                : 1;
    }

    private static long sent(HttpRequest request) {
        String length = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
        return length == null || !length.matches("\\d{1,18}") ? 0 : Long.parseLong(length);
    }

    private static long ranged(HttpRequest request) {
        if (request.getHttpMethod() != HttpMethod.GET) {
            return 0;
        }
        String named = request.getHeaders().getValue(STORAGE_RANGE);
        String range = named == null ? request.getHeaders().getValue(HttpHeaderName.RANGE) : named;
        Matcher bounds = RANGE.matcher(range == null ? "" : range);
        return bounds.matches()
                ? Math.max(0, Long.parseLong(bounds.group(2)) - Long.parseLong(bounds.group(1)) + 1)
                : 0;
    }

    private static boolean pages(String url, int query) {
        return query >= 0 && (url.indexOf("comp=page", query) >= 0 || url.indexOf("comp=pagelist", query) >= 0);
    }

    /** Returns the class of attempts with comparable times: of one verb, and of about the same size. */
    public Object latencyClass(String verb) {
        int size = 64 - Long.numberOfLeadingZeros(entities - 1L) + 64 - Long.numberOfLeadingZeros(bytes >> 14);
        return size == 0 ? verb : new Sized(verb, size);
    }

    private record Sized(String verb, int size) {}
}
