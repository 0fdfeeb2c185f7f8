package io.stowline.spring.boot.resilience4j;

import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rule of one {@code Retry} of Resilience4j that adds {@link OuterRetries} to its configuration, and logs once that it applies. Thread-safe. */
final class OuterRetryRule implements Predicate<Throwable> {

    private static final Logger LOG = LoggerFactory.getLogger(OuterRetryRule.class);

    private final String name;
    private final Predicate<Throwable> configured;
    private final int maxAttempts;
    private final boolean allowed;
    private final AtomicBoolean logged = new AtomicBoolean();

    OuterRetryRule(String name, Predicate<Throwable> configured, int maxAttempts, boolean allowed) {
        this.name = name;
        this.configured = configured;
        this.maxAttempts = maxAttempts;
        this.allowed = allowed;
    }

    @Override
    public boolean test(Throwable failure) {
        if (!configured.test(failure)) {
            return false;
        }
        Optional<StorageException> usedUp = OuterRetries.usedUp(failure);
        usedUp.filter(end -> maxAttempts > 1 && logged.compareAndSet(false, true))
                .ifPresent(this::log);
        return allowed || usedUp.isEmpty();
    }

    private void log(StorageException end) {
        @Nullable FailureDetails details = end.failure();
        int attempts = details == null ? 0 : details.attempts();
        String kind = end.getClass().getSimpleName();
        if (allowed) {
            LOG.warn(
                    "The Retry '{}' of Resilience4j repeats a call that ended in {} after {} attempts of the client of"
                            + " Stowline: it may make {} attempts in all. Its further repetitions are not logged.",
                    name,
                    kind,
                    attempts,
                    (long) attempts * maxAttempts);
        } else {
            LOG.warn(
                    "The Retry '{}' of Resilience4j does not repeat a call that ended in {}: the client of Stowline"
                            + " has made {} attempts itself, and with this Retry there would be up to {}. Retry in one"
                            + " place: 'stowline.retry.retries=0' switches the retries of the client off, and"
                            + " 'stowline.resilience4j.allow-outer-retries=true' allows both. Further calls like this are"
                            + " not logged.",
                    name,
                    kind,
                    attempts,
                    (long) attempts * maxAttempts);
        }
    }
}
