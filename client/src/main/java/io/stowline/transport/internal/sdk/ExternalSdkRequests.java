package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpLoggingPolicy;
import com.azure.core.util.BinaryData;
import io.stowline.error.StorageInterruptedException;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.InterruptibleTasks;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.RequestExecutor;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A sender of the requests of SDK clients with their own pipeline. Its timer and its threads are shared by the whole process, so
 * that nothing has to be closed. Thread-safe.
 */
public final class ExternalSdkRequests {

    private static final Logger LOG = LoggerFactory.getLogger(ExternalSdkRequests.class);

    /** An application has few accounts; the attempts of further ones are not reported. */
    private static final int MAX_ORIGINS = 64;

    private final ExternalSdkCalls calls;
    private final @Nullable StowlineListener listener;
    private final Function<OperationObserver, SdkRequests> maker;
    private final SdkRequests unobserved;
    private final Map<SdkOrigin, SdkRequests> observed = new ConcurrentHashMap<>();
    private final Scheduler timer;
    private final BodyBuffering buffering;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Consumer<String> warning;

    ExternalSdkRequests(ExternalSdkSettings settings, TimeSources times, Consumer<String> warning) {
        ServiceLimits limits = new ServiceLimits(
                PartitionedGate.of(ParallelismSettings.fixed(settings.parallelism()), times.timer()),
                RetryQuota.of(QuotaSettings.defaults().sizedFor(settings.parallelism()), times.timer()),
                CircuitBreakerGuard.OFF,
                null);
        this.calls = new ExternalSdkCalls(settings.retry(), settings.repeatAmbiguous(), null);
        this.timer = times.timer();
        this.listener = settings.listener();
        this.maker = observer -> new SdkRequests(
                new RequestExecutor(
                        times, limits, new ServerClock(times.clock()), WriteTracker::silent, observer, exchange -> {}),
                UnresolvedAttempts.TOLERANCE);
        this.unobserved = maker.apply(OperationObserver.none());
        this.buffering =
                new BodyBuffering(settings.bufferedBytes(), settings.retry().deadline(), times.timer());
        this.warning = warning;
    }

    /**
     * Makes a sender with the timer and the clock of the process.
     *
     * @param settings the settings of their requests
     */
    public static ExternalSdkRequests of(ExternalSdkSettings settings) {
        return new ExternalSdkRequests(
                settings,
                new TimeSources(
                        Schedulers.parallel(), () -> ThreadLocalRandom.current().nextLong(), Clock.systemUTC()),
                LOG::warn);
    }

    /**
     * Sends one request of an asynchronous client.
     *
     * @param next sends an attempt; called for each
     * @return the last response or the last error
     */
    public Mono<HttpResponse> send(HttpPipelineCallContext context, Supplier<Mono<HttpResponse>> next) {
        return Mono.defer(
                () -> buffering.hold(context.getHttpRequest()).then(Mono.defer(() -> attempts(context, next))));
    }

    /**
     * Sends one request of a blocking client and waits for its end.
     *
     * @param next sends an attempt and waits for its response; called again for each
     * @return the last response
     * @throws IllegalStateException on a thread that must not block
     * @throws StorageInterruptedException if the waiting thread is interrupted
     */
    public HttpResponse sendBlocking(HttpPipelineCallContext context, Callable<HttpResponse> next) {
        refuse(Thread.currentThread());
        Mono<HttpResponse> response = buffering
                .holdBlocking(context.getHttpRequest())
                .then(Mono.defer(() -> attempts(context, () -> InterruptibleTasks.mono(next))))
                .onErrorMap(InterruptibleTasks::unchecked);
        return Objects.requireNonNull(BlockingAwait.on(response), "a request ended without response or error");
    }

