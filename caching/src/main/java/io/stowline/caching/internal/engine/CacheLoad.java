package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.entry.CacheHit;
import io.stowline.caching.internal.entry.CacheTiers;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.HeaderMap;
import io.stowline.caching.internal.entry.InvalidationLog;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.entry.MemoryBody;
import io.stowline.caching.internal.entry.OneTimeBody;
import io.stowline.caching.internal.entry.SignalledErrors;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One request to the service under the conditions of the cached version, and the storing of its response. */
final class CacheLoad {

    /** The bytes that the transport discards by reading them; for more it is cheaper to drop the connection. */
    private static final long WORTH_READING = 64 * 1024;

    private final CacheRead read;
    private final @Nullable CacheHit hit;
    private final boolean once;
    private final SharedLoad flight;
    private final InvalidationStamp stamp;
    private final CacheTiers tiers;
    private final boolean written;
    private final Conditions conditions;

    CacheLoad(
            CacheRead read,
            @Nullable CacheHit hit,
            boolean once,
            SharedLoad flight,
            CacheTiers tiers,
            InvalidationLog stamps) {
        this.read = read;
        this.hit = hit;
        this.once = once;
        this.flight = flight;
        this.stamp = flight.stamp();
        this.tiers = tiers;
        this.written =
                hit != null && !stamps.hold(read.key().resource(), hit.head().stamp(), stamp.begun());
        this.conditions = hit == null ? Conditions.NONE : hit.head().conditions(written);
    }

    Mono<LoadCompletion> run() {
        return requested(conditions, this::settle)
                .doOnDiscard(Loader.LoadResult.Found.class, CacheLoad::discard)
                .doFinally(end -> {
                    if (hit != null) {
                        hit.release();
                    }
                });
    }

    /**
     * The thread that carries the response begins its processing: it would be the only one to see an error of the body.
     */
    private Mono<LoadCompletion> requested(Conditions under, Function<Loader.LoadResult, Mono<LoadCompletion>> settle) {
        Loader loader = read.loader();
        return new SignalledErrors<>(() -> once ? loader.loadOnce(under) : loader.load(under))
                .map(this::received)
                .flatMap(loaded -> new SignalledErrors<>(() -> settle.apply(loaded)));
    }

    /** Each part that comes restarts the waits of the readers. */
    private Loader.LoadResult received(Loader.LoadResult loaded) {
        notifyReaders();
        return loaded instanceof Loader.LoadResult.Found found
                ? new Loader.LoadResult.Found(
                        found.status(),
                        found.headers(),
                        found.length(),
                        found.body().doOnNext(buffer -> notifyReaders()),
                        found.kept())
                : loaded;
    }

    private void notifyReaders() {
        flight.received(tiers.now());
    }

    /** Returns a request whose response is not cached. */
    static Mono<LoadCompletion> past(Loader loader, InvalidationStamp stamp, CacheOutcome outcome) {
        return new SignalledErrors<>(() -> loader.load(Conditions.NONE)).map(loaded -> {
            if (loaded instanceof Loader.LoadResult.Found found) {
                EntryHead head = EntryHead.of(found.status(), found.headers(), stamp);
                return LoadCompletion.of(outcome, head, OneTimeBody.transfer(found.length(), found.body()));
            }
            if (loaded instanceof Loader.LoadResult.Absent absent) {
                return LoadCompletion.of(
                        outcome, EntryHead.of(absent.status(), absent.headers(), stamp), MemoryBody.of(absent.body()));
            }
            throw unrequested();
        });
    }

    private Mono<LoadCompletion> settle(Loader.LoadResult loaded) {
        if (loaded instanceof Loader.LoadResult.NotModified same) {
            return notModified(same);
        }
        if (loaded instanceof Loader.LoadResult.Found found) {
            CacheHit before = hit;
            return before != null && isSame(before.head(), found) ? sameVersion(before, found) : found(found);
        }
        return absent((Loader.LoadResult.Absent) loaded);
    }

    private Mono<LoadCompletion> notModified(Loader.LoadResult.NotModified same) {
        CacheHit before = hit;
        if (before == null || !conditions.any()) {
            return Mono.error(unrequested());
        }
        return same.kept()
                ? revalidated(before, before.head().renewed(same.headers(), stamp))
                : unchangedElsewhere(before);
    }

    static IllegalStateException unrequested() {
        return new IllegalStateException("the load reported not modified, but its request had no condition");
    }

    /** An ETag names a version: a body that is cached need not come again. */
    private static boolean isSame(EntryHead before, Loader.LoadResult.Found found) {
        String etag = before.etag();
        return !before.absent()
                && etag != null
                && etag.equals(HeaderMap.of(found.headers()).get("ETag"));
    }

    private Mono<LoadCompletion> sameVersion(CacheHit before, Loader.LoadResult.Found found) {
        discard(found);
        return found.kept()
                ? revalidated(before, EntryHead.of(found.status(), found.headers(), stamp))
                : unchangedElsewhere(before);
    }

    /** A secondary endpoint has the cached version. */
    private Mono<LoadCompletion> unchangedElsewhere(CacheHit before) {
        return written
                ? requested(Conditions.NONE, this::settleUnrequested)
                : Mono.just(LoadCompletion.of(CacheOutcome.STALE, before.head(), before.passOn()));
    }

    private Mono<LoadCompletion> settleUnrequested(Loader.LoadResult loaded) {
        if (loaded instanceof Loader.LoadResult.NotModified) {
            return Mono.error(unrequested());
        }
        return loaded instanceof Loader.LoadResult.Found found
                ? found(found)
                : absent((Loader.LoadResult.Absent) loaded);
    }

    static void discard(Loader.LoadResult.Found found) {
        if (found.length() >= 0 && found.length() <= WORTH_READING) {
            found.body().subscribe(buffer -> {}, failure -> {});
        } else {
            OneTimeBody.transfer(found.length(), found.body()).close();
        }
    }

    private Mono<LoadCompletion> revalidated(CacheHit before, EntryHead head) {
        CachedBody body = before.passOn();
        LoadCompletion landing = LoadCompletion.of(CacheOutcome.REVALIDATED, head, body);
        return tiers.renew(key(), head, body)
                .thenReturn(body.shared() ? landing : landing.shelved())
                .doOnCancel(body::close);
    }

    private Mono<LoadCompletion> found(Loader.LoadResult.Found found) {
        EntryHead head = EntryHead.of(found.status(), found.headers(), stamp);
        BodyIntake intake = new BodyIntake(key(), head, outcome(), tiers);
        return found.kept() && head.hasValidator() ? intake.keep(found) : intake.handThrough(found);
    }

    private Mono<LoadCompletion> absent(Loader.LoadResult.Absent absent) {
        EntryHead head = EntryHead.of(absent.status(), absent.headers(), stamp);
        MemoryBody body = MemoryBody.of(absent.body());
        return change(absent, head, body).thenReturn(LoadCompletion.of(outcome(), head, body));
    }

    private Mono<Void> change(Loader.LoadResult.Absent absent, EntryHead head, MemoryBody body) {
        if (!absent.kept()) {
            return Mono.empty();
        }
        return read.freshness().negative().isZero() ? tiers.drop(key(), stamp) : tiers.keep(key(), head, body);
    }

    private CacheOutcome outcome() {
        return hit == null ? CacheOutcome.MISS : CacheOutcome.REFRESHED;
    }

    private CacheKey key() {
        return read.key();
    }
}
