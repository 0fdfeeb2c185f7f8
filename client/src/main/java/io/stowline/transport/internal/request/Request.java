package io.stowline.transport.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.StorageResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to the service, before each attempt adds its date, its signature and its time limit. Its
 * headers are not changed by attempts, which set theirs in a copy.
 *
 * @param name the caller's verb, for errors and listeners
 * @param target the resource that it concerns, for errors and listeners
 * @param type its effect on the store
 * @param url the address with its query, but without {@code timeout=}
 * @param headers the headers that all attempts share; the first attempt adds its own to them, and later ones to copies
 * @param cost the capacity of the service that an attempt uses
 * @param body the body, or {@code null} if there is none or an SDK client has it
 * @param changes the resources that it may change; a read changes none
 * @param replayable whether its body can be sent more than once
 * @param repeatable whether it may be sent again although an attempt may have been executed
 * @param maxResponse the most bytes of the body of a successful response that is read as an array
 * @param sink the sink of the body of a successful response, or {@code null} if it is read as an array
 * @param attemptHeaders sets the headers that differ from attempt to attempt, or {@code null} if there are none
 * @param staging whether a write changes nothing that a reader sees, until another request commits it
 * @param existenceCheck whether it checks that a resource exists, which may be missing with its table, queue or container
 * @param foreign whether its address is that of another host or account, which holds the proof itself: it gets neither the client's proof nor the time limit, and its end changes no limit
 */
