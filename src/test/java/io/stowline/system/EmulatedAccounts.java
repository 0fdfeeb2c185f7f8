package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.ring.StowlineRing;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StrictMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Accounts of one emulator behind a strict proxy: {@code ringaccount0} and so on, which a ring calls {@code a0}. */
final class EmulatedAccounts implements AutoCloseable {

    private static final String KEY = "cmluZy1hY2NvdW50LWtleQ==";
    private static final String NAME = "ringaccount";

    private final StrictMode strict = StrictMode.on();
    private final int number;
    private final Azurite azurite;
    private final FaultProxy proxy;

    EmulatedAccounts(int number) {
        this.number = number;
        Azurite.Builder builder = Azurite.builder();
        for (int i = 0; i < number; i++) {
            builder.account(NAME + i, KEY);
        }
        azurite = builder.start();
        proxy = FaultProxy.builder().inFrontOf(azurite).strict(strict).start();
    }

    FaultProxy proxy() {
        return proxy;
    }

    /** Returns the requests to an account, without those for the description of the ring, which come at any time. */
    static RequestMatch to(String account) {
        return RequestMatch.requests()
                .when(
                        "to " + account,
                        request -> request.target().contains("/" + emulated(account))
                                && !request.target().contains("stowlinering"));
    }

    private static String emulated(String account) {
        return NAME + account.substring(1);
    }

    /** Returns the names of the accounts in a ring. */
    List<String> names() {
        return IntStream.range(0, number).mapToObj(i -> "a" + i).toList();
    }

    /** Returns the connection string of an account through the proxy. */
    String connectionString(String account) {
        String through = proxy.storage().connectionString();
        return through.replaceAll("AccountName=[^;]+", "AccountName=" + emulated(account))
                .replaceAll("AccountKey=[^;]+", "AccountKey=" + KEY)
                .replace("/devstoreaccount1", "/" + emulated(account));
    }

    /** Returns the settings of a client of an account. */
    UnaryOperator<Stowline.Builder> client(String account) {
        return client -> client.connectionString(connectionString(account))
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .closeTimeout(Duration.ofSeconds(20));
    }

    /** Returns a ring of these accounts. */
    StowlineRing ring(String... accounts) {
        return StowlineRing.of(r -> {
            for (String account : accounts) {
                r.account(account, client(account), a -> a);
            }
            return r;
        });
    }

    /** Returns the times that the proxy refused a request that Azure refuses. */
    Map<?, Long> refusals() {
        return strict.refusals();
    }

    @Override
    public void close() {
        proxy.close();
        azurite.close();
    }
}
