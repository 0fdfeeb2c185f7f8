package io.stowline.transport.internal;

import io.stowline.caching.ResponseCache;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.transport.internal.StorageAccount.Service;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What one client holds of an account: its connections, its timer, the threads of its callbacks and its pipelines. */
public final class AccountConnection {

    private static final Logger LOG = LoggerFactory.getLogger(AccountConnection.class);
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();
    private static final int CALLBACK_THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final String account;
    private final @Nullable NettyTransport transport;
    private final Scheduler timer;
    private final @Nullable ThreadPoolExecutor ownCallbacks;
    private final Executor callbacks;
    private final AccountCache cache;
    private final Scheduler callbackScheduler;
    private final @Nullable StowlineListener listener;
    private final Map<Service, StoragePipeline> pipelines = new EnumMap<>(Service.class);
    private final Map<Service, Reads> reads = new EnumMap<>(Service.class);
    private final List<ServiceState> states = new ArrayList<>();
    private final Map<Service, Backlog> backlogs = new EnumMap<>(Service.class);

    AccountConnection(StorageAccount account, ClientSettings settings, Link link, Times times) {
        String name = account.name();
        this.account = name;
        this.transport = link.transport();
        this.timer = times.timer();
        this.cache = new AccountCache(account.credential(), () -> cache(settings.cache()), timer);
        this.listener = settings.listener();
        this.ownCallbacks = settings.callbacks() == null ? callbackThreads(name) : null;
        this.callbacks = Objects.requireNonNull(ownCallbacks == null ? settings.callbacks() : ownCallbacks);
        this.callbackScheduler = Schedulers.fromExecutor(this::tellOn, true);
        BoundsOfServices bounds = new BoundsOfServices(name, settings.bounds(), timer);
        for (Service service : Service.values()) {
            Limits limits = bounds.of(service);
            Observing observing = new Observing(listener, timer, name, BoundsOfServices.label(service));
            pipelines.put(
                    service,
                    new StoragePipeline(
                            account.credential().authorizer(service),
                            link.wire(),
                            limits,
                            times,
                            new PipelineSettings(
                                    service, settings.retry(), observing, cache::ended, settings.clockTolerance())));
            open(account, service, settings, limits);
        }
    }

    private ResponseCache cache(@Nullable UnaryOperator<ResponseCache.Builder> settings) {
        ResponseCache.Builder builder = ResponseCache.builder();
        ResponseCache made = (settings == null ? builder : settings.apply(builder)).build();
        tell(told -> told.cacheOpened(account, made));
        return made;
    }

    private void open(StorageAccount account, Service service, ClientSettings settings, Limits limits) {
        Reads primary = Reads.of(account, service, to(service));
        reads.put(service, account.endpoints().containsKey(service) ? primary.with(settings.readFrom()) : primary);
        Backlog backlog = new Backlog();
        backlogs.put(service, backlog);
        String label = BoundsOfServices.label(service);
        PipelineState state = new PipelineState(account.name(), label, limits, backlog);
        states.add(state);
        tell(told -> told.opened(state));
    }

    /**
     * What the writers to a service hold.
     *
     * @param service the service
     * @return what tells it
     */
    public Backlog backlog(Service service) {
        return Objects.requireNonNull(backlogs.get(service));
    }

    /** An end is always told: on other threads when these take nothing more, such as after closing. */
    private void tellOn(Runnable end) {
        try {
            callbacks.execute(end);
        } catch (RejectedExecutionException refused) {
            Schedulers.boundedElastic().schedule(end);
        }
    }

    private void tell(Consumer<StowlineListener> event) {
        if (listener == null) {
            return;
        }
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /**
     * Prepares the connection; nothing is opened before the first request.
     *
     * @param account the account
     * @param settings how the client works
     * @return the connection
     * @throws IllegalArgumentException if reads are to go where the account has nothing
     */
    public static AccountConnection open(StorageAccount account, ClientSettings settings) {
        Reads.check(settings.readFrom(), account);
        Scheduler timer = Schedulers.newSingle(new NamedThreads(account.name(), "timer").nonBlocking());
        Link link = Link.of(account, settings);
        AccountConnection connection =
                new AccountConnection(account, settings, link, new Times(timer, RANDOM, Clock.systemUTC()));
        if (settings.cache() != null) {
            connection.openCache(link);
        }
        return connection;
    }

    private void openCache(Link link) {
        try {
            cache.open();
        } catch (RuntimeException e) {
            link.close();
            endThreads();
            throw e;
        }
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
     * Where the reads of one service go unless a view says otherwise.
     *
     * @param service the service
     * @return its reads
     */
    public Reads reads(Service service) {
        return Objects.requireNonNull(reads.get(service));
    }

    /**
     * The way to one service for the clients of the Azure SDK.
     *
     * @param service the service
     * @return its calls, with the reads of {@link #reads}
     */
    public SdkCalls sdk(Service service) {
        return to(service).sdk().reading(reads(service));
    }

    /**
     * What is kept of what was read.
     *
     * @return the cache; one that nobody has set up is made when it is first needed
     */
    public AccountCache cache() {
        return cache;
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
                .then(Mono.<Void>fromRunnable(this::closeCache).subscribeOn(Schedulers.boundedElastic()))
                .then(transport == null ? Mono.empty() : transport.close(atMost))
                .doOnTerminate(this::endThreads)
                .doOnCancel(this::endThreads);
    }

    private void closeCache() {
        cache.close(made -> tell(told -> told.cacheClosed(account, made)));
    }

    /** Done before the end is told, so that whoever waited for it finds the threads ending. */
    private void endThreads() {
        states.forEach(state -> tell(told -> told.closed(state)));
        closeCache();
        timer.dispose();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
    }
}