public record Request(
        String name,
        RequestTarget target,
        OperationType type,
        HttpMethod method,
        String url,
        RequestHeaders headers,
        RequestCost cost,
        @Nullable RequestBody body,
        ChangedResources changes,
        boolean replayable,
        boolean repeatable,
        int maxResponse,
        @Nullable BodySink sink,
        @Nullable Consumer<RequestHeaders> attemptHeaders,
        boolean staging,
        boolean existenceCheck,
        boolean foreign) {

    private static final ChangedResources NOTHING = kept -> {};
    private static final long MEGABYTE = 1 << 20;
    private static final long READ_SECONDS = 120;
    private static final long WRITE_SECONDS = 600;

    /**
     * Returns a direct request without body, whose outcome is judged above the retry.
     *
     * @param name the caller's verb
     * @param resource the resource that it concerns, which is in no container
     * @param type how it affects the store
     * @param url the address
     * @return the request, with no headers yet
     */
    public static Request of(String name, String resource, OperationType type, HttpMethod method, String url) {
        return of(name, RequestTarget.ofAccount(resource), type, method, url);
    }

    /**
     * Returns a direct request without body, whose outcome is judged above the retry.
     *
     * @param name the caller's verb
     * @param target the resource that it concerns
     * @param type how it affects the store
     * @param url the address
     * @return the request, with no headers yet
     */
    public static Request of(String name, RequestTarget target, OperationType type, HttpMethod method, String url) {
        return new Request(
                name,
                target,
                type,
                method,
                url,
                new RequestHeaders(),
                RequestCost.ONE,
                null,
                NOTHING,
                true,
                true,
                ResponseBounds.PAGE_BYTES,
                null,
                null,
                false,
                false,
                false);
    }

    /**
     * Returns a request that an SDK client has made.
     *
     * @param operation the operation that it is a part of
     * @param replayable whether its body can be sent more than once
     * @param repeatable whether it may be sent again although an attempt may have been executed
     * @param cost the capacity of the service that an attempt uses
     */
    public static Request bySdkClient(
            Operation operation, HttpRequest made, boolean replayable, boolean repeatable, RequestCost cost) {
        String url = made.getUrl().toString();
        return new Request(
                operation.name(),
                RequestTarget.ofAccount(operation.resource()),
                operation.type(),
                made.getHttpMethod(),
                url,
                RequestHeaders.of(made.getHeaders()),
                cost,
                null,
                kept -> ChangedResources.of(url).invalidate(kept),
                replayable,
                repeatable,
                ResponseBounds.LISTING_BYTES,
                null,
                null,
                false,
                operation.existenceCheck(),
                false);
    }

    /**
     * Returns a parameter that stands behind another one in the query of an address.
     *
     * @param value its value, or {@code null} for no parameter
     */
    public static String parameter(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + encoded(value);
    }

    /**
     * Percent-encodes a value of a query, or a segment of a path (RFC 3986, section 2.1): a space is {@code %20}, never a plus sign. GUIDs
     * and Base64, the ids and receipts of the services, cost one copy.
     */
    public static String encoded(String text) {
        StringBuilder encoded = null;
        int copied = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnreserved(c)) {
                continue;
            }
            String escape =
                    switch (c) {
                        case '+' -> "%2B";
                        case '/' -> "%2F";
                        case '=' -> "%3D";
                        default -> null;
                    };
            if (escape == null) {
                return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
            }
            encoded = encoded == null ? new StringBuilder(text.length() + 16) : encoded;
            encoded.append(text, copied, i).append(escape);
            copied = i + 1;
        }
        return encoded == null
                ? text
                : encoded.append(text, copied, text.length()).toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_';
    }

    /** Returns the text of the resource that it concerns, for errors and listeners. */
    public String resource() {
        return target.resource();
    }

    /** Returns whether it has a condition to which a 304 is the response for the version that its reader knows. */
    public boolean conditional() {
        return headers.has(HttpHeaderName.IF_NONE_MATCH);
    }

    /**
     * Returns the most seconds for which the service works on an attempt: it grants 10 minutes to a write, and 2 to a
     * read, for each megabyte begun.
     *
     * @return the time for the content, whose length is that of the body or of the cost
     */
    public long maxSeconds() {
        long bytes = body == null ? cost.bytes() : body.length();
        long megabytes = Math.max(1, (bytes + MEGABYTE - 1) / MEGABYTE);
        return megabytes * (type == OperationType.READ ? READ_SECONDS : WRITE_SECONDS);
    }

    /** Adds a header to this request. */
    public Request addHeader(HttpHeaderName name, String value) {
        headers.set(name, value);
        return this;
    }

    /** Adds what the application wants to be there. */
    public Request addHeaders(ExtraHeaders more) {
        more.forEach(headers::set);
        return this;
    }

    /**
     * Returns the request with a body.
     *
     * @param body its bytes
     * @return the request with type and body
     */
    public Request body(String contentType, byte[] body) {
        return body(contentType, RequestBody.of(body));
    }

    /**
     * Returns the request with a body.
     *
     * @return the request with type and body
     */
    public Request body(String contentType, RequestBody body) {
        headers.set(HttpHeaderName.CONTENT_TYPE, contentType);
        return with(cost, body, changes, maxResponse, sink, attemptHeaders, staging, existenceCheck);
    }

    /** Returns whether its body is too much memory to be kept once it has been sent. */
    public boolean hasLongBody() {
        return body != null && body.sliced();
    }

    /**
     * Returns the request with the cost of an attempt.
     *
     * @param cost the load
     */
    public Request costing(RequestCost cost) {
        return with(cost, body, changes, maxResponse, sink, attemptHeaders, staging, existenceCheck);
    }

    /** Returns the request with the resources that it may change. */
    public Request changing(ChangedResources changed) {
        return with(cost, body, changed, maxResponse, sink, attemptHeaders, staging, existenceCheck);
    }

    /** Returns the request with another limit of its successful response. */
    public Request limitingResponse(int max) {
        return with(cost, body, changes, max, sink, attemptHeaders, staging, existenceCheck);
    }

    /**
     * Returns the request with a sink for its successful response. The response that its parser gets has an empty body.
     *
     * @param receiver gets the body of each attempt's response
     */
    public Request into(BodySink receiver) {
        return with(cost, body, changes, maxResponse, receiver, attemptHeaders, staging, existenceCheck);
    }

    /**
     * Returns the request with headers that differ from attempt to attempt, such as the range of the missing bytes.
     *
     * @param each called for each attempt before it is authorized, with a copy of the shared headers
     */
    public Request headersOfAttempt(Consumer<RequestHeaders> each) {
        return with(cost, body, changes, maxResponse, sink, each, staging, existenceCheck);
    }

    /** Returns the request as one that changes nothing that a reader sees, such as a block before its commit. */
    public Request staged() {
        return with(cost, body, changes, maxResponse, sink, attemptHeaders, true, existenceCheck);
    }

    /** Returns the request as one that checks whether a resource exists. */
    public Request checkingExistence() {
        return with(cost, body, changes, maxResponse, sink, attemptHeaders, staging, true);
    }

    /** Returns the request as one that is not sent again once an attempt may have been executed. */
    public Request unrepeatable() {
        return new Request(
                name,
                target,
                type,
                method,
                url,
                headers,
                cost,
                body,
                changes,
                replayable,
                false,
                maxResponse,
                sink,
                attemptHeaders,
                staging,
                existenceCheck,
                foreign);
    }

    /** Returns the request as one to another host or account; the address holds the proof, if one is needed. */
    public Request toForeignHost() {
        return new Request(
                name,
                target,
                type,
                method,
                url,
                headers,
                cost,
                body,
                changes,
                replayable,
                repeatable,
                maxResponse,
                sink,
                attemptHeaders,
                staging,
                existenceCheck,
                true);
    }

    private Request with(
            RequestCost otherCost,
            @Nullable RequestBody otherBody,
            ChangedResources otherChanges,
            int otherMax,
            @Nullable BodySink otherSink,
            @Nullable Consumer<RequestHeaders> otherHeaders,
            boolean otherStaging,
            boolean otherExistenceCheck) {
        return new Request(
                name,
                target,
                type,
                method,
                url,
                headers,
                otherCost,
                otherBody,
                otherChanges,
                replayable,
                repeatable,
                otherMax,
                otherSink,
                otherHeaders,
                otherStaging,
                otherExistenceCheck,
                foreign);
    }

    /** Returns the end of the request for listeners and observers. */
    public RequestEnd ended(String clientRequestId, RetryResult<?> last) {
        return new RequestEnd(
                name(),
                resource(),
                clientRequestId,
                last.value() instanceof HttpResponse response
                        ? response.getHeaderValue(StorageResponse.REQUEST_ID)
                        : null,
                last.log().attempts(),
                last.log().elapsed(),
                last.stop(),
                existenceCheck);
    }
}
