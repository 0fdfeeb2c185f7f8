package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.wire.TableAddress;
import java.io.IOException;
import java.util.List;

/** A stage that responds with 304 to the read of an entity whose ETag the client has already. */
public final class EntitiesNotModified implements Stage {

    private static final List<String> ABOUT_THE_BODY = List.of("Content-Type", "Content-Length", "Transfer-Encoding");

    /** Makes the stage. */
    public EntitiesNotModified() {}

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        StubResponse response = next.response(request);
        return isConditionalRead(request) && response.status() == 200 && hasSameETag(request, response)
                ? notModified(response)
                : response;
    }

    private static boolean isConditionalRead(SentRequest request) {
        return request.service() == StorageService.TABLE
                && request.method().equals("GET")
                && request.header("If-None-Match") != null
                && TableAddress.of(request.path()).isEntity();
    }

    private static boolean hasSameETag(SentRequest request, StubResponse response) {
        String etag = response.header("ETag");
        return etag != null && etag.equals(request.header("If-None-Match"));
    }

    private static StubResponse notModified(StubResponse response) {
        StubResponse bare = StubResponse.received(304, response.headerLines(), new byte[0]);
        for (String name : ABOUT_THE_BODY) {
            bare = bare.withoutHeader(name);
        }
        return bare.header("x-ms-error-code", "ConditionNotMet");
    }
}
