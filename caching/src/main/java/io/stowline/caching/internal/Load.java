package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Conditions;
import io.stowline.caching.Loaded;
import io.stowline.caching.Loader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One request to the service under the conditions of what the cache has, and what becomes of the answer in the cache. */
final class Load {

    /** What the transport can throw away by reading it; of more it is cheaper to drop the connection. */
    private static final long WORTH_READING = 64 * 1024;

    private final Read read;
    private final @Nullable Held held;
    private final boolean once;
    private final Stamp stamp;
    private final Tiers tiers;
    private final boolean written;
    private final Conditions conditions;

    Load(Read read, @Nullable Held held, boolean once, Stamp stamp, Tiers tiers, Stamps stamps) {
        this.read = read;
        this.held = held;
        this.once = once;
        this.stamp = stamp;
        this.tiers = tiers;
        this.written =
                held != null && !stamps.hold(read.key().resource(), held.head().stamp(), stamp.begun());
        this.conditions = held == null ? Conditions.NONE : held.head().conditions(written);
    }

    Mono<Landing> run() {
        return asked(conditions)
                .flatMap(this::settle)
                .doOnDiscard(Loaded.Found.class, Load::discard)
                .doFinally(end -> {
                    if (held != null) {
                        held.release();
                    }
                });
    }

    private Mono<Loaded> asked(Conditions under) {
        Loader loader = read.loader();
        return new SignalledErrors<>(() -> once ? loader.loadOnce(under) : loader.load(under));
    }

    private Mono<Landing> settle(Loaded loaded) {
        if (loaded instanceof Loaded.NotModified same) {
            return notModified(same);
        }
        if (loaded instanceof Loaded.Found found) {
            Held before = held;
            return before != null && isSame(before.head(), found) ? sameVersion(before, found) : found(found);
        }
        return absent((Loaded.Absent) loaded);
    }

    private Mono<Landing> notModified(Loaded.NotModified same) {
        Held before = held;
        if (before == null || !conditions.any()) {
            return Mono.error(unasked());
        }
        return same.kept()
                ? revalidated(before, before.head().renewed(same.headers(), stamp))
                : unchangedElsewhere(before);
    }

    static IllegalStateException unasked() {
        return new IllegalStateException("the load has found nothing modified, and had not asked under a condition");
    }

    /** An ETag names a version; the body that is here need not come again. */
    private static boolean isSame(Head before, Loaded.Found found) {
        String etag = before.etag();
        return !before.absent()
                && etag != null
                && etag.equals(Headers.of(found.headers()).get("ETag"));
    }

    private Mono<Landing> sameVersion(Held before, Loaded.Found found) {
        discard(found);
        return found.kept()
                ? revalidated(before, Head.of(found.status(), found.headers(), stamp))
                : unchangedElsewhere(before);
    }

    /** A secondary endpoint has what is here. It may be behind, so that this makes nothing fresh, and says nothing after a write of ours. */
    private Mono<Landing> unchangedElsewhere(Held before) {
        return written
                ? asked(Conditions.NONE).flatMap(this::settleUnasked)
                : Mono.just(Landing.of(CacheOutcome.STALE, before.head(), before.passOn()));
    }

    private Mono<Landing> settleUnasked(Loaded loaded) {
        if (loaded instanceof Loaded.NotModified) {
            return Mono.error(unasked());
        }
        return loaded instanceof Loaded.Found found ? found(found) : absent((Loaded.Absent) loaded);
    }

    private static void discard(Loaded.Found found) {
        if (found.length() >= 0 && found.length() <= WORTH_READING) {
            found.body().subscribe(buffer -> {}, failure -> {});
        } else {
            OneTimeBody.transfer(found.length(), found.body()).close();
        }
    }

    private Mono<Landing> revalidated(Held before, Head head) {
        Body body = before.passOn();
        Landing landing = Landing.of(CacheOutcome.REVALIDATED, head, body);
        return tiers.renew(key(), head, body)
                .thenReturn(body.shared() ? landing : landing.shelved())
                .doOnCancel(body::close);
    }

    private Mono<Landing> found(Loaded.Found found) {
        Head head = Head.of(found.status(), found.headers(), stamp);
        Intake intake = new Intake(key(), head, outcome(), tiers);
        return found.kept() && head.hasValidator() ? intake.keep(found) : intake.handThrough(found);
    }

    private Mono<Landing> absent(Loaded.Absent absent) {
        Head head = Head.of(absent.status(), absent.headers(), stamp);
        MemoryBody body = MemoryBody.of(absent.body());
        return change(absent, head, body).thenReturn(Landing.of(outcome(), head, body));
    }

    private Mono<Void> change(Loaded.Absent absent, Head head, MemoryBody body) {
        if (!absent.kept()) {
            return Mono.empty();
        }
        return read.freshness().negative().isZero() ? tiers.drop(key(), stamp) : tiers.keep(key(), head, body);
    }

    private CacheOutcome outcome() {
        return held == null ? CacheOutcome.MISS : CacheOutcome.REFRESHED;
    }

    private CacheKey key() {
        return read.key();
    }
}
