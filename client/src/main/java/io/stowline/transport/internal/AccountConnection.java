package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import io.stowline.retry.Gate;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.StorageAccount.Service;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What one client holds of an account: its connections, its timer, the threads of its callbacks and its pipelines. */
public final class AccountConnection {

    /** Answers that are still being read hold a connection, but no permit any longer (P1). */
    static final int OPEN_STREAMS = 1_000;

    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();
    private static final int CALLBACK_THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final @Nullable NettyTransport transport;
    private final Scheduler timer;
    private final @Nullable ThreadPoolExecutor ownCallbacks;
    private final Executor callbacks;
    private final Scheduler callbackScheduler;
    private final Map<Service, StoragePipeline> pipelines = new EnumMap<>(Service.class);

    private AccountConnection(
            StorageAccount account,
            int parallelism,
            RetrySettings retry,
            @Nullable Executor callbacks,
            HttpSettings http) {
        String name = account.name();
        HttpClient given = http.client();
        this.transport = given == null ? NettyTransport.of(name, connections(parallelism), Proxies.of(http)) : null;
        this.timer = Schedulers.newSingle(new NamedThreads(name, "timer"));
        if (callbacks == null) {
            ThreadPoolExecutor own = callbackThreads(name);
            this.ownCallbacks = own;
            this.callbacks = own;
        } else {
            this.ownCallbacks = null;
            this.callbacks = callbacks;
        }
        this.callbackScheduler = Schedulers.fromExecutor(this.callbacks, true);
        Times times = new Times(timer, RANDOM, Clock.systemUTC());
        Wire wire = transport == null ? Wire.silent(Objects.requireNonNull(given)) : Wire.telling(transport.client());
        for (Service service : Service.values()) {
            Authorizer authorizer = account.credential().authorizer(service);
            pipelines.put(service, new StoragePipeline(authorizer, wire, Gate.fixed(parallelism), times, retry));
        }
    }

    /** For each remote host, which may serve all services: their permits and the reserved ones of the settle class. */
    private static int connections(int parallelism) {
        return Service.values().length * (parallelism + 1) + OPEN_STREAMS;
    }

    /**
     * Prepares the connection over an HTTP client of our own; nothing is opened before the first request.
     *
     * @param account the account
     * @param parallelism how many attempts may be in flight for each service
     * @param retry how requests are tried that no operation of ours stands behind
     * @param callbacks where the user's code runs, or {@code null} for threads of our own
     * @return the connection
     */
    public static AccountConnection open(
            StorageAccount account, int parallelism, RetrySettings retry, @Nullable Executor callbacks) {
        return open(account, parallelism, retry, callbacks, HttpSettings.DEFAULT);
    }

    /**
     * Prepares the connection; nothing is opened before the first request.
     *
     * @param account the account
     * @param parallelism how many attempts may be in flight for each service
     * @param retry how requests are tried that no operation of ours stands behind
     * @param callbacks where the user's code runs, or {@code null} for threads of our own
     * @param http how requests travel
     * @return the connection
     */
    public static AccountConnection open(
            StorageAccount account,
            int parallelism,
            RetrySettings retry,
            @Nullable Executor callbacks,
            HttpSettings http) {
        return new AccountConnection(account, parallelism, retry, callbacks, http);
    }

    private static ThreadPoolExecutor callbackThreads(String account) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                CALLBACK_THREADS,
                CALLBACK_THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreads(account, "callback"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The way to one service.
     *
     * @param service the service
     * @return its pipeline
     */
    public StoragePipeline to(Service service) {
        return Objects.requireNonNull(pipelines.get(service));
    }

    /**
     * The clock and alarm of all waits.
     *
     * @return the timer
     */
    public Scheduler timer() {
        return timer;
    }

    /**
     * Where the user's code runs.
     *
     * @return the executor
     */
    public Executor callbacks() {
        return callbacks;
    }

    /**
     * The same threads as a Reactor scheduler.
     *
     * @return the scheduler
     */
    public Scheduler callbackScheduler() {
        return callbackScheduler;
    }

    /**
     * Lets what is in flight end, at most for this long, then closes connections and threads.
     *
     * @param atMost the time for all of it
     * @return the end of it
     */
    public Mono<Void> close(Duration atMost) {
        return Mono.when(pipelines.values().stream()
                        .map(StoragePipeline::drained)
                        .toList())
                .timeout(atMost, timer)
                .onErrorResume(
                        late -> Mono.fromRunnable(() -> pipelines.values().forEach(StoragePipeline::abandon)))
                .then(transport == null ? Mono.empty() : transport.close(atMost))
                .doOnTerminate(this::endThreads)
                .doOnCancel(this::endThreads);
    }

    /** Done before the end is told, so that whoever waited for it finds the threads ending. */
    private void endThreads() {
        timer.dispose();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
    }
}