    private static void refuse(Thread caller) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("a blocking call of an Azure SDK client on the thread " + caller.getName()
                    + ", which must not block: use the SDK's asynchronous client there");
        }
        if (caller.isInterrupted()) {
            throw new StorageInterruptedException(new InterruptedException("interrupted before the request was sent"));
        }
    }

    private Mono<HttpResponse> attempts(HttpPipelineCallContext context, Supplier<Mono<HttpResponse>> next) {
        Exchange<Object> exchange = calls.exchange(context);
        SdkRequests sdk = requests(context);
        return sdk.send(context, exchange, next)
                .doOnNext(ended -> warnOfTheSdksRetry(context))
                .flatMap(ExternalSdkCalls::settle)
                .map(response -> sdk.handOver(context, exchange, response));
    }

    /** Returns the sender that reports attempts of this account and service, which have one gate in common. */
    private SdkRequests requests(HttpPipelineCallContext context) {
        StowlineListener active = listener;
        if (active == null) {
            return unobserved;
        }
        SdkOrigin origin = SdkOrigin.of(context);
        SdkRequests known = observed.get(origin);
        if (known != null || observed.size() >= MAX_ORIGINS) {
            return known == null ? unobserved : known;
        }
        return observed.computeIfAbsent(
                origin,
                made -> maker.apply(new OperationObserver(
                        active, timer, made.account(), made.service().host(), null, new InFlightRegistry())));
    }

    private void warnOfTheSdksRetry(HttpPipelineCallContext context) {
        Object tries = context.getData(HttpLoggingPolicy.RETRY_COUNT_CONTEXT).orElse(1);
        if (tries instanceof Integer count && count > 1 && warned.compareAndSet(false, true)) {
            warning.accept(
                    "the Azure SDK's own retry is on below StorageRetryPolicy and has repeated a request by its own"
                            + " rules; switch it off with retryOptions(StorageRetryPolicy.sdkRetryOff())");
        }
    }

    /**
     * The settings for the requests of an application's SDK clients.
     *
     * @param retry the retry settings of each
     * @param parallelism the attempts that may be in flight
     * @param repeatAmbiguous whether any request may be sent again after an attempt that may have been carried out
     * @param bufferedBytes the most bytes that are kept in memory of a body that can be read only once
     * @param listener receives the ends of their attempts, or {@code null} for none
     */
    public record ExternalSdkSettings(
            RetrySettings retry,
            int parallelism,
            boolean repeatAmbiguous,
            int bufferedBytes,
            @Nullable StowlineListener listener) {}

    /**
     * A buffer that makes bodies that can be read only once replayable by reading them into memory before the first attempt, up to a size. The SDK's upload
     * methods give such bodies even for data that lies in memory: they turn it into a stream that does not show that it can be read
     * again. Thread-safe.
     */
    static final class BodyBuffering {

        private final int max;
        private final Duration atMost;
        private final Scheduler timer;

        BodyBuffering(int max, Duration atMost, Scheduler timer) {
            this.max = max;
            this.atMost = atMost;
            this.timer = timer;
        }

        Mono<Void> hold(HttpRequest request) {
            BinaryData body = holdable(request);
            return body == null ? Mono.empty() : buffered(request, body.toReplayableBinaryDataAsync());
        }

        /**
         * Holds the body for a waiting caller: the SDK would read on threads that the waiting callers may all be on.
         */
        Mono<Void> holdBlocking(HttpRequest request) {
            BinaryData body = holdable(request);
            return body == null
                    ? Mono.empty()
                    : buffered(request, InterruptibleTasks.mono(body::toReplayableBinaryData));
        }

        private Mono<Void> buffered(HttpRequest request, Mono<BinaryData> read) {
            return read.timeout(atMost, timer).doOnNext(request::setBody).then();
        }

        private @Nullable BinaryData holdable(HttpRequest request) {
            BinaryData body = request.getBodyAsBinaryData();
            return body == null || body.isReplayable() || length(request, body) > max ? null : body;
        }

        /** A streamed body does not know its length, its request does. */
        private static long length(HttpRequest request, BinaryData body) {
            Long known = body.getLength();
            if (known != null) {
                return known;
            }
            String header = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
            return header == null ? Long.MAX_VALUE : Long.parseLong(header);
        }
    }
}
