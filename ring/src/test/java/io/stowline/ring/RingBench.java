package io.stowline.ring;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** A ring over accounts in memory, which are called {@code a0}, {@code a1} and so on. */
public final class RingBench implements AutoCloseable {

    private final List<MemoryStorage> accounts;
    private final StowlineRing ring;

    /** Makes a ring over this many accounts. */
    public RingBench(int accounts) {
        this(accounts, http -> http);
    }

    /** Makes a ring whose clients send by another HTTP client. */
    public RingBench(int accounts, UnaryOperator<HttpClient> http) {
        this.accounts = IntStream.range(0, accounts)
                .mapToObj(i -> MemoryStorage.create())
                .toList();
        this.ring = StowlineRing.of(r -> {
            for (int i = 0; i < accounts; i++) {
                r.account("a" + i, client(this.accounts.get(i), http), a -> a);
            }
            return r;
        });
    }

    /** Returns the settings of a client of an account in memory. */
    public static UnaryOperator<Stowline.Builder> client(MemoryStorage account, UnaryOperator<HttpClient> http) {
        return client -> client.connectionString(account.connectionString())
                .httpClient(http.apply(account.httpClient()))
                .retry(retry -> retry.retries(1).backoff(Backoff.fixed(Duration.ofMillis(1))))
                .closeTimeout(Duration.ofSeconds(5));
    }

    /**
     * Returns the settings of a client that ends with its thread: every request from one on has no response.
     *
     * @param left how many requests are left
     * @param applied whether the first one without a response was applied
     */
    static UnaryOperator<Stowline.Builder> killed(MemoryStorage account, AtomicLong left, boolean applied) {
        Thread killed = Thread.currentThread();
        return client -> client(account, http -> request -> {
                    long count = left.getAndDecrement();
                    if (count > 0) {
                        return http.send(request);
                    }
                    Mono<HttpResponse> end = Mono.<HttpResponse>never().doOnSubscribe(subscribed -> killed.interrupt());
                    return applied && count == 0 ? http.send(request).then(end) : end;
                })
                .apply(client)
                .closeTimeout(Duration.ofMillis(20));
    }

    /** Returns the ring. */
    public StowlineRing ring() {
        return ring;
    }

    /** Returns the account of a name. */
    public MemoryStorage account(String name) {
        return accounts.get(Integer.parseInt(name.substring(1)));
    }

    /** Returns all accounts. */
    public List<MemoryStorage> accounts() {
        return accounts;
    }

    /** Returns how many requests with a part of their method, path or query an account got. */
    public int requests(String name, String part) {
        return (int) account(name).requests().stream()
                .filter(request -> request.contains(part))
                .count();
    }

    @Override
    public void close() {
        ring.close();
    }
}
