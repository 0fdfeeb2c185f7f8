package io.stowline.transport.internal.error;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The test for responses that the storage service cannot have sent: a gateway, a proxy or a sign-in page has responded in its place (decision 122). They
 * reveal nothing of the request (WORLD-4). Each response of the service has an id, a success included; a refusal has a code, too. Stateless.
 */
public final class GatewayResponses {

    /** A refusal of HEAD may have no code. */
    private static final List<HttpHeaderName> SERVICE_HEADERS = List.of(
            StorageResponse.REQUEST_ID,
            HttpHeaderName.fromString("x-ms-version"),
            HttpHeaderName.fromString("x-ms-error-code"));

    /**
     * The refusals that would reveal something of what is stored or of the caller's rights. A firewall may also send them in place of a
     * response that it holds back, after the service has carried the request out. What refuses a request for its form, its size or its rate
     * has not passed it on, so that it is a refusal in either case.
     */
    private static final Set<Integer> DECIDING = Set.of(304, 401, 403, 404, 409, 410, 412, 416, 451);

    private GatewayResponses() {}

    /** A response whose head shows that the service has not sent it. */
    public static final class ForeignResponseException extends IOException {

        private static final long serialVersionUID = 1L;

        private ForeignResponseException(String why) {
            super(why);
        }
    }

    /**
     * Explains why a response is not one of the service.
     *
     * @param refusal the same response as an error, or {@code null} if it is a success
     * @return the reason, or {@code null} if it may be one of the service
     */
    public static @Nullable String against(HttpResponse response, @Nullable ServiceError refusal) {
        int status = response.getStatusCode();
        boolean deciding = DECIDING.contains(status) || redirects(status);
        boolean unnamed = ResponseBounds.success(status) || (deciding && (refusal == null || refusal.code() == null));
        return unnamed && !marked(BufferedResponse.headers(response)) ? explanation(status) : null;
    }

    /** Returns whether a status leads to another address: that of a sign-in page, for the service has none. Another attempt would meet it again. */
    public static boolean redirects(int status) {
        return status / 100 == 3 && status != 304;
    }

    private static String explanation(int status) {
        return "a response with the status " + status
                + " that is not one of the storage service, for it has no x-ms-request-id and no error code: a gateway"
                + " or proxy before the service has made it, or drops these headers, and it says nothing of the"
                + " request; check what the endpoint's name resolves to, and the proxies on the way";
    }

    /**
     * Refuses the head of a response whose body goes to a receiver before a verdict.
     *
     * @throws ForeignResponseException if it is not one of the service
     */
    public static void refuse(int status, StorageResponse.Headers headers) throws ForeignResponseException {
        if (!marked(headers)) {
            throw new ForeignResponseException(explanation(status));
        }
    }

    private static boolean marked(StorageResponse.Headers headers) {
        for (HttpHeaderName header : SERVICE_HEADERS) {
            if (headers.has(header)) {
                return true;
            }
        }
        return false;
    }
}
