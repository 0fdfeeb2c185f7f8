package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The test for responses that the storage service cannot have sent: a gateway, a proxy or a sign-in page has responded in its place. They
 * say nothing of the request (WORLD-4). Each response of the service has an id; a refusal has a code, too. Stateless.
 */
final class GatewayResponses {

    /** A refusal of HEAD may have no code. */
    private static final List<HttpHeaderName> MARKS = List.of(
            StorageResponse.REQUEST_ID,
            HttpHeaderName.fromString("x-ms-version"),
            HttpHeaderName.fromString("x-ms-error-code"));

    /**
     * The refusals that would say something of what is stored. What refuses a request for its form, its size or its sender has not passed it
     * on, so that it is a refusal whoever it comes from.
     */
    private static final Set<Integer> DECIDING = Set.of(304, 404, 409, 410, 412, 416);

    private GatewayResponses() {}

    /**
     * Explains why a response is not one of the service.
     *
     * @param refusal the same response as an error, or {@code null} if it is a success
     * @return the reason, or {@code null} if it may be one of the service
     */
    static @Nullable String against(HttpResponse response, @Nullable ServiceError refusal) {
        int status = response.getStatusCode();
        boolean page = status / 100 == 2 && isPage(response);
        boolean deciding = DECIDING.contains(status) && (refusal == null || refusal.code() == null);
        if ((!page && !deciding) || marked(response)) {
            return null;
        }
        return "a response with the status " + status
                + " that is not one of the storage service, for it has no x-ms-request-id and no error code: a gateway"
                + " or proxy before the service has made it, and it says nothing of the request; check what the"
                + " endpoint's name resolves to, and the proxies on the way";
    }

    /** The service sends a page only as the content of a blob, and that with its headers. */
    private static boolean isPage(HttpResponse response) {
        String type = response.getHeaderValue(HttpHeaderName.CONTENT_TYPE);
        return type != null && type.regionMatches(true, 0, "text/html", 0, 9);
    }

    private static boolean marked(HttpResponse response) {
        for (HttpHeaderName mark : MARKS) {
            if (response.getHeaderValue(mark) != null) {
                return true;
            }
        }
        return false;
    }
}
