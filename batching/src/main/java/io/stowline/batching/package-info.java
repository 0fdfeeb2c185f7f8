/**
 * The vocabulary of writers that turn many operations into few requests. {@link io.stowline.batching.BatcherSettings} is the entry, and a
 * {@link io.stowline.batching.Submission} is an accepted operation.
 *
 * <pre>{@code
 * try (TableWriter<Runner> patient = runners.writer(settings -> settings.deliveryTimeout(Duration.ofMinutes(10)))) {
 *     Submission<EntityWriteResult> accepted = patient.insertOrReplace(runner);
 *     FlushReport report = patient.flush();
 *     log.info("{} completed, {} failed", report.completed(), report.failed());
 * }
 * }</pre>
 *
 * <p>An operation is refused with an exception or accepted, and an accepted one gets exactly one result. What a writer has accepted is
 * bounded by items and bytes; beyond that a method waits, and then throws {@link io.stowline.batching.BufferFullException}.
 *
 * <p>An operation that was not delivered in time fails with {@link io.stowline.batching.DeliveryTimeoutException}, one behind a failed
 * operation on its entity with {@link io.stowline.batching.PredecessorFailedException}. Failures that no caller took are thrown by
 * {@code close()} as {@link io.stowline.batching.UncollectedFailuresException}.
 *
 * <p>The engine behind these types is internal, and {@code stowline-client} alone builds it.
 */
@NullMarked
package io.stowline.batching;

import org.jspecify.annotations.NullMarked;
