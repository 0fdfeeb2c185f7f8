package io.stowline.access.internal.policy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.util.Objects;

/**
 * The requests for the access control list of a container, queue or table, and what their responses mean. Immutable.
 *
 * @param service the service that holds it
 * @param resource the name of the container, queue or table
 * @param url its address
 * @param headers the application's headers for all requests
 */
record PolicyRequests(Service service, String resource, String url, ExtraHeaders headers) {

    private static final HttpHeaderName PUBLIC_ACCESS = HttpHeaderName.fromString("x-ms-blob-public-access");
    private static final String XML = "application/xml";
    private static final DocumentedStatus READ = DocumentedStatus.status(200);
    private static final DocumentedStatus CHANGED = DocumentedStatus.status(204);

    /** Returns whether the list has a version and more than policies, so that it is read before it is replaced. */
    boolean versioned() {
        return service == Service.BLOB;
    }

    Exchange<AccessControlList> read(String verb, RetrySettings retry) {
        return Exchange.of(
                request(verb, OperationType.READ, HttpMethod.GET), retry, parser(READ, response -> list(response)));
    }

    private AccessControlList list(StorageResponse response) throws IOException {
        AccessControlList policies = AccessControlList.EMPTY.with(SignedIdentifiersXml.read(response.body()));
        return versioned()
                ? new AccessControlList(
                        policies.policies(),
                        response.header(PUBLIC_ACCESS),
                        requireHeader(response, HttpHeaderName.ETAG),
                        requireHeader(response, HttpHeaderName.LAST_MODIFIED))
                : policies;
    }

    private static String requireHeader(StorageResponse response, HttpHeaderName header) {
        return Objects.requireNonNull(response.header(header), "no header " + header.getCaseInsensitiveName());
    }

    /** Returns the replacement of the whole list, in a container only if it has not been changed since; it gives the new ETag, or an empty text. */
    Exchange<String> write(String verb, AccessControlList wanted, RetrySettings retry) {
        Request request = request(verb, OperationType.WRITE, HttpMethod.PUT)
                .body(XML, SignedIdentifiersXml.body(wanted.policies()));
        if (wanted.publicAccess() != null) {
            request.addHeader(PUBLIC_ACCESS, wanted.publicAccess());
        }
        if (wanted.lastModified() != null) {
            request.addHeader(HttpHeaderName.IF_UNMODIFIED_SINCE, wanted.lastModified());
        }
        return Exchange.of(
                request,
                retry,
                parser(
                        versioned() ? READ : CHANGED,
                        response -> Objects.requireNonNullElse(response.header(HttpHeaderName.ETAG), "")));
    }

    private Request request(String verb, OperationType type, HttpMethod method) {
        String query = versioned() ? "?restype=container&comp=acl" : "?comp=acl";
        return Request.of(verb, RequestTarget.of(resource), type, method, url + query)
                .addHeader(HttpHeaderName.ACCEPT, XML)
                .addHeaders(headers);
    }

    private static <A> ResponseParser<A> parser(DocumentedStatus success, ResponseMeaning<A> meaning) {
        return success.parser(
                meaning,
                e -> new ParseResult.Unreadable<>(
                        "the response is no list of stored access policies: " + e.getMessage()));
    }
}
