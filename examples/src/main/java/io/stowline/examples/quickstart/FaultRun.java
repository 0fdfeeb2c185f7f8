package io.stowline.examples.quickstart;

import static io.stowline.testkit.RequestMatch.requests;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.util.Locale;

/**
 * A bad network and a busy service between the program and its storage: of every hundred requests about two lose their response, two are
 * refused with 503 and two find their connection reset. A seed decides which.
 */
final class FaultRun implements AutoCloseable {

    private static final double SHARE = 0.02;
    private static final int RETRIES = 8;

    private final long seed;
    private final FaultProxy proxy;
    private final FaultRule lost;
    private final FaultRule busy;
    private final FaultRule reset;

    private FaultRun(long seed, FaultProxy proxy) {
        this.seed = seed;
        this.proxy = proxy;
        this.lost = proxy.when(requests().chance(SHARE)).loseResponse();
        this.busy = proxy.when(requests().chance(SHARE))
                .respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
        this.reset = proxy.when(requests().chance(SHARE)).reset();
    }

    static FaultRun before(Azurite azurite, long seed) {
        // The example does not look at bodies, and they take memory.
        FaultProxy.Builder proxy =
                FaultProxy.builder().inFrontOf(azurite).seed(seed).recordedExchanges(1);
        return new FaultRun(seed, proxy.start());
    }

    /** Returns a client that meets them, with short waits between many retries. */
    Stowline connect() {
        return Stowline.builder()
                .connectionString(proxy.storage().connectionString())
                .retry(retry -> retry.backoff(Backoff.interactive()).retries(RETRIES))
                .build();
    }

    /** Returns the numbers of faults so far. */
    String described() {
        return String.format(
                Locale.ROOT,
                "Faults of seed %d among %,d requests: %,d responses lost, %,d refused with 503, %,d connections reset",
                seed,
                proxy.traffic().requests(),
                lost.hits(),
                busy.hits(),
                reset.hits());
    }

    @Override
    public void close() {
        proxy.close();
    }
}
