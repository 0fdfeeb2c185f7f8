/**
 * The settings and facts of requests that tables, queues and blobs share, and the policy for an application's Azure SDK clients.
 * {@link io.stowline.transport.StorageRetryPolicy} is the entry for such clients.
 *
 * <pre>{@code
 * StorageRetryPolicy policy = StorageRetryPolicy.builder()
 *         .retry(retry -> retry.backoff(Backoff.interactive()))
 *         .build();
 * QueueClient orders = new QueueClientBuilder()
 *         .connectionString(connectionString)
 *         .queueName("orders")
 *         .retryOptions(StorageRetryPolicy.sdkRetryOff())
 *         .addPolicy(policy)
 *         .buildClient();
 * }</pre>
 *
 * <p>The policy gives an SDK client the back-off, deadline, attempt time and permits of this library. It repeats a request with a lost
 * response only where doing it twice does no harm: it cannot read back a write of another client.
 *
 * <p>{@link io.stowline.transport.ReadFrom} lets reads go to the secondary endpoint of an account after the primary, and
 * {@link io.stowline.transport.ReadOrigin} shows which of the two gave a result, and how old it may be.
 *
 * <p>{@link io.stowline.transport.ScalabilityTargets} are the documented rates that a client can stay below by waiting, and
 * {@link io.stowline.transport.StorageLimits} the documented sizes and counts as constants.
 */
@NullMarked
package io.stowline.transport;

import org.jspecify.annotations.NullMarked;
