package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Sends probes through a stage to a service that responds by a function, and keeps the requests that reached it. */
final class ServiceExchange {

    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T10:00:00Z"), ZoneOffset.UTC);

    final List<SentRequest> arrived = new ArrayList<>();
    private final Stage stage;
    private final Function<SentRequest, StubResponse> service;

    ServiceExchange(Stage stage, Function<SentRequest, StubResponse> service) {
        this.stage = stage;
        this.service = service;
    }

    StubResponse send(StrictProbe probe) throws IOException {
        return stage.response(probe.toRequest(CLOCK.instant()), request -> {
            arrived.add(request);
            return service.apply(request);
        });
    }
}
