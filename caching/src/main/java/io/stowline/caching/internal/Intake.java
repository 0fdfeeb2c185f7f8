package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Loaded;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Brings a body that the service sends to where it fits: into memory, onto the shelf, or past both to the reader. */
final class Intake {

    private final CacheKey key;
    private final Head head;
    private final CacheOutcome outcome;
    private final Tiers tiers;
    private final long room;

    Intake(CacheKey key, Head head, CacheOutcome outcome, Tiers tiers) {
        this.key = key;
        this.head = head;
        this.outcome = outcome;
        this.tiers = tiers;
        this.room = tiers.memory().roomFor(key, head);
    }

    /** To one reader, as it comes; the others ask for themselves. What the cache has stays. */
    Mono<Landing> handThrough(Loaded.Found found) {
        return Mono.just(Landing.of(outcome, head, OneTimeBody.transfer(found.length(), found.body())));
    }

    Mono<Landing> keep(Loaded.Found found) {
        long length = found.length();
        Shelf shelf = tiers.shelf();
        if (length >= 0 && length <= room) {
            return Gathered.all(found.body(), length).map(MemoryBody::new).flatMap(this::inMemory);
        }
        if (shelf != null && length <= shelf.capacity()) {
            return onShelf(shelf, found.body(), length);
        }
        return length < 0 ? ifItFits(found.body()) : past(found.body(), length);
    }

    private Mono<Landing> inMemory(MemoryBody body) {
        return tiers.keep(key, head, body).thenReturn(Landing.of(outcome, head, body));
    }

    /** What has come of a body that turns out to be too large is gone, and each reader asks for itself. */
    private Mono<Landing> ifItFits(Flux<ByteBuffer> body) {
        return Gathered.upTo(body, room)
                .map(MemoryBody::new)
                .flatMap(this::inMemory)
                .onErrorResume(NoRoom.class, tooLarge -> lost());
    }

    /** What the cache has is out of date, and what takes its place is too large. */
    private Mono<Landing> past(Flux<ByteBuffer> body, long length) {
        OneTimeBody transfer = OneTimeBody.transfer(length, body);
        return tiers.drop(key, head.stamp())
                .thenReturn(Landing.of(outcome, head, transfer))
                .doOnCancel(transfer::close);
    }

    /** If the shelf fails on the way, what has come is gone, and each reader asks for itself: twice the transfer, and no failure. */
    private Mono<Landing> onShelf(Shelf shelf, Flux<ByteBuffer> body, long length) {
        return new Spool(key, head, shelf, tiers)
                .fill(body, length, length < 0 ? room : 0)
                .flatMap(this::shelved)
                .switchIfEmpty(Mono.defer(this::lost))
                .onErrorResume(ShelfFault.class, fault -> {
                    tiers.work().fault("could not write to its disk", fault);
                    return lost();
                });
    }

    private Mono<Landing> shelved(Spool.Filled filled) {
        Held stored = filled.stored();
        if (stored == null) {
            return inMemory(filled.small());
        }
        tiers.memory().remove(key, head.stamp());
        return Mono.just(Landing.of(outcome, head, stored.passOn()).shelved());
    }

    private Mono<Landing> lost() {
        return tiers.drop(key, head.stamp()).thenReturn(Landing.lost(outcome));
    }
}
