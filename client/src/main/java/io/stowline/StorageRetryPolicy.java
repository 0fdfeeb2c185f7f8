package io.stowline;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.Context;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.sdk.ExternalSdkRequests;
import io.stowline.transport.internal.sdk.ExternalSdkRequests.ExternalSdkSettings;
import io.stowline.transport.internal.sdk.SdkRequests;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A pipeline policy that sends the requests of an application's Azure SDK clients (of queues, blobs and tables,
 * asynchronous and blocking) as Stowline sends its own: with its back-off, its deadline, its attempt time limit and its
 * permits.
 *
 * <pre>{@code
 * StorageRetryPolicy policy = StorageRetryPolicy.builder()
 *         .retry(retry -> retry.backoff(Backoff.interactive()))
 *         .parallelism(8)
 *         .build();
 * QueueClient queue = new QueueClientBuilder()
 *         .connectionString(connectionString)
 *         .queueName("orders")
 *         .retryOptions(StorageRetryPolicy.sdkRetryOff())
 *         .addPolicy(policy)
 *         .buildClient();
 * }</pre>
 *
 * <p><b>Placing it.</b> {@code addPolicy} of any client's builder puts it where it belongs: around the SDK's own retry, date and signature,
 * so that the SDK dates and signs each attempt again, and its {@code timeout=} is signed too. The SDK's own retry must be off: one that is
 * left on repeats inside an attempt of this policy, by the SDK's own rules. A message may then be sent twice, and its waits use up the
 * attempt's time. A warning is logged when that is seen. One policy serves many clients of one account and service, which then share its
 * permits. It holds nothing that must be closed.
 *
 * <p><b>What it does.</b> Status and error code decide whether an attempt is followed by another, a hint of the service
 * is a floor for the wait, and one deadline covers all attempts of a request. An attempt ends on both sides when its
 * time is over, in blocking calls too: large uploads in one request need a longer {@link
 * RetrySettings.Builder#serverTimeout} or smaller blocks. The client gets the last response, and raises its own exception
 * from it, or the last error. Interrupting a blocked caller ends the call at once with {@link
 * io.stowline.error.StorageInterruptedException}, which some of the SDK's clients wrap; the thread's flag is set again.
 *
 * <p><b>Lost responses.</b> A caller of this policy cannot see whether a response "it exists already" results from the request's own first
 * attempt. Therefore, after an attempt that may have been carried out although its response was lost, only reads and writes that set
 * something whole and without a condition are sent again; a message, an insert, a delete, a conditional write, a transaction are not,
 * unless {@link Builder#repeatAmbiguous()} allows it. An HTTP client does not report what it has written, so that every error but a failed
 * connect counts as such.
 *
 * <p><b>Bodies.</b> A body that can be read only once is not sent again once it was consumed. The SDK's upload methods
 * make such bodies of streams and of data in memory alike; up to {@link Builder#holdBodies} they are held in memory for
 * the time of the request, so that they can be sent again.
 *
 * <p><b>End of a request.</b> When a request has ended its {@link RequestEnd} lies in the call's context under {@link #REQUEST_END},
 * where the policies around this one find them; an application gets them by {@link #observing}.
 *
 * <p>For blocking calls the policies below this one run on a separate daemon thread, so that an attempt can be cancelled; thread-locals are
 * not visible there. Immutable and thread-safe.
 */
public final class StorageRetryPolicy implements HttpPipelinePolicy {

    /** The key of the {@link RequestEnd} in the context of a call that has ended. */
    public static final String REQUEST_END = SdkRequests.REQUEST_END;

    private final ExternalSdkRequests requests;

    private StorageRetryPolicy(ExternalSdkSettings settings) {
        this.requests = ExternalSdkRequests.of(settings);
    }

    /**
     * Begins a policy with the defaults.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Switches the SDK's own retry off, by {@code retryOptions} of any client's builder. A secondary host is part of that retry, so the SDK
     * no longer uses it.
     *
     * @return options with no retry
     */
    public static RetryOptions sdkRetryOff() {
        return new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));
    }

    /**
     * Returns a context for blocking calls that gives the facts of their requests to a consumer. For asynchronous calls:
     * {@code mono.contextWrite(FluxUtil.toReactorContext(StorageRetryPolicy.observing(facts -> ...)))}.
     *
     * @param observer receives the facts of each ended request, maybe on an I/O thread, so that it must not block; what it throws is logged
     * @return a context with nothing else in it
     */
    public static Context observing(Consumer<? super RequestEnd> observer) {
        return observing(Context.NONE, observer);
    }

    /**
     * Returns the same with a context that holds other things too.
     *
     * @param context the context
     * @param observer receives the facts of each ended request, maybe on an I/O thread, so that it must not block; what it throws is logged
     * @return the context with the observer; it takes the place of an earlier one
     */
    public static Context observing(Context context, Consumer<? super RequestEnd> observer) {
        return context.addData(SdkRequests.OBSERVER, Objects.requireNonNull(observer, "observer"));
    }

    /**
     * Returns the place of this policy.
     *
     * @return around the SDK's own retry and signature
     */
    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    /**
     * Sends the attempts of an asynchronous call.
     *
     * @param context the call
     * @param next the way of each attempt
     * @return the last response or the last error
     */
    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return requests.send(context, () -> next.clone().process());
    }

    /**
     * Sends the attempts of a blocking call, on a platform or virtual thread.
     *
     * @param context the call
     * @param next the way of each attempt
     * @return the last response
     * @throws IllegalStateException on a thread that must not block, such as an event loop
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted
     */
    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        return requests.sendBlocking(context, () -> next.clone().processSync());
    }

    /** A builder that collects the settings of a policy. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_PARALLELISM = 1_000;
        private static final int MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

        private RetrySettings retry = RetrySettings.defaults();
        private int parallelism = 8;
        private boolean repeatAmbiguous;
        private int bufferedBytes = 8 * 1024 * 1024;
        private @Nullable StowlineListener listener;

        private Builder() {}

        /**
         * Changes how requests are tried. The default: 4 retries at about 2, 6, 14 and 30 s, all within 120 s, 30 s for
         * the service to respond to one attempt.
         *
         * @param settings changes the settings
         * @return this builder
         * @throws IllegalArgumentException if the delays do not fit in the deadline
         */
        public Builder retry(UnaryOperator<RetrySettings.Builder> settings) {
            this.retry = settings.apply(retry.toBuilder()).build();
            return this;
        }

        /**
         * Sets how many attempts may be in flight, over all clients that share the policy. The others wait for their turn, within their
         * deadline. A download that streams its body counts until its headers have come.
         *
         * @param parallelism 1 to 1,000; the default is 8
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int parallelism) {
            this.parallelism = between("parallelism", parallelism, 1, MAX_PARALLELISM);
            return this;
        }

        /**
         * Allows to send any request again after an attempt that may have been carried out. What is sent twice may be
         * done twice: a message is in the queue two times, a block is appended two times; or the response is about the
         * first attempt: a conflict with an entity that this very request has inserted.
         *
         * @return this builder
         */
        public Builder repeatAmbiguous() {
            this.repeatAmbiguous = true;
            return this;
        }

        /**
         * Sets up to which size a body that can be read only once is held in memory while its request runs.
         *
         * @param maxBytes 0 to 268,435,456; the default is 8,388,608, and 0 holds none
         * @return this builder
         * @throws IllegalArgumentException if the size is out of range
         */
        public Builder holdBodies(int maxBytes) {
            this.bufferedBytes = between("holdBodies", maxBytes, 0, MAX_BUFFERED_BYTES);
            return this;
        }

        /**
         * Reports the end of each attempt to a listener; see {@link StowlineListener#onAttemptEnd}. The account and the service are those
         * that the address shows.
         *
         * @param listener receives the attempts of all clients that share the policy, and nothing else
         * @return this builder
         */
        public Builder listener(StowlineListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Makes the policy.
         *
         * @return the policy
         */
        public StorageRetryPolicy build() {
            return new StorageRetryPolicy(
                    new ExternalSdkSettings(retry, parallelism, repeatAmbiguous, bufferedBytes, listener));
        }

        private static int between(String name, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
            }
            return value;
        }
    }
}
