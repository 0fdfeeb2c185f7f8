package io.stowline.transport.internal.client;

import com.azure.core.util.CoreUtils;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.observe.ClientInfo;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.ListenerCalls;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.netty.NettyTransport;
import io.stowline.transport.internal.netty.UserAgent;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.observe.PipelineState;
import io.stowline.transport.internal.observe.PipelineState.ConsumerGauges;
import io.stowline.transport.internal.observe.PipelineState.WriterBacklog;
import io.stowline.transport.internal.pipeline.ReadPreference;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.sdk.SdkCalls;
import io.stowline.transport.internal.thread.NamedThreads;
import io.stowline.transport.internal.thread.WaitingThreads;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The runtime of one client: its connections, its timer, the threads of its callbacks and its pipelines. */
public final class ClientRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(ClientRuntime.class);
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();
    /** Responses that are still being read keep a connection, but have given back their permit (PERMIT-1). */
    private static final int OPEN_STREAMS = 1_000;

    private static final Duration MIN_FOR_THREADS = Duration.ofSeconds(1);

    private final String account;
    private final @Nullable NettyTransport transport;
    private final Scheduler timer;
    private final @Nullable CallbackThreads ownCallbacks;
    private final Executor callbacks;
    private final Callbacks delivery;
    private final Executor work;
    private final ClientCache cache;
    private final @Nullable StowlineListener listener;
    private final Map<Service, StoragePipeline> pipelines = new EnumMap<>(Service.class);
    private final Map<Service, ReadPreference> reads = new EnumMap<>(Service.class);
    private final Map<Service, ServiceState> states = new EnumMap<>(Service.class);
    private final Set<Service> used = EnumSet.noneOf(Service.class);
    private boolean ended;
    private final Map<Service, WriterBacklog> backlogs = new EnumMap<>(Service.class);
    private final ConsumerGauges consumers = new ConsumerGauges();
    private final ConsumerGauges relays = new ConsumerGauges();

    public ClientRuntime(
            StorageAccount account, ClientSettings settings, HttpWire wire, TimeSources times, Executor work) {
        String name = account.name();
        this.account = name;
        this.transport = wire.transport();
        this.timer = times.timer();
        this.cache = new ClientCache(account.credential(), () -> cache(settings.cache()), timer);
        this.listener = settings.listener();
        this.ownCallbacks = settings.callbacks() == null ? CallbackThreads.of(name, ClientRuntime::later) : null;
        this.callbacks = Objects.requireNonNull(ownCallbacks == null ? settings.callbacks() : ownCallbacks);
        this.work = work;
        this.delivery = Callbacks.on(this::runCallback, work);
        ServiceLimitsFactory bounds = new ServiceLimitsFactory(name, settings.bounds(), timer);
        InFlightRegistry inFlight = new InFlightRegistry(name);
        for (Service service : Service.values()) {
            ServiceLimits limits = bounds.of(service);
            OperationObserver observer = OperationObserver.of(account, service, listener, timer, inFlight);
            pipelines.put(
                    service,
                    new StoragePipeline(
                            account.credential().authorizer(service),
                            wire,
                            limits,
                            times,
                            new PipelineSettings(
                                    service,
                                    settings.retry(),
                                    observer,
                                    cache::ended,
                                    settings.clockTolerance(),
                                    settings.version())));
            open(account, service, settings, limits, wire);
        }
    }

    private CacheEngine cache(@Nullable UnaryOperator<ResponseCache.Builder> settings) {
        ResponseCache.Builder builder = ResponseCache.builder();
        ResponseCache made = (settings == null ? builder : settings.apply(builder)).build();
        notifyListener(listener -> listener.onCacheOpened(account, made));
        return CacheEngine.of(made);
    }

    private void open(
            StorageAccount account, Service service, ClientSettings settings, ServiceLimits limits, HttpWire wire) {
        ReadPreference primary = ReadPreference.of(account, service, to(service));
        reads.put(service, account.endpoints().containsKey(service) ? primary.with(settings.readFrom()) : primary);
        WriterBacklog backlog = new WriterBacklog();
        backlogs.put(service, backlog);
        String label = ServiceLimitsFactory.label(service);
        boolean queues = service == Service.QUEUE;
        ConsumerGauges none = new ConsumerGauges();
        states.put(
                service,
                new PipelineState(
                        account.name(),
                        label,
                        limits,
                        backlog,
                        queues ? consumers : none,
                        queues ? relays : none,
                        () -> info(settings, limits, wire),
                        to(service)::clockSkew));
    }

    private ClientInfo info(ClientSettings settings, ServiceLimits limits, HttpWire wire) {
        String azureCore = CoreUtils.getProperties("azure-core.properties").get("version");
        return new ClientInfo(
                UserAgent.version(),
                Objects.requireNonNullElse(azureCore, ""),
                settings.version().date(),
                settings.retry(),
                settings.bounds().parallelism().max(),
                wire.transport() == null ? null : wire.transport().connections(),
                cache.isOpen(),
                limits.rates() != null,
                settings.bounds().quota() != null);
    }

    /**
     * Returns the gauges of the queue consumers.
     *
     * @return the gauges
     */
    public ConsumerGauges consumers() {
        return consumers;
    }

    /**
     * Returns the gauges of the relays of the outbox.
     *
     * @return the gauges
     */
    public ConsumerGauges relays() {
        return relays;
    }

    /**
     * Reports the end of a delivery to the listener.
     *
     * @param event makes the event, given the account's name
     */
    public void delivered(Function<String, ConsumerEvent> event) {
        notifyListener(listener -> listener.onConsumerEvent(event.apply(account)));
    }

    /**
     * Reports a service to the listener, once: one that is never used is not reported.
     *
     * @param service the service, of which the application has a table, a queue or a container now
     */
    public void use(Service service) {
        synchronized (used) {
            if (ended || !used.add(service)) {
                return;
            }
            notifyListener(listener -> listener.onServiceOpened(Objects.requireNonNull(states.get(service))));
        }
    }

    /**
     * Returns the backlog of the writers to a service.
     *
     * @return the backlog
     */
    public WriterBacklog backlog(Service service) {
        return Objects.requireNonNull(backlogs.get(service));
    }

    /** An end is always delivered: on other threads when these take no more tasks, such as after closing. */
    private void runCallback(Runnable end) {
        try {
            callbacks.execute(end);
        } catch (RejectedExecutionException refused) {
            later(end);
        }
    }

    private static void later(Runnable end) {
        WaitingThreads.SHARED.schedule(end);
    }

    private void notifyListener(Consumer<StowlineListener> event) {
        StowlineListener active = listener;
        if (active == null) {
            return;
        }
        try {
            ListenerCalls.run(() -> event.accept(active));
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /**
     * Prepares the connection; nothing is opened before the first request.
     *
     * @param settings how the client works
     * @throws IllegalArgumentException if reads are to go where the account has nothing
     */
    public static ClientRuntime open(StorageAccount account, ClientSettings settings) {
        ReadPreference.check(settings.readFrom(), account);
        Scheduler timer = Schedulers.newSingle(new NamedThreads(account.name(), "timer").nonBlocking());
        HttpWire wire = HttpWire.of(account.name(), settings.http(), connections(settings));
        ClientRuntime runtime = new ClientRuntime(
                account,
                settings,
                wire,
                new TimeSources(timer, RANDOM, Clock.systemUTC()),
                threadsOnDemand(account.name()));
        if (settings.cache() != null) {
            runtime.openCache(wire);
        }
        return runtime;
    }

    /**
     * The bound for each remote host, which may serve all services: their permits, the reserved ones of the settle
     * class and the silent ones.
     */
    private static int connections(ClientSettings settings) {
        ParallelismSettings permits = settings.bounds().parallelism();
        return Service.values().length * (permits.max() + 1 + Gate.maxSilent(permits)) + OPEN_STREAMS;
    }

    private void openCache(HttpWire wire) {
        try {
            cache.open();
        } catch (RuntimeException e) {
            wire.close();
            endThreads();
            throw e;
        }
    }

    private static ThreadPoolExecutor threadsOnDemand(String account) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new NamedThreads(account, "work"));
    }

    /** Returns the pipeline of one service. */
    public StoragePipeline to(Service service) {
        return Objects.requireNonNull(pipelines.get(service));
    }

    /** Returns the read preference of one service, unless a view has another. */
    public ReadPreference reads(Service service) {
        return Objects.requireNonNull(reads.get(service));
    }

    /**
     * Returns the operations of one service for the clients of the Azure SDK.
     *
     * @return its calls, with the reads of {@link #reads}
     */
    public SdkCalls sdk(Service service, RetrySettings retry) {
        return SdkCalls.of(to(service), ViewSettings.of(retry, reads(service)));
    }

    /**
     * Returns the cache of reads.
     *
     * @return the cache; one that the application has not set up is made when it is first needed
     */
    public ClientCache cache() {
        return cache;
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return timer;
    }

    /** Returns the executor of the user's code. */
    public Executor callbacks() {
        return callbacks;
    }

    /**
     * Returns the callbacks that deliver results to the user's code.
     *
     * @return the same threads, and others where a callback waits
     */
    public Callbacks delivery() {
        return delivery;
    }

    /**
     * Returns the executor for work that waits for a disk: threads that no callback keeps.
     *
     * @return the executor, which refuses after closing
     */
    public Executor work() {
        return work;
    }

    /**
     * Lets what is in flight end, at most for this long, then closes connections and threads.
     *
     * @param atMost the time for all of it
     */
    public Mono<Void> close(Duration atMost) {
        Deadline end = Deadline.in(atMost, timer);
        return Mono.when(pipelines.values().stream()
                        .map(StoragePipeline::drained)
                        .toList())
                .timeout(atMost, timer)
                .onErrorResume(late -> Mono.fromRunnable(this::abandon))
                .then(Mono.<Void>fromRunnable(this::closeCache).subscribeOn(WaitingThreads.SHARED))
                .then(
                        transport == null
                                ? Mono.empty()
                                : Mono.defer(() -> transport.close(forThreads(end.remaining(), atMost))))
                .doOnTerminate(this::endThreads)
                .doOnCancel(this::endThreads);
    }

    /** I/O threads that no callback keeps end at once, also where operations have taken all the time. */
    private static Duration forThreads(Duration left, Duration atMost) {
        Duration min = atMost.compareTo(MIN_FOR_THREADS) < 0 ? atMost : MIN_FOR_THREADS;
        return left.compareTo(min) < 0 ? min : left;
    }

    private void abandon() {
        long operations =
                pipelines.values().stream().mapToLong(StoragePipeline::abandon).sum();
        if (operations > 0) {
            LOG.warn(
                    "the client of account '{}' is closed at its closeTimeout: {} operations are abandoned, and those"
                            + " that were sent may have been carried out",
                    account,
                    operations);
        }
    }

    private void closeCache() {
        cache.close(made -> notifyListener(listener -> listener.onCacheClosed(account, made)));
    }

    /** Runs before the end is signalled, so that a caller that waited for it finds the threads ending. */
    private void endThreads() {
        synchronized (used) {
            ended = true;
            used.forEach(service ->
                    notifyListener(listener -> listener.onServiceClosed(Objects.requireNonNull(states.get(service)))));
        }
        closeCache();
        timer.dispose();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
        if (work instanceof ExecutorService own) {
            own.shutdown();
        }
    }
}
