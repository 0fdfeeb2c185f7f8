package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.disk.DiskSpooler;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.entry.BodyCollector;
import io.stowline.caching.internal.entry.BodyCollector.BodyTooLargeException;
import io.stowline.caching.internal.entry.CacheHit;
import io.stowline.caching.internal.entry.CacheTiers;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.MemoryBody;
import io.stowline.caching.internal.entry.OneTimeBody;
import io.stowline.caching.internal.entry.OverflowStore;
import io.stowline.caching.internal.entry.OverflowStore.StoreFault;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An intake that brings a body that the service sends to where it fits: into memory, onto the shelf, or past both to the reader. */
final class BodyIntake {

    private final CacheKey key;
    private final EntryHead head;
    private final CacheOutcome outcome;
    private final CacheTiers tiers;
    private final long room;

    BodyIntake(CacheKey key, EntryHead head, CacheOutcome outcome, CacheTiers tiers) {
        this.key = key;
        this.head = head;
        this.outcome = outcome;
        this.tiers = tiers;
        this.room = tiers.memory().roomFor(key, head);
    }

    /** Hands the body to one reader as it comes; the others load separately. The cached version stays. */
    Mono<LoadCompletion> handThrough(Loader.LoadResult.Found found) {
        return Mono.just(LoadCompletion.of(outcome, head, OneTimeBody.transfer(found.length(), found.body())));
    }

    Mono<LoadCompletion> keep(Loader.LoadResult.Found found) {
        long length = found.length();
        OverflowStore shelf = tiers.shelf();
        if (length >= 0 && length <= room) {
            return BodyCollector.all(found.body(), length).map(MemoryBody::new).flatMap(this::inMemory);
        }
        if (shelf != null && length <= shelf.capacity()) {
            return onShelf(shelf, OneTimeBody.transfer(length, found.body()));
        }
        return length < 0 ? ifItFits(found.body()) : past(OneTimeBody.transfer(length, found.body()));
    }

    private Mono<LoadCompletion> inMemory(MemoryBody body) {
        return tiers.keep(key, head, body).thenReturn(LoadCompletion.of(outcome, head, body));
    }

    /** A body that turns out to be too large is dropped, and each reader loads separately. */
    private Mono<LoadCompletion> ifItFits(Flux<ByteBuffer> body) {
        return BodyCollector.upTo(body, room)
                .map(MemoryBody::new)
                .flatMap(this::inMemory)
                .onErrorResume(BodyTooLargeException.class, tooLarge -> lost());
    }

    /** The cached version is out of date, and its successor is too large. */
    private Mono<LoadCompletion> past(OneTimeBody transfer) {
        return tiers.drop(key, head.stamp())
                .thenReturn(LoadCompletion.of(outcome, head, transfer))
                .doOnCancel(transfer::close);
    }

    /**
     * The body goes past a shelf that takes nothing. If the shelf fails midway, its part is dropped, and each
     * reader loads separately: twice the transfer, and no failure.
     */
    private Mono<LoadCompletion> onShelf(OverflowStore shelf, OneTimeBody transfer) {
        long length = transfer.length();
        return new DiskSpooler(key, head, shelf, tiers)
                .fill(transfer.flux(), length, length < 0 ? room : 0)
                .flatMap(this::shelved)
                .switchIfEmpty(Mono.defer(() -> transfer.isTaken() ? lost() : past(transfer)))
                .onErrorResume(StoreFault.class, fault -> {
                    tiers.work().fault("could not write to its disk", fault);
                    return lost();
                })
                .doOnCancel(transfer::close);
    }

    private Mono<LoadCompletion> shelved(DiskSpooler.Filled filled) {
        CacheHit stored = filled.stored();
        if (stored == null) {
            return inMemory(filled.small());
        }
        tiers.memory().remove(key, head.stamp());
        return Mono.just(LoadCompletion.of(outcome, head, stored.passOn()).shelved());
    }

    private Mono<LoadCompletion> lost() {
        return tiers.drop(key, head.stamp()).thenReturn(LoadCompletion.lost(outcome));
    }
}
