package io.stowline.testkit.internal.proxy.record;

import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.SentRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** An exchange in flight and afterwards. Guarded by the lock of its {@link Recorder}. */
public final class RecordedEntry {

    private final int connection;
    private final Duration arrived;
    private SentRequest request;
    private ExchangeResult fate = ExchangeResult.IN_FLIGHT;
    private boolean truncated;

    RecordedEntry(int connection, Duration arrived, SentRequest request) {
        this.connection = connection;
        this.arrived = arrived;
        this.request = request;
    }

    SentRequest request() {
        return request;
    }

    ExchangeResult fate() {
        return fate;
    }

    void fate(ExchangeResult how) {
        fate = how;
    }

    int bodyBytes() {
        return request.bodyLength() + fate.bodyBytes();
    }

    void keepBodies(int max) {
        truncated |= fate.exceeds(max) || request.bodyLength() > max;
        fate = fate.withBodies(max);
        if (request.bodyLength() > max) {
            request = request.withBody(Arrays.copyOf(request.body(), max));
        }
    }

    RecordedExchange snapshot() {
        return new RecordedExchange(
                connection,
                arrived,
                request,
                fate.ending(),
                fate.reason(),
                fate.rule(),
                Optional.ofNullable(fate.response()),
                Optional.ofNullable(fate.served()),
                truncated);
    }
}
