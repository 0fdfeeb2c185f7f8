package io.stowline.testkit.internal.proxy.record;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.StubResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The end of an exchange.
 *
 * @param ending the kind of end
 * @param reason why, empty where the ending suffices
 * @param rule the rule that took the request, empty for none
 * @param response the response that the client was sent, or {@code null} for none
 * @param served the response of the service, or {@code null} when it got no request or did not respond
 */
public record ExchangeResult(
        Ending ending,
        String reason,
        String rule,
        @Nullable StubResponse response,
        @Nullable StubResponse served) {

    static final ExchangeResult IN_FLIGHT = new ExchangeResult(Ending.IN_FLIGHT, "", "", null, null);

    ExchangeResult withBodies(int max) {
        StubResponse shortResponse = shortened(response, max);
        StubResponse shortServed = served == response ? shortResponse : shortened(served, max);
        return new ExchangeResult(ending, reason, rule, shortResponse, shortServed);
    }

    boolean exceeds(int max) {
        return isLonger(response, max) || isLonger(served, max);
    }

    private static boolean isLonger(@Nullable StubResponse response, int max) {
        return response != null && response.bodyLength() > max;
    }

    private static @Nullable StubResponse shortened(@Nullable StubResponse response, int max) {
        return response != null && isLonger(response, max)
                ? response.body(Arrays.copyOf(response.body(), max))
                : response;
    }

    int bodyBytes() {
        return (response == null ? 0 : response.bodyLength())
                + (served == null || served == response ? 0 : served.bodyLength());
    }

    ExchangeResult dropped(String why) {
        return new ExchangeResult(Ending.DROPPED, why, rule, response, served);
    }
}
