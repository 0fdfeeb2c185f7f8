package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * What one operation asks of the service, before date, signature and time limit are added to each attempt. For one call: what its
 * attempts add stands in the same headers.
 *
 * @param operation the caller's verb, for errors
 * @param resource what it is asked of, for errors
 * @param effect what it does to the store
 * @param method the HTTP method
 * @param url the address with its query, but without {@code timeout=}
 * @param headers the headers; those that stay the same in all attempts, and then what each attempt sets
 * @param load what an attempt asks of the service's capacity
 * @param body the body, or {@code null} if there is none
 * @param changes what it may change; a read changes nothing
 */
public record Request(
        String operation,
        String resource,
        Effect effect,
        HttpMethod method,
        String url,
        HttpHeaders headers,
        Load load,
        @Nullable RequestBody body,
        Changes changes) {

    /**
     * A request without body.
     *
     * @param operation the caller's verb
     * @param resource what it is asked of
     * @param effect what it does to the store
     * @param method the HTTP method
     * @param url the address
     * @return the request, with no headers yet
     */
    public static Request of(String operation, String resource, Effect effect, HttpMethod method, String url) {
        return new Request(operation, resource, effect, method, url, new HttpHeaders(), Load.ONE, null, kept -> {});
    }

    /**
     * Adds a header to this request.
     *
     * @param name its name
     * @param value its value
     * @return this request
     */
    public Request header(HttpHeaderName name, String value) {
        headers.set(name, value);
        return this;
    }

    /**
     * Adds what the application wants to be there.
     *
     * @param more the headers
     * @return this request
     */
    public Request headers(ExtraHeaders more) {
        more.addTo(headers);
        return this;
    }

    /**
     * The same request with a body.
     *
     * @param contentType the type of the body
     * @param body its bytes
     * @return the request with both
     */
    public Request body(String contentType, byte[] body) {
        return body(contentType, RequestBody.of(body));
    }

    /**
     * The same request with a body.
     *
     * @param contentType the type of the body
     * @param body the body
     * @return the request with both
     */
    public Request body(String contentType, RequestBody body) {
        headers.set(HttpHeaderName.CONTENT_TYPE, contentType);
        return new Request(operation, resource, effect, method, url, headers, load, body, changes);
    }

    /**
     * The same request with what an attempt of it asks of the service's capacity.
     *
     * @param cost the load
     * @return the request
     */
    public Request costing(Load cost) {
        return new Request(operation, resource, effect, method, url, headers, cost, body, changes);
    }

    /**
     * The same request with what it may change.
     *
     * @param changed what it may change
     * @return the request
     */
    public Request changing(Changes changed) {
        return new Request(operation, resource, effect, method, url, headers, load, body, changed);
    }
}
