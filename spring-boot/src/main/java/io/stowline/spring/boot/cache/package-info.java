/**
 * Spring's cache abstraction over tables: each cache is a partition, each entry a row with the JSON of its value and the time at which it expires.
 *
 * <p>{@link io.stowline.spring.boot.cache.TableCacheManager} is the entry. The properties {@code stowline.spring-cache} make one, or the application
 * does:
 *
 * <pre>{@code
 * record Price(String item, long cents) {}
 *
 * @Bean
 * TableCacheManager cacheManager(Stowline client, JsonSerializer json) {
 *     return TableCacheManager.builder(client.table("caches"), json)
 *             .cache("prices", Price.class, cache -> cache.timeToLive(Duration.ofMinutes(10)))
 *             .build();
 * }
 * }</pre>
 *
 * <p>A cache with a freshness reads through the conditional cache of its client. This room uses the public API of the client only, and the
 * serializer that the room {@code json} makes of Boot's mapper.
 */
@NullMarked
package io.stowline.spring.boot.cache;

import org.jspecify.annotations.NullMarked;
