package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.StorageAccount.Service;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a request of an SDK client, read from its address and headers: a queue, a container and a blob are partitions of their own,
 * a receive counts as the messages that it may bring, and content counts by its bytes.
 */
final class SdkLoads {

    private static final HttpHeaderName STORAGE_RANGE = HttpHeaderName.fromString("x-ms-range");
    private static final String MESSAGES = "/messages";
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");
    private static final Pattern NUMBER = Pattern.compile("[?&]numofmessages=(\\d{1,4})(?:&|$)");

    private SdkLoads() {}

    /** The cost of one attempt; the service is null where clients of several are served. */
    static Load of(@Nullable Service service, HttpRequest request) {
        String url = request.getUrl().toString();
        int query = url.indexOf('?');
        String address = SdkChanges.address(query < 0 ? url : url.substring(0, query));
        Service served = service == null ? served(request.getUrl().getHost()) : service;
        return switch (served) {
            case QUEUE -> new Load(queue(address), messages(request, query < 0 ? "" : url.substring(query)), 0);
            case BLOB -> new Load(address, 1, Math.max(sent(request), ranged(request)), pages(url, query));
            case TABLE -> Load.of(address);
        };
    }

    /** By the name of the host; where that says nothing, each address is one partition, as those of blobs are. */
    private static Service served(String host) {
        StandardHost standard = StandardHost.of(host);
        Service named = standard == null ? null : standard.service();
        return named == null ? Service.BLOB : named;
    }

    private static String queue(String address) {
        int messages = address.lastIndexOf(MESSAGES);
        int end = messages + MESSAGES.length();
        boolean whole = messages > 0 && (end == address.length() || address.charAt(end) == '/');
        return whole ? address.substring(0, messages) : address;
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
}
