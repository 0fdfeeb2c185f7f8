package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A stage that refuses each n-th request with 503 ServerBusy. */
public final class Throttling implements Stage {

    private static final String TEXT = "Operations per second is over the account limit.";

    private final int every;
    private final Duration retryAfter;
    private final AtomicLong requests = new AtomicLong();

    /**
     * Makes the stage.
     *
     * @param every which request is refused: 1 for each, 2 for each second
     * @param retryAfter the value of {@code Retry-After}
     */
    public Throttling(int every, Duration retryAfter) {
        this.every = every;
        this.retryAfter = retryAfter;
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        if (requests.incrementAndGet() % every != 0) {
            return next.response(request);
        }
        return ServiceErrorBody.response(request.service(), 503, "ServerBusy", TEXT)
                .retryAfter(retryAfter);
    }
}
