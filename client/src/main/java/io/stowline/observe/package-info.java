/**
 * Observability of a client: its operations and its state, for metrics, traces and logs.
 * {@link io.stowline.observe.StowlineListener} is the entry, and {@link io.stowline.observe.MicrometerListener} the implementation for
 * Micrometer.
 *
 * <pre>{@code
 * Stowline storage = Stowline.builder()
 *         .connectionString(connectionString)
 *         .listener(MicrometerListener.of(observations, meters))
 *         .build();
 * }</pre>
 *
 * <p>An operation is one call of the application, with all of its attempts, read-backs and blocks. A listener returns an
 * {@link io.stowline.observe.OperationListener} for each, which gets every {@link io.stowline.observe.RequestEnd} and then the
 * {@link io.stowline.observe.OperationEnd}. Without a listener, which is the default, this costs nothing.
 *
 * <p>{@link io.stowline.observe.ServiceState} is the live state of one service of a client: permits, quota, breaker, buffers, consumers.
 * {@link io.stowline.observe.ConsumerEvent} reports how a delivery of a message ended, {@link io.stowline.observe.QueryPageEvent} what a page of a
 * query had and what the service scanned for it. {@link io.stowline.observe.AttemptEvent} is the end of each attempt, with what it moved and
 * how long it waited; {@link io.stowline.observe.ClientInfo} describes the client that made it.
 *
 * <p>A listener is called on callers' threads as well as on threads of I/O and timers, so its methods must not block. Micrometer is an
 * optional dependency; a listener of the application needs none.
 */
@NullMarked
package io.stowline.observe;

import org.jspecify.annotations.NullMarked;
