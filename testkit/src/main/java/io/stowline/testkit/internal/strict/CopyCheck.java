package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Map;

/** Check of requests for which the service reads another address: their source, and that they have no body. */
final class CopyCheck implements StrictCheck {

    private static final String SOURCE = "x-ms-copy-source";
    private static final int MAX_ADDRESS = 2_048;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        String source = request.header(SOURCE);
        if (source == null || !request.method().equals("PUT")) {
            return;
        }
        if (source.length() > MAX_ADDRESS) {
            rules.refuse(
                    StrictRule.COPY_SOURCE_LENGTH,
                    "The value for one of the HTTP headers is not in the correct format.",
                    Map.of("HeaderName", SOURCE));
        }
        if (request.body().length() > 0) {
            rules.refuse(
                    StrictRule.COPY_BODY,
                    "The value for one of the HTTP headers is not in the correct format.",
                    Map.of(
                            "HeaderName",
                            "Content-Length",
                            "HeaderValue",
                            Integer.toString(request.body().length())));
        }
    }
}
