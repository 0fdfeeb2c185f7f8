package io.stowline.access.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ACCESS-2: a user delegation key is renewed before a signature would outlive it. */
@DisplayName("ACCESS-2: a key is renewed before a signature would outlive it")
class DelegationKeysTest {

    private static final Instant NOW = Bench.START;

    private final Bench bench = new Bench();
    private final DelegationKeys keys = new DelegationKeys(
            bench.pipeline(),
            new ServiceVersion("2026-02-06"),
            () -> URI.create("https://acct.blob.core.windows.net"),
            RetrySettings.defaults());

    private static String key(Instant end) {
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><UserDelegationKey><SignedOid>o</SignedOid>"
                + "<SignedTid>t</SignedTid><SignedStart>2024-02-29T12:00:00Z</SignedStart><SignedExpiry>" + end
                + "</SignedExpiry><SignedService>b</SignedService><SignedVersion>2022-11-02</SignedVersion>"
                + "<Value>" + Bench.KEY + "</Value></UserDelegationKey>";
    }

    private Outcome<DelegationKey> until(Instant end) {
        return bench.start(keys.until(end, NOW));
    }

    @Test
    void oneKeyServesTheSignaturesOfADay() {
        Instant minutes = NOW.plus(Duration.ofMinutes(30));
        bench.wire().responds(200, key(minutes.plus(Duration.ofDays(1))));

        DelegationKey first = until(minutes).value();
        DelegationKey second = until(NOW.plus(Duration.ofHours(24))).value();

        assertThat(second).isSameAs(first);
        assertThat(bench.wire().sent()).hasSize(1);
        assertThat(bench.wire().last().url())
                .startsWith("https://acct.blob.core.windows.net/?restype=service&comp=userdelegationkey");
        assertThat(bench.wire().last().method()).isEqualTo("POST");
        assertThat(bench.wire().last().header("x-ms-version")).isEqualTo("2026-02-06");
        assertThat(bench.wire().last().body())
                .contains("<Start>2024-02-29T11:45:00Z</Start><Expiry>2024-03-01T12:30:00Z</Expiry>");
        assertThat(first.parameters()).containsEntry("skoid", "o").containsEntry("ske", "2024-03-01T12:30:00Z");
    }

    @Test
    void aSignatureThatWouldOutliveTheKeyGetsAnother() {
        Instant minutes = NOW.plus(Duration.ofMinutes(30));
        Instant later = NOW.plus(Duration.ofHours(25));
        bench.wire()
                .responds(200, key(minutes.plus(Duration.ofDays(1))))
                .responds(200, key(later.plus(Duration.ofDays(1))));

        until(minutes).value();
        DelegationKey second = until(later).value();

        assertThat(bench.wire().sent()).hasSize(2);
        assertThat(second.expiresAt()).isEqualTo(later.plus(Duration.ofDays(1)));
    }

    @Test
    void aKeyLivesForSevenDaysAtMost() {
        Instant end = NOW.plus(Duration.ofDays(7));
        bench.wire().responds(200, key(end));

        until(end).value();

        assertThat(bench.wire().last().body()).contains("<Expiry>2024-03-07T12:00:00Z</Expiry>");
    }

    @Test
    void theNextSignatureAfterAFailureRequestsTheKeyAgain() {
        Instant end = NOW.plus(Duration.ofMinutes(30));
        bench.wire().responds(403, "").responds(200, key(end.plus(Duration.ofDays(1))));

        assertThat(until(end).storageError()).hasMessageContaining("userDelegationKey");
        assertThat(until(end).value().expiresAt()).isEqualTo(end.plus(Duration.ofDays(1)));
    }

    @Test
    void aKeyThatEndsTooEarlyIsAnErrorAndNotKept() {
        Instant end = NOW.plus(Duration.ofMinutes(30));
        bench.wire().responds(200, key(NOW.plus(Duration.ofMinutes(1)))).responds(200, key(end));

        assertThat(until(end).error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would outlive its user delegation key");
        assertThat(until(end).value().expiresAt()).isEqualTo(end);
    }

    @Test
    void allWhoWaitShareOneRequest() {
        Instant end = NOW.plus(Duration.ofMinutes(30));
        bench.wire().respondsAfter(Duration.ofSeconds(1), 200, key(end.plus(Duration.ofDays(1))));

        Outcome<DelegationKey> cancelled = until(end);
        Outcome<DelegationKey> first = until(end);
        Outcome<DelegationKey> second = until(end);
        cancelled.cancel();
        bench.pass(Duration.ofSeconds(2));

        assertThat(first.value()).isSameAs(second.value());
        assertThat(bench.wire().sent()).hasSize(1);
    }

    @Test
    void aResponseThatIsNoKeyIsAnErrorThatDoesNotShowIt() {
        Instant end = NOW.plus(Duration.ofMinutes(30));
        bench.wire().otherwise(200, key(end).replace("<SignedOid>o</SignedOid>", ""));

        Outcome<DelegationKey> key = until(end);
        bench.pass(Duration.ofMinutes(5));

        assertThat(key.storageError()).hasMessageContaining("no user delegation key");
        assertThat(key.storageError().toString()).doesNotContain(Bench.KEY);
    }

    @Test
    void itDoesNotShowItself() {
        bench.wire().responds(200, key(NOW.plus(Duration.ofDays(2))));

        assertThat(until(NOW.plus(Duration.ofDays(1))).value().toString())
                .startsWith("DelegationKey[until ")
                .doesNotContain(Bench.KEY);
    }
}
