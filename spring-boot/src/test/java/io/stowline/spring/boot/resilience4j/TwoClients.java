package io.stowline.spring.boot.resilience4j;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Two accounts in memory, the default one and {@code archive}, whose retries wait for nothing. */
final class TwoClients implements StowlineBuilderCustomizer {

    final MemoryStorage main = MemoryStorage.create();
    final MemoryStorage archive = MemoryStorage.create();

    private final Map<String, MemoryStorage> accounts = Map.of("stowline", main, "archive", archive);

    @Override
    public void customize(Stowline.Builder builder) {}

    @Override
    public void customize(String account, Stowline.Builder builder) {
        builder.httpClient(accounts.get(account).httpClient())
                .retry(r -> r.backoff(Backoff.fixed(Duration.ZERO)).retries(2));
    }

    /** Returns an application with both accounts. */
    ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineResilience4jAutoConfiguration.class))
                .withPropertyValues(
                        "stowline.connection-string=" + main.connectionString(),
                        "stowline.accounts.archive.connection-string=" + archive.connectionString())
                .withBean("accountsInMemory", StowlineBuilderCustomizer.class, () -> this);
    }

    /** Has the service refuse so many requests for the load. */
    static void busy(MemoryStorage storage, int requests) {
        for (int i = 0; i < requests; i++) {
            storage.refuseNext("GET", "", 503, "ServerBusy");
        }
    }
}
