package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import java.io.IOException;

/**
 * A stage that sends pages of few entities for queries of entities.
 *
 * @param max the largest number of entities in a page
 */
public record SmallPages(int max) implements Stage {

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        return next.response(Queries.isQuery(request) ? smaller(request) : request);
    }

    private SentRequest smaller(SentRequest request) {
        String requested = request.query().get("$top");
        return requested != null && isWithin(requested)
                ? request
                : Queries.with(request, "$top", Integer.toString(max));
    }

    private boolean isWithin(String requested) {
        try {
            return Long.parseLong(requested) <= max;
        } catch (NumberFormatException e) {
            return true;
        }
    }
}
