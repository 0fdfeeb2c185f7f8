package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The date and the version of a request that is signed with the account's key.
 *
 * @param clock the clock of the service
 */
public record AuthorizationCheck(Clock clock) implements StrictCheck {

    private static final Duration TOLERANCE = Duration.ofMinutes(15);

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.isSigned()) {
            checkDate(request.header("x-ms-date", request.header("Date", "")), rules);
            if (request.header("x-ms-version") == null && request.service() != StorageService.BLOB) {
                rules.refuse(
                        StrictRule.VERSION_MISSING,
                        "An HTTP header that's mandatory for this request is not specified.");
            }
        }
    }

    private void checkDate(String date, Rulebook rules) {
        if (date.isEmpty()) {
            rules.refuse(StrictRule.DATE_MISSING, message("the request has no date"));
        }
        Optional<Instant> sent = HttpDate.parse(date);
        if (sent.isPresent() && isOff(sent.get())) {
            rules.refuse(StrictRule.DATE_SKEW, message("the request is dated " + date));
        }
    }

    private boolean isOff(Instant sent) {
        return Duration.between(sent, clock.instant()).abs().compareTo(TOLERANCE) > 0;
    }

    private static String message(String why) {
        return "Server failed to authenticate the request. Make sure the value of Authorization header is formed"
                + " correctly including the signature: " + why;
    }
}
