/**
 * A cache of responses with conditional requests. {@link io.stowline.caching.ResponseCache} is the entry, and
 * {@link io.stowline.caching.Freshness} decides how old a response may be.
 *
 * <pre>{@code
 * CachedTable<Setting> settings = storage.table("settings", Setting.class)
 *         .cached(Freshness.fresh(Duration.ofSeconds(30)).staleIfError(Duration.ofHours(1)));
 * CachedRead<StoredEntity<Setting>> currency = settings.find("shop", "currency");
 * log.info("{}, {} old", currency.outcome(), currency.age());
 * }</pre>
 *
 * <p>Within the freshness window a read makes no request. After it the read revalidates by the ETag, which costs no transfer while nothing
 * has changed. Many readers of one resource share one request. A {@link io.stowline.caching.CachedRead} has the value, its age and how it
 * came about.
 *
 * <p>Responses are kept in memory, and on disk if the cache has a folder. A fault of the disk costs a request and never fails a read.
 *
 * <p>A client of Stowline has one cache and invalidates it by its own writes. {@link io.stowline.caching.ConditionalGetPolicy} gives an
 * application's Azure SDK client for blobs such a cache. The module knows nothing of tables and blobs.
 */
@NullMarked
package io.stowline.caching;

import org.jspecify.annotations.NullMarked;
