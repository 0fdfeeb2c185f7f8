package io.stowline.blob.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.BlobLease;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.http.FakeWire.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests for a lease, and their outcome after a lost response. */
@Timeout(60)
class LeaseOperationsTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String OTHER = "LeaseAlreadyPresent";
    private static final String NOT_OURS = "LeaseIdMismatchWithLeaseOperation";

    private final BlobBench bench = new BlobBench(settings -> settings);
    private final LeaseOperations leases = new LeaseOperations(bench.scope(), "leader");
    private final LeaseOperations patient = new LeaseOperations(
            bench.scope()
                    .with(bench.scope().retry().toBuilder()
                            .deadline(Duration.ofDays(1))
                            .build()),
            "leader");

    private List<Sent> sent() {
        return bench.wire().sent();
    }

    private Set<String> proposed() {
        return sent().stream()
                .filter(request -> "acquire".equals(request.header("x-ms-lease-action")))
                .map(request -> request.header("x-ms-proposed-lease-id"))
                .collect(Collectors.toSet());
    }

    private LeaseHolder acquired() throws Exception {
        bench.responds(201);
        return bench.start(leases.acquire(LEASE)).valueNow();
    }

    @Test
    @DisplayName("LEASE-3: a lease is acquired with an id of the client")
    void acquires() throws Exception {
        LeaseHolder lease = acquired();

        Sent request = bench.wire().last();
        assertThat(request.method()).isEqualTo("PUT");
        assertThat(request.url()).contains("/photos/leader?comp=lease");
        assertThat(request.header("x-ms-lease-action")).isEqualTo("acquire");
        assertThat(request.header("x-ms-lease-duration")).isEqualTo("30");
        assertThat(request.header("x-ms-proposed-lease-id")).isEqualTo(lease.id());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(29));
    }

    @Test
    @DisplayName("LEASE-3: a container's lease without end")
    void acquiresForEver() throws Exception {
        bench.responds(201);
        LeaseHolder lease = bench.start(new LeaseOperations(bench.scope(), null).acquire(BlobLease.INFINITE))
                .valueNow();
        lease.begin();
        bench.pass(Duration.ofDays(3));

        assertThat(sent()).hasSize(1);
        assertThat(bench.wire().last().url()).contains("/photos?restype=container&comp=lease");
        assertThat(bench.wire().last().header("x-ms-lease-duration")).isEqualTo("-1");
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(BlobLease.INFINITE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 14, 61, -1})
    void refusesOtherDurations(long seconds) {
        assertThatThrownBy(() -> leases.acquire(Duration.ofSeconds(seconds)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15 s to 60 s");
        assertThatThrownBy(
                        () -> leases.breakWithin(Duration.ofSeconds(seconds == 0 ? -2 : seconds == 14 ? 99 : seconds)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 s to 60 s");
        assertThat(sent()).isEmpty();
    }

    @Test
    @DisplayName("LEASE-3: after a lost response the lease is acquired again with the same id, and counts from the last"
            + " sending")
    void isRepeatedWithItsId() throws Exception {
        bench.losesTheResponse().responds(201);
        LeaseHolder lease = bench.start(leases.acquire(LEASE)).value();

        assertThat(sent()).hasSize(2);
        assertThat(proposed()).containsExactly(lease.id());
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("LEASE-3: after a lost response and a refusal a renewal with the id decides")
    void isFoundByRenewal() throws Exception {
        bench.losesTheResponse().refuses(409, OTHER).responds(200);
        LeaseHolder lease = bench.start(leases.acquire(LEASE)).value();

        assertThat(bench.wire().last().header("x-ms-lease-action")).isEqualTo("renew");
        assertThat(bench.wire().last().header("x-ms-lease-id")).isEqualTo(lease.id());
        assertThat(proposed()).containsExactly(lease.id());
    }

    @Test
    @DisplayName("LEASE-3: another client's lease after a lost response proves nothing: one of this id may have been"
            + " granted and broken")
    void mayHaveBeenBroken() {
        bench.losesTheResponse().refuses(409, OTHER).refuses(409, NOT_OURS).refuses(409, NOT_OURS);

        assertThat(bench.start(patient.acquire(LEASE)).failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("or been broken")
                .hasCauseInstanceOf(ConflictException.class);
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("LEASE-3: no response at all leaves the outcome unknown; the next call works")
    void isUnknown() throws Exception {
        bench.wire().otherwise(503, "");
        bench.losesTheResponse();
        assertThat(bench.start(leases.acquire(LEASE)).failure()).isInstanceOf(OutcomeUnknownException.class);

        acquired();
    }

    @Test
    @DisplayName("LEASE-3: a lease that another client has is a conflict at once")
    void isTaken() {
        bench.refuses(409, OTHER);
        assertThat(bench.start(leases.acquire(LEASE)).failureNow()).isInstanceOf(ConflictException.class);
        assertThat(sent()).hasSize(1);
    }

    @Test
    @DisplayName("LEASE-3: a release whose response was lost is done where the service has no lease of the id")
    void isReleased() throws Exception {
        LeaseHolder lease = acquired();
        bench.losesTheResponse().refuses(409, NOT_OURS);
        bench.start(lease.release()).value();

        assertThat(bench.wire().last().header("x-ms-lease-id")).isEqualTo(lease.id());
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isLost()).isFalse();
        bench.start(lease.release()).valueNow();
        assertThat(sent()).hasSize(3);
    }

    @Test
    @DisplayName("LEASE-3: the lease of a blob that its holder has deleted is released")
    void endsWithItsBlob() throws Exception {
        LeaseHolder lease = acquired();
        bench.refuses(404, "BlobNotFound");
        bench.start(lease.release()).valueNow();

        assertThat(lease.isLost()).isFalse();
    }

    @Test
    @DisplayName("LEASE-3: a release that the service refuses at once finds the lease lost")
    void isLostBeforeItsRelease() throws Exception {
        LeaseHolder lease = acquired();
        bench.refuses(409, NOT_OURS);

        assertThatThrownBy(() -> bench.start(lease.release()).valueNow())
                .hasRootCauseInstanceOf(ConflictException.class)
                .hasMessageContaining("was lost before its release");
    }

    @Test
    @DisplayName("LEASE-3: a change gives the lease another id, also after a lost response")
    void changesItsId() throws Exception {
        LeaseHolder lease = acquired();
        String first = lease.id();
        bench.losesTheResponse().responds(200);
        bench.start(lease.change()).value();

        assertThat(bench.wire().last().header("x-ms-lease-action")).isEqualTo("change");
        assertThat(bench.wire().last().header("x-ms-lease-id")).isEqualTo(first);
        assertThat(bench.wire().last().header("x-ms-proposed-lease-id")).isEqualTo(lease.id());
        assertThat(lease.id()).isNotEqualTo(first);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("LEASE-3: a change that stays unknown loses the lease")
    void losesItByAnUnknownChange() throws Exception {
        LeaseHolder lease = acquired();
        bench.wire().otherwise(503, "");
        bench.losesTheResponse();
        assertThat(bench.start(lease.change()).failure()).isInstanceOf(OutcomeUnknownException.class);

        assertThat(lease.isLost()).isTrue();
    }

    @Test
    @DisplayName("LEASE-3: a lease is broken by one request")
    void breaks() throws Exception {
        bench.responds(202, "x-ms-lease-time", "7");

        assertThat(bench.start(leases.breakWithin(Duration.ofSeconds(10))).valueNow())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(bench.wire().last().header("x-ms-lease-break-period")).isEqualTo("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken", "available", "breaking"})
    @DisplayName("LEASE-3: a break whose response was lost is not sent again; the state of the lease decides")
    void isBroken(String state) throws Exception {
        bench.losesTheResponse().responds(200, "x-ms-lease-state", state);

        assertThat(bench.start(leases.breakWithin(Duration.ofSeconds(10))).value())
                .isEqualTo(Duration.ofSeconds(state.equals("breaking") ? 10 : 0));
        assertThat(sent()).hasSize(2);
        assertThat(bench.wire().last().method()).isEqualTo("HEAD");
    }

    @Test
    @DisplayName("LEASE-3: a lease that is there after a lost response may be a later one, and proves nothing")
    void isNotKnownToBeBroken() throws Exception {
        bench.losesTheResponse().responds(200, "x-ms-lease-state", "leased");

        StorageException failure =
                bench.start(patient.breakWithin(Duration.ZERO)).failure();
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining("or a later one");
        assertThat(sent()).extracting(Sent::method).containsExactly("PUT", "HEAD");

        bench.responds(202, "x-ms-lease-time", "0");
        assertThat(bench.start(patient.breakWithin(Duration.ZERO)).valueNow()).isZero();
    }

    @Test
    @DisplayName("LEASE-3: a lease that may have been granted and have ended since leaves the outcome unknown")
    void mayHaveBeenGranted() {
        for (int attempts = 0; attempts <= patientSettings().retries(); attempts++) {
            bench.losesTheResponse();
        }
        bench.wire().otherwise(409, "", "x-ms-error-code", NOT_OURS);

        assertThat(bench.start(patient.acquire(LEASE)).failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("may have been granted");
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("LEASE-3: a renewal whose response names another lease is none of this one")
    void isNotRenewed() throws Exception {
        bench.losesTheResponse().refuses(409, OTHER);
        bench.wire().otherwise(200, "", "x-ms-lease-id", "another");
        assertThat(bench.start(patient.acquire(LEASE)).failure()).isInstanceOf(OutcomeUnknownException.class);

        LeaseHolder lease = acquired();
        lease.begin();
        bench.pass(LEASE.dividedBy(2));
        assertThat(lease.isLost()).isTrue();
    }

    private RetrySettings patientSettings() {
        return bench.scope().retry();
    }
}
