package io.stowline.records.internal.blob;

import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.records.AppendSettings;
import io.stowline.records.internal.blob.LeasedBlobs.LeasedBlob;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.RecordCodec;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A target that appends each chunk to an append blob, at a position that the chunk's seal names. A blob takes the chunks of one session and
 * interval, and has the name of the first of them. It is used under a lease, without which an attempt of a killed process could still be
 * carried out. A try that fails gives the blob up; the next one takes it under another lease and compares the bytes that stand there.
 */
public final class AppendBlobTarget implements ChunkTarget {

    /** The service allows 50,000. */
    private static final int MAX_APPENDS = 49_000;

    /** The bytes that a format and compression may add to the records of a chunk. */
    private static final int SEAL_BYTES = 64 << 10;

    private final LeasedBlobs blobs;
    private final RecordCodec<?> codec;
    private final Function<ChunkName, String> names;
    private final long rollAt;
    private final Scheduler scheduler;
    private final AtomicReference<@Nullable OpenBlob> current = new AtomicReference<>();
    private final Set<Mono<Void>> releases = ConcurrentHashMap.newKeySet();

    AppendBlobTarget(
            LeasedBlobs blobs,
            RecordCodec<?> codec,
            Function<ChunkName, String> names,
            long rollAt,
            Scheduler scheduler) {
        this.blobs = blobs;
        this.codec = codec;
        this.names = names;
        this.rollAt = rollAt;
        this.scheduler = scheduler;
    }

    /**
     * Makes a target in a container. Sends nothing.
     *
     * @param names gives the name of the blob that a chunk begins
     * @param upTo the most bytes of records in a chunk
     * @param scheduler reads, compresses and seals chunks, which may block
     * @throws IllegalArgumentException if an append cannot have so many bytes
     */
    public static AppendBlobTarget in(
            ReactiveBlobContainer container,
            RecordCodec<?> codec,
            Function<ChunkName, String> names,
            AppendSettings settings,
            int upTo,
            Scheduler scheduler) {
        LeasedBlobs blobs = new ContainerBlobs(container, settings.lease(), codec.contentType());
        if (upTo > blobs.maxAppend() - SEAL_BYTES) {
            throw new IllegalArgumentException(
                    "upTo is " + upTo + " bytes, but a chunk is one append, which has at most "
                            + blobs.maxAppend() + " bytes with the serviceVersion of this client: set upTo to at most "
                            + (blobs.maxAppend() - SEAL_BYTES) + ", or a newer serviceVersion");
        }
        return new AppendBlobTarget(blobs, codec, names, settings.rollAt(), scheduler);
    }

    /**
     * The blob that the last chunk is in.
     *
     * @param session the session of its chunks
     * @param interval their interval
     */
    private record OpenBlob(LeasedBlob blob, String session, Instant interval) {

        boolean takes(ChunkName chunk) {
            return session.equals(chunk.session())
                    && interval.equals(chunk.interval())
                    && blob.appends() < MAX_APPENDS
                    && blob.isHeld();
        }
    }

    @Override
    public Mono<String> deliver(SealedChunk chunk) {
        return Mono.defer(() -> {
            ChunkAppend append = new ChunkAppend(blobs, codec, names, scheduler, chunk);
            OpenBlob open = current.getAndSet(null);
            Mono<LeasedBlob> appended;
            try {
                appended = begun(append, chunk, open);
            } catch (RuntimeException e) {
                current.set(open); // nothing was sent
                throw e;
            }
            if (open != null && open.blob != append.blob()) {
                release(open.blob);
            }
            return appended.doOnNext(blob -> current.set(new OpenBlob(
                            blob, chunk.name().session(), chunk.name().interval())))
                    .map(LeasedBlob::name)
                    .doOnError(e -> release(append.blob()))
                    .doOnCancel(() -> release(append.blob()));
        });
    }

    private Mono<LeasedBlob> begun(ChunkAppend append, SealedChunk chunk, @Nullable OpenBlob open) {
        ChunkSeal seal = chunk.seal();
        LeasedBlob blob = open != null && open.takes(chunk.name()) ? open.blob : null;
        if (seal != null) {
            return blob != null && blob.name().equals(seal.blob()) ? append.resume(blob) : append.resume(seal);
        }
        return blob != null && append.fits(blob, rollAt) ? append.at(blob) : append.begin();
    }

    /** Only the close waits for the release: another try takes the blob under a new lease. */
    private void release(@Nullable LeasedBlob blob) {
        if (blob == null) {
            return;
        }
        Mono<Void> release = blob.release().onErrorComplete().cache();
        releases.add(release);
        release.doFinally(end -> releases.remove(release)).subscribe();
    }

    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> {
            OpenBlob open = current.getAndSet(null);
            release(open == null ? null : open.blob);
            return Mono.when(List.copyOf(releases));
        });
    }
}
