package io.stowline.caching;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** A mapper of the pipeline's responses to load results. */
final class CacheableResponse {

    private static final Set<String> OF_ONE_TRANSFER =
            Set.of("connection", "keep-alive", "transfer-encoding", "x-ms-client-request-id");

    private static final List<HttpHeaderName> OF_THE_SERVICE = List.of(
            HttpHeaderName.fromString("x-ms-request-id"),
            HttpHeaderName.fromString("x-ms-version"),
            HttpHeaderName.fromString("x-ms-error-code"));

    private CacheableResponse() {}

    static Mono<Loader.LoadResult> loaded(HttpResponse response, HttpRequest requested, Conditions conditions) {
        int status = response.getStatusCode();
        if (status == 200 || status == 206) {
            Loader.LoadResult found = placed(
                    Loader.LoadResult.found(status, headers(response), length(response, requested), response.getBody()),
                    response,
                    requested);
            return Mono.just(isForeign(response) ? found.unkept() : found);
        }
        if (status == 304 && conditions.any()) {
            return Mono.fromSupplier(() -> {
                response.close();
                return placed(Loader.LoadResult.notModified(headers(response)), response, requested);
            });
        }
        Mono<byte[]> body = response.getBodyAsByteArray().defaultIfEmpty(new byte[0]);
        return status == 404 && !isForeign(response)
                ? body.map(bytes ->
                        placed(Loader.LoadResult.absent(status, headers(response), bytes), response, requested))
                : body.flatMap(bytes -> Mono.error(new PassThroughException(status, headers(response), bytes)));
    }

    /** Returns whether a gateway or proxy has sent the response in the place of the service: each of the service has one of these headers. */
    static boolean isForeign(HttpResponse response) {
        return OF_THE_SERVICE.stream().allMatch(name -> response.getHeaderValue(name) == null);
    }

    /** A retry policy may have read from the secondary, which may lack our last write. */
    private static Loader.LoadResult placed(Loader.LoadResult loaded, HttpResponse response, HttpRequest requested) {
        String host = response.getRequest().getUrl().getHost();
        return host.equalsIgnoreCase(requested.getUrl().getHost()) ? loaded : loaded.unkept();
    }

    private static long length(HttpResponse response, HttpRequest requested) {
        if (requested.getHttpMethod() == HttpMethod.HEAD) {
            return 0;
        }
        String length = response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH);
        return length != null && length.matches("\\d{1,18}") ? Long.parseLong(length) : -1;
    }

    private static Map<String, String> headers(HttpResponse response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (HttpHeader header : response.getHeaders()) {
            if (!OF_ONE_TRANSFER.contains(header.getName().toLowerCase(Locale.ROOT))) {
                headers.put(header.getName(), header.getValue());
            }
        }
        return headers;
    }

    /** Returns whether the status leaves the resource's state open: the service was unavailable. */
    static boolean isUnavailable(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    /**
     * Returns whether a failure leaves the resource's state open. A 404 of the service is no failure: a thrown one
     * comes from a gateway.
     */
    static boolean isUnavailable(Throwable failure) {
        return failure instanceof PassThroughException refusal
                ? refusal.status() == 404 || isUnavailable(refusal.status())
                : isUnreachable(failure);
    }

    private static boolean isUnreachable(Throwable failure) {
        Throwable cause = Exceptions.unwrap(failure);
        while (cause != null && !(cause instanceof IOException) && !(cause instanceof TimeoutException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /**
     * An exception that carries a response past the cache to all its readers: neither a body to keep nor an absence.
     */
    static final class PassThroughException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int status;
        private final transient Map<String, String> headers;
        private final byte[] body;

        PassThroughException(int status, Map<String, String> headers, byte[] body) {
            super("status " + status, null, false, false);
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        int status() {
            return status;
        }

        HttpResponse response(HttpRequest request) {
            return new ReplayedResponse(request, status, headers, body);
        }
    }
}
