package io.stowline.spring.boot.ring;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.ring.RingAccount;
import io.stowline.ring.StowlineRing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An indicator that shows whether all accounts of a ring respond. One read for each account, all at the same time, without retries and within their
 * time, checks whether its table {@code stowlinering} exists; the account is up whether or not it does. An account without tables is read by a
 * queue of that name, one without queues by a container. The indicators of the clients write the log.
 */
final class StowlineRingHealthIndicator extends AbstractHealthIndicator {

    private static final String READ = "stowlinering";
    private static final String STATUS = "status";
    private static final String DOWN = Status.DOWN.getCode();

    private final StowlineRing ring;
    private final UnaryOperator<RetrySettings.Builder> once;

    StowlineRingHealthIndicator(StowlineRing ring, Duration timeout) {
        super("The health of the ring is not known");
        this.ring = ring;
        this.once = retry -> retry.backoff(Backoff.none()).retries(0).deadline(timeout);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        List<RingAccount> accounts = ring.accounts();
        List<Map<String, Object>> details = Objects.requireNonNull(Flux.fromIterable(accounts)
                .flatMapSequential(this::details, accounts.size())
                .collectList()
                .block());
        builder.up();
        for (int i = 0; i < accounts.size(); i++) {
            builder.withDetail(accounts.get(i).name(), details.get(i));
            if (DOWN.equals(details.get(i).get(STATUS))) {
                builder.down();
            }
        }
    }

    private Mono<Map<String, Object>> details(RingAccount account) {
        Stowline client = ring.client(account.name());
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("account", client.accountName());
        details.put("region", account.region());
        details.put("weight", account.weight());
        details.put("membership", account.membership().name().toLowerCase(Locale.ROOT));
        long start = System.nanoTime();
        return exists(client)
                .doOnNext(exists -> {
                    details.put(STATUS, Status.UP.getCode());
                    details.put("latency", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
                })
                .thenReturn(details)
                .onErrorResume(failure -> {
                    details.put(STATUS, DOWN);
                    details.put("error", failure.getClass().getName() + ": " + failure.getMessage());
                    return Mono.just(details);
                });
    }

    private Mono<Boolean> exists(Stowline client) {
        Set<String> services = client.endpoints().keySet();
        ReactiveStowline reactive = client.reactive();
        if (services.contains("table")) {
            return reactive.table(READ).withRetry(once).exists();
        }
        return services.contains("queue")
                ? reactive.queue(READ).withRetry(once).exists()
                : reactive.container(READ).withRetry(once).exists();
    }
}
