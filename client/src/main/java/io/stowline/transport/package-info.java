/**
 * The settings and facts of requests that tables, queues and blobs share. {@link io.stowline.transport.ScalabilityTargets} is the
 * setting to begin with.
 *
 * <pre>{@code
 * try (Stowline storage = Stowline.builder()
 *         .connectionString(connectionString)
 *         .readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY)
 *         .rateTargets(ScalabilityTargets.everywhere().share(0.5))
 *         .build()) {
 *     storage.queue("orders", Order.class).send(order);
 * }
 * }</pre>
 *
 * <p>{@link io.stowline.transport.ScalabilityTargets} are the documented rates that a client can stay below by waiting, and
 * {@link io.stowline.transport.StorageLimits} the documented sizes and counts as constants.
 *
 * <p>{@link io.stowline.transport.ReadFrom} lets reads go to the secondary endpoint of an account after the primary, and
 * {@link io.stowline.transport.ReadOrigin} shows which of the two gave a result, and how old it may be.
 *
 */
@NullMarked
package io.stowline.transport;

import org.jspecify.annotations.NullMarked;
