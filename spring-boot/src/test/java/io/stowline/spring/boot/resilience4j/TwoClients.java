package io.stowline.spring.boot.resilience4j;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Accounts whose clients repeat a request twice without a wait. */
final class TwoClients extends AccountsInMemory {

    @Override
    public void customize(String account, Stowline.Builder builder) {
        super.customize(account, builder);
        builder.retry(r -> r.backoff(Backoff.fixed(Duration.ZERO)).retries(2));
    }

    /** Returns an application with both accounts. */
    ApplicationContextRunner runner() {
        return runner(StowlineResilience4jAutoConfiguration.class);
    }

    /** Has the service refuse so many requests for the load. */
    static void busy(MemoryStorage storage, int requests) {
        for (int i = 0; i < requests; i++) {
            storage.refuseNext("GET", "", 503, "ServerBusy");
        }
    }
}
