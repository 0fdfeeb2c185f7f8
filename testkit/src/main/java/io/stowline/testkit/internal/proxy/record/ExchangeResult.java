package io.stowline.testkit.internal.proxy.record;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.StubResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The end of an exchange.
 *
 * @param ending the kind of end
 * @param reason why, empty where the ending says it all
 * @param rule the rule that took the request, empty for none
 * @param answer what the client was sent, or {@code null} for nothing
 * @param served what the service answered, or {@code null} when it got no request or did not answer
 */
public record ExchangeResult(
        Ending ending,
        String reason,
        String rule,
        @Nullable StubResponse answer,
        @Nullable StubResponse served) {

    static final ExchangeResult IN_FLIGHT = new ExchangeResult(Ending.IN_FLIGHT, "", "", null, null);

    ExchangeResult withBodies(int most) {
        StubResponse shortAnswer = shortened(answer, most);
        StubResponse shortServed = served == answer ? shortAnswer : shortened(served, most);
        return new ExchangeResult(ending, reason, rule, shortAnswer, shortServed);
    }

    boolean exceeds(int most) {
        return isLonger(answer, most) || isLonger(served, most);
    }

    private static boolean isLonger(@Nullable StubResponse answer, int most) {
        return answer != null && answer.bodyLength() > most;
    }

    private static @Nullable StubResponse shortened(@Nullable StubResponse answer, int most) {
        return answer != null && isLonger(answer, most) ? answer.body(Arrays.copyOf(answer.body(), most)) : answer;
    }

    int bodyBytes() {
        return (answer == null ? 0 : answer.bodyLength())
                + (served == null || served == answer ? 0 : served.bodyLength());
    }

    ExchangeResult dropped(String why) {
        return new ExchangeResult(Ending.DROPPED, why, rule, answer, served);
    }
}
