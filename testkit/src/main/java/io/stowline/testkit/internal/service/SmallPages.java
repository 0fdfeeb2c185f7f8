package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import java.io.IOException;

/** A stage that sends pages of few entities for queries of entities. */
public final class SmallPages implements Stage {

    private final int most;

    /**
     * Makes the stage.
     *
     * @param most the most entities in a page
     */
    public SmallPages(int most) {
        this.most = most;
    }

    @Override
    public StubResponse answer(SentRequest request, Next next) throws IOException {
        return next.answer(Queries.isQuery(request) ? smaller(request) : request);
    }

    private SentRequest smaller(SentRequest request) {
        String asked = request.query().get("$top");
        return asked != null && isWithin(asked) ? request : Queries.with(request, "$top", Integer.toString(most));
    }

    private boolean isWithin(String asked) {
        try {
            return Long.parseLong(asked) <= most;
        } catch (NumberFormatException e) {
            return true;
        }
    }
}
