package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.strict.StrictStage;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.wire.HttpDate;
import java.io.IOException;
import java.time.Clock;
import java.util.EnumSet;

/**
 * A stage with another clock of the service: responses carry its date, and requests with a date too far off it are
 * refused.
 */
public final class ServiceClock implements Stage {

    private final Clock clock;
    private final Stage skew;

    /**
     * Makes the stage.
     *
     * @param clock the service's clock
     */
    public ServiceClock(Clock clock) {
        this.clock = clock;
        this.skew = new StrictStage(
                Rulebook.without(EnumSet.complementOf(EnumSet.of(StrictRule.DATE_SKEW))), clock, rule -> {});
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        return skew.response(request, next).header("Date", HttpDate.format(clock.instant()));
    }
}
