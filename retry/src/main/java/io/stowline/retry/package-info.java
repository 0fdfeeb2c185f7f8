/**
 * The rules of retries: back-off, deadline, attempt time, parallelism and quota. {@link io.stowline.retry.RetrySettings} is the entry.
 *
 * <pre>{@code
 * RetrySettings settings = RetrySettings.builder()
 *         .backoff(Backoff.interactive())
 *         .retries(3)
 *         .deadline(Duration.ofSeconds(20))
 *         .build();
 * Table<Runner> patient = runners.withRetry(retry -> settings.toBuilder().deadline(Duration.ofMinutes(2)));
 * }</pre>
 *
 * <p>A {@link io.stowline.retry.Backoff} computes the delay before each retry. The deadline covers all attempts and delays of an operation;
 * a retry that does not fit into it is not started. {@link io.stowline.retry.ParallelismSettings} bound the attempts in flight, and
 * {@link io.stowline.retry.QuotaSettings} the share of retries among them.
 *
 * <p>{@link io.stowline.retry.AttemptEnd} has the facts of one attempt with the reason of its end, and
 * {@link io.stowline.retry.StopReason} gives the reason that there was no further one. Listeners and errors show both.
 *
 * <p>The module knows neither storage nor HTTP. All of its types are immutable and safe for use by many threads.
 */
@NullMarked
package io.stowline.retry;

import org.jspecify.annotations.NullMarked;
