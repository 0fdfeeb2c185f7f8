package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What one client holds of an account: its connections, its timer, the threads of its callbacks and its pipelines. */
public final class AccountConnection {

    /** Answers that are still being read hold a connection, but no permit any longer (P1). */
    static final int OPEN_STREAMS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(AccountConnection.class);
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();
    private static final int CALLBACK_THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final @Nullable NettyTransport transport;
    private final Scheduler timer;
    private final @Nullable ThreadPoolExecutor ownCallbacks;
    private final Executor callbacks;
    private final Scheduler callbackScheduler;
    private final @Nullable StowlineListener listener;
    private final Map<Service, StoragePipeline> pipelines = new EnumMap<>(Service.class);
    private final Map<Service, Reads> reads = new EnumMap<>(Service.class);
    private final List<ServiceState> states = new ArrayList<>();
    private final Map<Service, Backlog> backlogs = new EnumMap<>(Service.class);

    private AccountConnection(StorageAccount account, ClientSettings settings) {
        String name = account.name();
        HttpClient given = settings.http().client();
        int most = settings.bounds().parallelism().most();
        this.transport = given == null ? NettyTransport.of(name, connections(most), Proxies.of(settings.http())) : null;
        this.timer = Schedulers.newSingle(new NamedThreads(name, "timer"));
        this.listener = settings.listener();
        this.ownCallbacks = settings.callbacks() == null ? callbackThreads(name) : null;
        this.callbacks = Objects.requireNonNull(ownCallbacks == null ? settings.callbacks() : ownCallbacks);
        this.callbackScheduler = Schedulers.fromExecutor(this.callbacks, true);
        Wire wire = (transport == null ? Wire.silent(Objects.requireNonNull(given)) : Wire.telling(transport.client()))
                .named(UserAgent.of(settings.http().applicationId()));
        BoundsOfServices bounds = new BoundsOfServices(name, settings.bounds(), timer);
        for (Service service : Service.values()) {
            open(account, service, settings, wire, bounds.of(service));
        }
    }

    private void open(StorageAccount account, Service service, ClientSettings settings, Wire wire, Limits limits) {
        String label = BoundsOfServices.label(service);
        pipelines.put(
                service,
                new StoragePipeline(
                        account.credential().authorizer(service),
                        wire,
                        limits,
                        new Times(timer, RANDOM, Clock.systemUTC()),
                        settings.retry(),
                        new Observing(listener, timer, account.name(), label)));
        Reads primary = Reads.of(account, service, to(service));
        reads.put(service, account.endpoints().containsKey(service) ? primary.with(settings.readFrom()) : primary);
        Backlog backlog = new Backlog();
        backlogs.put(service, backlog);
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

    /** For each remote host, which may serve all services: their permits and the reserved ones of the settle class. */
    private static int connections(int parallelism) {
        return Service.values().length * (parallelism + 1) + OPEN_STREAMS;
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
        return new AccountConnection(account, settings);
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
        states.forEach(state -> tell(told -> told.closed(state)));
        timer.dispose();
        if (ownCallbacks != null) {
            ownCallbacks.shutdown();
        }
    }
}
