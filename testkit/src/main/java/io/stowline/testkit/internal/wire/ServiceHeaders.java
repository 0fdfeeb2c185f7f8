package io.stowline.testkit.internal.wire;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.time.Instant;

/** Headers that a service gives each of its responses. */
public final class ServiceHeaders {

    private static final String[] ECHOED = {"x-ms-version", "x-ms-client-request-id"};

    private ServiceHeaders() {}

    /** Completes a response: the id, the date, what is echoed of the request, and no body for HEAD. */
    public static StubResponse on(StubResponse response, SentRequest request, String id, Instant now) {
        StubResponse complete = response.header("x-ms-request-id", id).header("Date", HttpDate.format(now));
        for (String name : ECHOED) {
            String value = request.header(name);
            complete = value == null ? complete : complete.header(name, value);
        }
        return request.method().equals("HEAD") ? complete.body(new byte[0]) : complete;
    }
}
