package io.stowline.transport.internal.pipeline;

import io.stowline.error.internal.StatusMeaning;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.error.ServiceError;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The remedies of one exchange against refusals of the caller's proof, each tried once (RETRY-3). Attempts follow each other. */
@SuppressWarnings("NonAtomicVolatileUpdate") // one attempt at a time
final class AuthRecovery {

    private volatile boolean redated;
    private volatile boolean renewed;
    private volatile String found = "";
    private volatile String tried = "";

    /** Notes that the next attempt tries the remedy that was found. */
    void useRemedy() {
        tried = tried + found;
        found = "";
    }

    /** Finds the remedy against the refusal of an attempt; {@code null} if there is none. */
    @Nullable
    String against(ServiceError error, RequestAttempt attempt, ServerClock clock) {
        String remedy = redated(error, attempt.signed(), clock);
        if (remedy == null) {
            remedy = renewed(error, attempt.proof());
        }
        if (remedy != null) {
            found = "; " + remedy;
        }
        return remedy;
    }

    /** Returns the remedies that an attempt has tried; each with a semicolon before it. */
    String tried() {
        return tried;
    }

    private @Nullable String redated(ServiceError refusal, @Nullable Instant dated, ServerClock clock) {
        if (refusal.meaning() != StatusMeaning.WRONG_SIGNATURE || dated == null || redated) {
            return null;
        }
        Duration off = clock.learn(dated, refusal.date());
        if (off == null) {
            return null;
        }
        redated = true;
        String error = ServerClock.tolerates(off)
                ? "the date that an earlier response had corrected was wrong"
                : "this machine's clock is " + off.abs().toSeconds() + " s " + (off.isNegative() ? "ahead" : "behind");
        return "403 AuthenticationFailed, " + error + ", signed once more with the service's time";
    }

    private @Nullable String renewed(ServiceError error, Authorizer.@Nullable Proof used) {
        if (used == null || renewed) {
            return null;
        }
        String why = used.renewedAfter(error);
        renewed = why != null;
        return why;
    }
}
