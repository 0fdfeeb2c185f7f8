package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.CircuitOpenException;
import io.stowline.error.NotFoundException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.LastSyncTimeCache;
import io.stowline.transport.internal.pipeline.ReadPreference;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecondaryReadsTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "The server is busy.");
    private static final String MISSING = Bench.jsonError("ResourceNotFound", "The resource is not there.");
    private static final String SYNCED = "Thu, 29 Feb 2024 11:55:00 GMT";
    private static final Instant LAST_SYNC = Instant.parse("2024-02-29T11:55:00Z");
    private static final Duration LONG = Duration.ofDays(1);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    private static ReadPreference reads(Bench bench) {
        return Bench.reads(Service.TABLE, bench.pipeline()).with(ReadFrom.SECONDARY_AFTER_PRIMARY);
    }

    private static Exchange<StorageResponse> call(@Nullable ReadRoute routing, int retries) {
        RetrySettings settings =
                RetrySettings.builder().retries(retries).deadline(LONG).build();
        return Exchange.<StorageResponse>of(Bench.request(OperationType.READ), settings, ParseResult.Value::new)
                .routed(routing);
    }

    private Outcome<StorageResponse> start() {
        return bench.start(call(reads(bench).any(), 4));
    }

    private FakeWire stats(String time) {
        return wire.responds(
                200,
                "<?xml version=\"1.0\"?><StorageServiceStats><GeoReplication><Status>live</Status><LastSyncTime>" + time
                        + "</LastSyncTime></GeoReplication></StorageServiceStats>");
    }

    @Test
    @DisplayName("RETRY-10: a response of the primary names its origin, and the age of the secondary is not read")
    void takesThePrimaryFirst() {
        wire.responds(200, "row");

        assertThat(start().value().origin()).isEqualTo(ReadOrigin.primary());
        assertThat(wire.places()).containsExactly("primary");
    }

    @Test
    @DisplayName(
            "RETRY-10: a failure of the primary sends the read to the secondary at once, which says how old it may be")
    void changesAtOnce() {
        wire.responds(503, BUSY);
        stats(SYNCED).responds(200, "row");

        StorageResponse response = start().value();

        assertThat(response.text()).isEqualTo("row");
        assertThat(response.origin()).isEqualTo(new ReadOrigin(true, LAST_SYNC));
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary");
        assertThat(wire.times()).containsOnly(Duration.ZERO);
        assertThat(wire.last().url())
                .isEqualTo(
                        "https://acct-secondary.table.core.windows.net/people(PartitionKey='p',RowKey='r')?timeout=30");
        assertThat(wire.last().header("x-ms-client-request-id"))
                .isEqualTo(wire.sent().get(0).header("x-ms-client-request-id"));
    }

    @Test
    @DisplayName("RETRY-10: attempts alternate; after the first change each waits by the formula")
    void alternates() {
        wire.responds(503, BUSY);
        stats(SYNCED).responds(503, BUSY).responds(500, "").responds(503, BUSY).responds(200, "row");
        Outcome<StorageResponse> outcome = start();

        bench.pass(LONG);

        assertThat(outcome.value().origin().secondary()).isFalse();
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "primary", "secondary", "primary");
        assertThat(wire.times()).extracting(Duration::toSeconds).containsExactly(0L, 0L, 0L, 6L, 20L, 50L);
    }

    @ParameterizedTest
    @DisplayName("RETRY-10: what the secondary refuses for good sends the rest to the primary, whatever follows there")
    @ValueSource(ints = {404, 412, 416, 403, 400})
    void leavesTheSecondary(int status) {
        wire.responds(503, BUSY);
        stats(SYNCED)
                .responds(status, MISSING)
                .responds(503, BUSY)
                .responds(503, BUSY)
                .responds(200, "row");
        Outcome<StorageResponse> outcome = start();

        bench.pass(LONG);

        assertThat(outcome.value().origin()).isEqualTo(ReadOrigin.primary());
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "primary", "primary", "primary");
    }

    @Test
    @DisplayName("RETRY-10: what the secondary lacks is never said to be missing: the failure is the primary's")
    void failsAsThePrimaryDid() {
        wire.responds(503, BUSY);
        stats(SYNCED).responds(404, MISSING);
        Outcome<StorageResponse> outcome = bench.start(call(reads(bench).any(), 1));

        assertThat(outcome.storageError()).isInstanceOf(ThrottledException.class);
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(2);
        assertThat(outcome.storageError()).hasMessageContaining("at the secondary: 404 ResourceNotFound");
    }

    @Test
    @DisplayName("RETRY-10: a primary that cannot be reached is what is told, not the secondary that is busy")
    void failsAsThePrimaryDidWithoutResponse() {
        wire.breaksBeforeWriting(new ConnectException("refused"));
        stats(SYNCED).responds(503, BUSY);
        Outcome<StorageResponse> outcome = bench.start(call(reads(bench).any(), 1));

        assertThat(outcome.storageError()).isInstanceOf(UnreachableException.class);
    }

    @Test
    @DisplayName("RETRY-10: after the secondary's 404 the primary's own counts")
    void believesThePrimary() {
        wire.responds(503, BUSY);
        stats(SYNCED).responds(404, MISSING).responds(404, MISSING);
        Outcome<StorageResponse> outcome = start();

        bench.pass(LONG);

        assertThat(outcome.storageError()).isInstanceOf(NotFoundException.class);
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "primary");
    }

    @Test
    @DisplayName("RETRY-10: a refusal of the primary that a repetition cannot mend is final")
    void asksNobodyElse() {
        wire.responds(404, MISSING);

        assertThat(start().storageError()).isInstanceOf(NotFoundException.class);
        assertThat(wire.places()).containsExactly("primary");
    }

    @Test
    @DisplayName("RETRY-4, RETRY-10: the wait that a place asks for is kept there, and does not hold up the other")
    void keepsTheHintOfItsPlace() {
        wire.responds(503, BUSY, "Retry-After", "60");
        stats(SYNCED).responds(503, BUSY).responds(200, "row");
        Outcome<StorageResponse> outcome = start();

        bench.pass(LONG);

        assertThat(outcome.ended()).isTrue();
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary", "primary");
        assertThat(wire.times()).extracting(Duration::toSeconds).containsExactly(0L, 0L, 0L, 60L);
    }

    @Test
    @DisplayName("RETRY-10: a write, a read-back and what settles earlier work stay with the primary")
    void keepsPartsOfWritesAtThePrimary() {
        ReadRoute routing = reads(bench).any();
        Operation read = Operation.of("find", "people", OperationType.READ, RetrySettings.defaults());
        Deadline deadline = Deadline.in(LONG, bench.timer());

        assertThatThrownBy(() -> Bench.call(OperationType.WRITE).routed(routing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("insertOrReplace is no read");
        assertThat(read.routed(routing).options().route()).isNotNull();
        assertThat(read.routed(routing).within(deadline).options().route()).isNull();
        assertThat(read.within(deadline).routed(routing).options().route()).isNull();
        assertThat(call(routing, 0).with(ExecutionOptions::settling).options().route())
                .isNull();
        assertThat(call(null, 0)
                        .with(ExecutionOptions::settling)
                        .routed(routing)
                        .options()
                        .route())
                .isNull();
    }

    @Test
    @DisplayName("RETRY-10: how old the secondary may be is asked for once a minute, by one request for all")
    void requestsTheFigureOnce() {
        ReadPreference shared = reads(bench);
        wire.responds(503, BUSY)
                .respondsAfter(Duration.ofMillis(500), 200, "<LastSyncTime>" + SYNCED + "</LastSyncTime>")
                .responds(503, BUSY)
                .responds(200, "one")
                .responds(200, "two");
        Outcome<StorageResponse> one = bench.start(call(shared.any(), 4));
        Outcome<StorageResponse> two = bench.start(call(shared.any(), 4));
        bench.pass(Duration.ofMillis(500));
        assertThat(one.value().origin().lastSync()).isEqualTo(LAST_SYNC);
        assertThat(two.value().origin().lastSync()).isEqualTo(LAST_SYNC);
        assertThat(wire.places()).containsExactly("primary", "stats", "primary", "secondary", "secondary");

        bench.pass(LastSyncTimeCache.KEPT.minusMillis(501));
        wire.responds(503, BUSY).responds(200, "three");
        bench.start(call(shared.any(), 4)).value();
        bench.pass(Duration.ofMillis(1));
        wire.responds(503, BUSY).responds(500, "").responds(200, "four");

        assertThat(bench.start(call(shared.any(), 4)).value().origin().lastSync())
                .isNull();
        assertThat(wire.places().subList(5, 10))
                .containsExactly("primary", "secondary", "primary", "stats", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: a reader who gives up leaves the figure to the others")
    void followersSurviveTheLeader() {
        ReadPreference shared = reads(bench);
        wire.responds(503, BUSY)
                .respondsAfter(Duration.ofMillis(500), 200, "<LastSyncTime>" + SYNCED + "</LastSyncTime>")
                .responds(503, BUSY)
                .responds(200, "two");
        Outcome<StorageResponse> one = bench.start(call(shared.any(), 4));
        Outcome<StorageResponse> two = bench.start(call(shared.any(), 4));

        one.cancel();
        bench.pass(Duration.ofMillis(500));

        assertThat(two.value().origin().lastSync()).isEqualTo(LAST_SYNC);
    }

    @ParameterizedTest
    @DisplayName("RETRY-10: a figure that cannot be had is unknown, and the read does not fail for it")
    @CsvSource({"403, ''", "200, ''", "200, <LastSyncTime></LastSyncTime>", "200, <LastSyncTime>soon</LastSyncTime>"})
    void livesWithoutTheFigure(int status, String body) {
        wire.responds(503, BUSY).responds(status, body).responds(200, "row");

        assertThat(start().value().origin()).isEqualTo(new ReadOrigin(true, null));
    }

    @Test
    @DisplayName("RETRY-10: the figure is waited for two seconds at the most")
    void waitsForTheFigureNotForLong() {
        wire.responds(503, BUSY).staysSilent().responds(200, "row");
        Outcome<StorageResponse> outcome = start();
        assertThat(outcome.ended()).isFalse();

        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.value().origin()).isEqualTo(new ReadOrigin(true, null));
        assertThat(wire.places()).containsExactly("primary", "stats", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: waiting for the figure takes no permit from it")
    void needsOnePermit() {
        Bench narrow = new Bench(1);
        narrow.wire()
                .responds(503, BUSY)
                .responds(200, "<LastSyncTime>" + SYNCED + "</LastSyncTime>")
                .responds(200, "row");

        StorageResponse response = narrow.start(call(reads(narrow).any(), 4)).value();

        assertThat(response.origin().lastSync()).isEqualTo(LAST_SYNC);
    }

    @Test
    @DisplayName("RETRY-10: what goes on where another read ended stays there and fails there")
    void staysWhereItBelongs() {
        ReadOrigin there = new ReadOrigin(true, LAST_SYNC);
        stats(SYNCED).breaks(new IOException("reset")).responds(404, MISSING);
        Outcome<StorageResponse> outcome = bench.start(call(reads(bench).onwards(there), 4));

        bench.pass(LONG);

        assertThat(outcome.storageError()).isInstanceOf(NotFoundException.class);
        assertThat(wire.places()).containsExactly("stats", "secondary", "secondary");
        assertThat(reads(bench).onwards(ReadOrigin.primary())).isNull();
    }

    @Test
    @DisplayName("RETRY-10: a version that the secondary found is sought there first, and that the primary has another"
            + " means nothing")
    void seeksAVersionWhereItWasFound() {
        ReadOrigin there = new ReadOrigin(true, LAST_SYNC);
        stats(SYNCED).responds(503, BUSY).responds(412, MISSING).responds(200, "part");
        Outcome<StorageResponse> outcome = bench.start(call(reads(bench).sameVersion(there), 4));

        bench.pass(LONG);

        assertThat(outcome.value().origin()).isEqualTo(there);
        assertThat(wire.places()).containsExactly("stats", "secondary", "primary", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: reads of the primary only carry nothing along")
    void costsNothingUnlessRequested() {
        ReadPreference primary = Bench.reads(Service.TABLE, bench.pipeline());

        assertThat(primary.any()).isNull();
        assertThat(primary.sameVersion(null)).isNull();
        assertThat(primary.onwards(null)).isNull();
    }

    @Test
    @DisplayName("RETRY-10: an open circuit breaker stands before the primary only")
    void passesAnOpenBreaker() {
        Bench guarded = new Bench(
                timer -> new ServiceLimits(Bench.limits(4, timer).gates(), RetryQuota.unlimited(), new Open(), null),
                null);
        guarded.wire().responds(200, "<LastSyncTime></LastSyncTime>").responds(200, "row");

        assertThat(guarded.start(call(reads(guarded).any(), 4)).value().origin().secondary())
                .isTrue();
        assertThat(guarded.wire().places()).containsExactly("stats", "secondary");
    }

    @Test
    @DisplayName("RETRY-10: with the breaker open and the secondary down, it is the breaker that is told")
    void tellsOfTheBreaker() {
        Bench guarded = new Bench(
                timer -> new ServiceLimits(Bench.limits(4, timer).gates(), RetryQuota.unlimited(), new Open(), null),
                null);
        guarded.wire().responds(200, "<LastSyncTime></LastSyncTime>").responds(503, BUSY);

        assertThat(guarded.start(call(reads(guarded).any(), 1)).storageError())
                .isInstanceOf(CircuitOpenException.class);
    }

    /** A breaker that never closes. */
    private static final class Open implements CircuitBreakerGuard {

        @Override
        public boolean tryPass() {
            return false;
        }

        @Override
        public void succeeded(Duration took) {
            throw new AssertionError("nothing of the primary was seen");
        }

        @Override
        public void failed(Duration took, String reason) {
            throw new AssertionError("nothing of the primary was seen");
        }

        @Override
        public void releaseUnjudged() {}

        @Override
        public String state() {
            return "open";
        }
    }
}
