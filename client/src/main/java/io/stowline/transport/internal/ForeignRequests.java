package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpLoggingPolicy;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.PartitionedGate;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetryQuota;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends the requests of SDK clients that have a pipeline of their own. Its timer and its threads are shared by the whole process, so
 * that nothing has to be closed. Thread-safe.
 */
public final class ForeignRequests {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignRequests.class);

    private final ForeignCalls calls;
    private final SdkRequests sdk;
    private final HeldBodies held;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Consumer<String> warning;

    ForeignRequests(ForeignSettings settings, Times times, Consumer<String> warning) {
        Limits limits = new Limits(
                PartitionedGate.of(ParallelismSettings.fixed(settings.parallelism()), times.timer()),
                RetryQuota.of(QuotaSettings.defaults().sizedFor(settings.parallelism()), times.timer()),
                Breaker.OFF,
                null);
        Attempts attempts = new Attempts(times, limits, new ServerClock(times.clock()), Sending::untold, () -> false);
        this.calls = new ForeignCalls(settings.retry(), settings.repeatAmbiguous(), null);
        this.sdk = new SdkRequests(attempts, new Bodies(new InFlight(), times.timer()));
        this.held = new HeldBodies(settings.heldBodies(), settings.retry().deadline(), times.timer());
        this.warning = warning;
    }

    /**
     * With the timer and the clock of the process.
     *
     * @param settings how they are sent
     * @return the requests
     */
    public static ForeignRequests of(ForeignSettings settings) {
        return new ForeignRequests(
                settings,
                new Times(
                        Schedulers.parallel(), () -> ThreadLocalRandom.current().nextLong(), Clock.systemUTC()),
                LOG::warn);
    }

    /**
     * Sends one request of an asynchronous client.
     *
     * @param context its call
     * @param next sends an attempt; asked again for each
     * @return the last answer or the last error
     */
    public Mono<HttpResponse> send(HttpPipelineCallContext context, Supplier<Mono<HttpResponse>> next) {
        return Mono.defer(() -> held.hold(context.getHttpRequest()).then(Mono.defer(() -> attempts(context, next))));
    }

    /**
     * Sends one request of a blocking client and waits for its end.
     *
     * @param context its call
     * @param next sends an attempt and waits for its answer; called again for each
     * @return the last answer
     * @throws IllegalStateException on a thread that must not block
     * @throws StorageInterruptedException if the waiting thread is interrupted
     */
    public HttpResponse sendBlocking(HttpPipelineCallContext context, Callable<HttpResponse> next) {
        refuse(Thread.currentThread());
        Mono<HttpResponse> answer = held.holdBlocking(context.getHttpRequest())
                .then(Mono.defer(() -> attempts(context, () -> BlockingSteps.mono(next))))
                .onErrorMap(BlockingSteps::unchecked);
        return Objects.requireNonNull(Await.on(answer), "a request ended without answer or error");
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
        return sdk.send(context, calls.call(context), next)
                .doOnNext(ended -> warnOfTheSdksRetry(context))
                .flatMap(ForeignCalls::settle)
                .map(answer -> sdk.handOver(context, answer));
    }

    private void warnOfTheSdksRetry(HttpPipelineCallContext context) {
        Object tries = context.getData(HttpLoggingPolicy.RETRY_COUNT_CONTEXT).orElse(1);
        if (tries instanceof Integer count && count > 1 && warned.compareAndSet(false, true)) {
            warning.accept(
                    "the Azure SDK's own retry is on below StorageRetryPolicy and has repeated a request by its own"
                            + " rules; switch it off with retryOptions(StorageRetryPolicy.sdkRetryOff())");
        }
    }
}
