/**
 * The entry of the client. {@link io.stowline.Stowline} connects to one account and gives its tables, queues and blob containers.
 *
 * <pre>{@code
 * try (Stowline storage = Stowline.builder()
 *         .connectionString(connectionString)
 *         .retry(retry -> retry.deadline(Duration.ofSeconds(20)))
 *         .build()) {
 *     storage.table("registrations", Runner.class).insert(runner);
 *     storage.queue("orders", Order.class).send(order);
 *     storage.container("photos").upload(path, "2026/start.jpg");
 * }
 * }</pre>
 *
 * <p>{@link io.stowline.Stowline#connect} takes a connection string and the defaults, {@link io.stowline.Stowline#builder()} also other
 * credentials and settings. Building a client sends nothing; a setting that cannot work is refused there, with its name, value and limit.
 *
 * <p>An application makes one client for each account and keeps it: the client has the connections, the threads, the permits and the cache
 * that all of its tables, queues and containers share. They cost nothing to make and are thread-safe. {@code close()} waits for operations
 * in flight up to the close timeout, and ends the others.
 *
 * <p>{@link io.stowline.Stowline#reactive()} gives the same account with methods that return {@code Mono} and {@code Flux}. The blocking
 * methods work on platform and virtual threads, and throw on an event loop instead of blocking it.
 *
 * <p>{@link io.stowline.StorageRetryPolicy} gives an Azure SDK client of the application the back-off, deadline, attempt time and permits
 * of this library. It repeats a request with a lost response only where doing it twice does no harm: it cannot read back a write of
 * another client.
 */
@NullMarked
package io.stowline;

import org.jspecify.annotations.NullMarked;
