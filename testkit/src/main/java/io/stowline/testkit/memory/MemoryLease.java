package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lease of one blob, by the states of the service's page "Lease Blob". Not thread-safe. */
final class MemoryLease {

    static final String ACTION = "x-ms-lease-action";

    private static final String ID = "x-ms-lease-id";
    private static final String PROPOSED = "x-ms-proposed-lease-id";
    private static final String LEASED = "leased";
    private static final String BREAKING = "breaking";
    private static final String BROKEN = "broken";
    private static final int MIN_SECONDS = 15;
    private static final int MAX_SECONDS = 60;

    private final ServiceTimes times;
    private @Nullable String id;
    private Duration duration = Duration.ZERO;
    private Instant until = Instant.MIN;
    private @Nullable Instant breaks;

    MemoryLease(ServiceTimes times) {
        this.times = times;
    }

    String state() {
        if (id == null) {
            return "available";
        }
        if (breaks != null) {
            return times.now().isBefore(breaks) ? BREAKING : BROKEN;
        }
        return times.now().isBefore(until) ? LEASED : "expired";
    }

    boolean isActive() {
        return state().equals(LEASED) || state().equals(BREAKING);
    }

    /** Refuses a write that does not name the lease, and forgets a lease that has ended. */
    void checkWrite(StorageRequest request) {
        String named = request.header(ID);
        if (isActive() && named == null) {
            throw new RefusedOperation(
                    412, "LeaseIdMissing", "There is currently a lease on the blob and no lease ID was specified.");
        }
        if (isActive() && !String.valueOf(id).equals(named)) {
            throw new RefusedOperation(
                    412, "LeaseIdMismatchWithBlobOperation", "The lease ID specified did not match the lease ID.");
        }
        if (!isActive() && named != null) {
            throw new RefusedOperation(
                    412,
                    named.equals(id) ? "LeaseLost" : "LeaseNotPresentWithBlobOperation",
                    "There is currently no lease on the blob.");
        }
        if (!isActive()) {
            id = null;
        }
    }

    StubResponse respond(StorageRequest request) {
        String action = String.valueOf(request.header(ACTION)).toLowerCase(Locale.ROOT);
        return switch (action) {
            case "acquire" -> acquire(request);
            case "renew" -> renew(request);
            case "change" -> change(request);
            case "release" -> release(request);
            case "break" -> broken(request);
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse acquire(StorageRequest request) {
        String proposed = request.header(PROPOSED);
        if (state().equals(BREAKING)) {
            throw new RefusedOperation(
                    409, "LeaseIsBreakingAndCannotBeAcquired", "The lease is breaking and cannot be acquired.");
        }
        if (isActive() && !String.valueOf(id).equals(proposed)) {
            throw new RefusedOperation(409, "LeaseAlreadyPresent", "There is already a lease present.");
        }
        String given = request.header("x-ms-lease-duration");
        int seconds = given == null ? 0 : Integer.parseInt(given);
        if (seconds != -1 && (seconds < MIN_SECONDS || seconds > MAX_SECONDS)) {
            throw new RefusedOperation(400, "InvalidHeaderValue", "The lease duration is out of range.");
        }
        id = proposed == null ? UUID.randomUUID().toString() : proposed;
        duration = seconds == -1 ? Duration.ofDays(36_500) : Duration.ofSeconds(seconds);
        until = times.now().plus(duration);
        breaks = null;
        return kept(201);
    }

    private StubResponse renew(StorageRequest request) {
        checkId(request, id);
        if (breaks != null) {
            throw new RefusedOperation(
                    409, "LeaseIsBrokenAndCannotBeRenewed", "The lease has been broken and cannot be renewed.");
        }
        until = times.now().plus(duration);
        return kept(200);
    }

    private StubResponse change(StorageRequest request) {
        String proposed = request.header(PROPOSED);
        if (!isActive() || breaks != null || !String.valueOf(id).equals(proposed)) {
            checkId(request, isActive() && breaks == null ? id : null);
        }
        id = proposed;
        return kept(200);
    }

    private StubResponse release(StorageRequest request) {
        checkId(request, id);
        id = null;
        return StubResponse.of(200);
    }

    private void checkId(StorageRequest request, @Nullable String expected) {
        if (id == null || expected == null || !expected.equals(request.header(ID))) {
            throw new RefusedOperation(
                    409, "LeaseIdMismatchWithLeaseOperation", "The lease ID specified did not match the lease ID.");
        }
    }

    private StubResponse broken(StorageRequest request) {
        if (id == null) {
            throw new RefusedOperation(
                    409, "LeaseNotPresentWithLeaseOperation", "There is currently no lease on the blob.");
        }
        Instant now = times.now();
        Instant end = breaks == null ? until : breaks;
        String period = request.header("x-ms-lease-break-period");
        Instant wanted = period == null ? end : now.plusSeconds(Long.parseLong(period));
        breaks = wanted.isBefore(end) ? wanted : end;
        long left = Math.max(0, Duration.between(now, breaks).toSeconds());
        return StubResponse.of(202).header("x-ms-lease-time", Long.toString(left));
    }

    private StubResponse kept(int status) {
        return StubResponse.of(status).header(ID, String.valueOf(id));
    }
}
