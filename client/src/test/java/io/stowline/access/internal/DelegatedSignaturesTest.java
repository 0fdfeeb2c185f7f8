package io.stowline.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.access.SharedAccessSignature;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.FakeTokens;
import io.stowline.transport.internal.account.HmacSigner;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** ACCESS-2: signatures of clients with tokens of Microsoft Entra ID. */
@DisplayName("ACCESS-2: signatures by user delegation")
class DelegatedSignaturesTest {

    private static final Instant END = Bench.START.plus(Duration.ofMinutes(30));
    private static final String KEY_FIELDS =
            "&skoid=o&sktid=t&skt=2024-02-29T12%3A00%3A00Z&ske=2024-03-01T12%3A30%3A00Z" + "&sks=b&skv=2022-11-02";

    private final FakeTokens tokens = new FakeTokens().gives("token");
    private final StorageAccount account = new StorageAccount(
            "acct",
            tokens.credential(),
            Map.of(
                    Service.BLOB, URI.create("https://acct.blob.core.windows.net"),
                    Service.QUEUE, URI.create("https://acct.queue.core.windows.net"),
                    Service.TABLE, URI.create("https://acct.table.core.windows.net")));
    private final Bench bench = new Bench(account.credential());

    private SasSigner signer(Service service) {
        return new SasSigner(account, service, bench.pipeline(), RetrySettings.defaults());
    }

    private void givesKey() {
        bench.wire()
                .responds(
                        200,
                        "<UserDelegationKey><SignedOid>o</SignedOid><SignedTid>t</SignedTid>"
                                + "<SignedStart>2024-02-29T12:00:00Z</SignedStart>"
                                + "<SignedExpiry>2024-03-01T12:30:00Z</SignedExpiry><SignedService>b</SignedService>"
                                + "<SignedVersion>2022-11-02</SignedVersion><Value>" + Bench.KEY
                                + "</Value></UserDelegationKey>");
    }

    private SharedAccessSignature signed(Mono<SharedAccessSignature> signing) {
        return bench.start(signing).value();
    }

    private static String sig(String... lines) {
        return "&sig="
                + URLEncoder.encode(HmacSigner.of(Bench.KEY).sign(String.join("\n", lines)), StandardCharsets.UTF_8);
    }

    @Test
    void aBlobIsSignedByTheVersionOfTheClient() {
        givesKey();

        SharedAccessSignature signature = signed(DefaultBlobSasBuilder.of(
                        signer(Service.BLOB),
                        "photos/a.jpg",
                        URI.create("https://acct.blob.core.windows.net/photos/a.jpg"),
                        UnaryOperator.identity())
                .canRead()
                .sign());

        assertThat(signature.token())
                .isEqualTo("sp=r&spr=https&se=2024-02-29T12%3A30%3A00Z&sr=b&sv=2022-11-02" + KEY_FIELDS
                        + sig(
                                "r",
                                "",
                                END.toString(),
                                "/blob/acct/photos/a.jpg",
                                "o",
                                "t",
                                "2024-02-29T12:00:00Z",
                                "2024-03-01T12:30:00Z",
                                "b",
                                "2022-11-02",
                                "",
                                "",
                                "",
                                "",
                                "https",
                                "2022-11-02",
                                "b",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                ""));
        assertThat(bench.wire().last().header("Authorization")).isEqualTo("Bearer token");
    }

    @Test
    void aQueueIsSignedByTheFirstVersionThatTakesIt() {
        givesKey();

        SharedAccessSignature signature = signed(new DefaultQueueSasBuilder<>(
                        signer(Service.QUEUE), "orders", UnaryOperator.<Mono<SharedAccessSignature>>identity())
                .canSend()
                .sign());

        assertThat(signature.token())
                .isEqualTo("sp=a&spr=https&se=2024-02-29T12%3A30%3A00Z&sv=2026-02-06" + KEY_FIELDS
                        + sig(
                                "a",
                                "",
                                END.toString(),
                                "/queue/acct/orders",
                                "o",
                                "t",
                                "2024-02-29T12:00:00Z",
                                "2024-03-01T12:30:00Z",
                                "b",
                                "2022-11-02",
                                "",
                                "",
                                "",
                                "https",
                                "2026-02-06"));
        assertThat(bench.wire().last().url()).startsWith("https://acct.queue.core.windows.net/?restype=service");
    }

    @Test
    void aTableIsSignedWithItsRangeOfKeys() {
        givesKey();

        SharedAccessSignature signature = signed(new DefaultTableSasBuilder<>(
                        signer(Service.TABLE), "Runners", UnaryOperator.<Mono<SharedAccessSignature>>identity())
                .canQuery()
                .partition("2026")
                .sign());

        assertThat(signature.token())
                .isEqualTo("tn=Runners&sp=r&spk=2026&epk=2026&spr=https&se=2024-02-29T12%3A30%3A00Z&sv=2026-02-06"
                        + KEY_FIELDS
                        + sig(
                                "r",
                                "",
                                END.toString(),
                                "/table/acct/runners",
                                "o",
                                "t",
                                "2024-02-29T12:00:00Z",
                                "2024-03-01T12:30:00Z",
                                "b",
                                "2022-11-02",
                                "",
                                "",
                                "",
                                "https",
                                "2026-02-06",
                                "2026",
                                "",
                                "2026",
                                ""));
    }

    @Test
    void whatDelegationCannotSignIsRefusedBeforeARequest() {
        DefaultQueueSasBuilder<Mono<SharedAccessSignature>> week =
                new DefaultQueueSasBuilder<>(signer(Service.QUEUE), "orders", UnaryOperator.identity());
        Outcome<SharedAccessSignature> tooLong = bench.start(
                week.canSend().validFor(Duration.ofDays(7).plusSeconds(1)).sign());
        DefaultQueueSasBuilder<Mono<SharedAccessSignature>> stored =
                new DefaultQueueSasBuilder<>(signer(Service.QUEUE), "orders", UnaryOperator.identity());
        Outcome<SharedAccessSignature> policy =
                bench.start(stored.byPolicy("senders").sign());

        assertThat(tooLong.error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a signature by user delegation is good for at most 7 days");
        assertThat(policy.error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("byPolicy takes the account key");
        assertThat(bench.wire().sent()).isEmpty();
    }

    @Test
    void anAccountsSignatureTakesTheKey() {
        assertThatThrownBy(() -> new DefaultAccountSasBuilder<>(signer(Service.BLOB), Mono::block)
                        .blobs()
                        .objects()
                        .canRead()
                        .sign())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the account's signature takes its key");
    }
}
