package io.stowline.caching;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import java.util.Map;

/** A response that is neither an answer nor an absence, on its way past the cache to all who wait for it. */
final class PassThroughException extends RuntimeException {

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
