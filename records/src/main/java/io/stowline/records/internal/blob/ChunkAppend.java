package io.stowline.records.internal.blob;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.records.internal.blob.LeasedBlobs.LeasedBlob;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.RecordCodec;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One try to append a chunk. Its seal is on disk before a byte is sent. A chunk that has a seal from before is looked up under a new lease,
 * which no earlier attempt has, so that the blob is read in its last state: the chunk stands at its position, or nowhere and never will.
 */
final class ChunkAppend {

    static final String INVALID_TYPE = "InvalidBlobType";

    /** The refusals of a blob that takes no more appends, from this client or any other. */
    private static final Set<String> ENDED =
            Set.of(INVALID_TYPE, "BlockCountExceedsLimit", "BlobIsSealed", "BlobImmutableDueToPolicy");

    private final LeasedBlobs blobs;
    private final RecordCodec<?> codec;
    private final Function<ChunkName, String> names;
    private final Scheduler scheduler;
    private final SealedChunk chunk;
    private final byte[] content;
    private @Nullable LeasedBlob blob;
    private byte @Nullable [] bytes;

    ChunkAppend(
            LeasedBlobs blobs,
            RecordCodec<?> codec,
            Function<ChunkName, String> names,
            Scheduler scheduler,
            SealedChunk chunk) {
        this.blobs = blobs;
        this.codec = codec;
        this.names = names;
        this.scheduler = scheduler;
        this.chunk = chunk;
        this.content = chunk.content();
    }

    /** Returns the blob that was taken last, which this try must release where it fails. */
    @Nullable
    LeasedBlob blob() {
        return blob;
    }

    /** Returns whether a chunk, unsealed so far, can be appended to a blob of this format without making it longer than a limit. */
    boolean fits(LeasedBlob open, long rollAt) {
        if (!open.name().endsWith(codec.suffix())) {
            return false;
        }
        bytes = codec.seal(content, open.length() == 0);
        return open.length() == 0 || open.length() + bytes.length <= rollAt;
    }

    /** Appends the chunk, unsealed so far, to a blob whose end is known. */
    Mono<LeasedBlob> at(LeasedBlob open) {
        seal(open.name(), open.length());
        blob = open;
        return settled(append(open));
    }

    /** Begins a blob with the chunk, of which nothing stands anywhere. */
    Mono<LeasedBlob> begin() {
        bytes = null;
        String name = names.apply(chunk.name());
        seal(name, 0);
        return take(blobs.begin(name));
    }

    /** Finds the chunk at the position of its seal, or appends it there. */
    Mono<LeasedBlob> resume(ChunkSeal seal) {
        return take(seal.position() == 0 ? blobs.begin(seal.blob()) : blobs.resume(seal.blob()));
    }

    /** Finds the chunk in a blob that is taken. */
    Mono<LeasedBlob> resume(LeasedBlob open) {
        blob = open;
        return settled(Mono.defer(() -> find(open)));
    }

    private Mono<LeasedBlob> take(Mono<LeasedBlob> taking) {
        return settled(
                taking.doOnNext(taken -> blob = taken).publishOn(scheduler).flatMap(this::find));
    }

    private Mono<LeasedBlob> settled(Mono<LeasedBlob> way) {
        return way.onErrorResume(NotFoundException.class, e -> isBlobMissing(e) ? elsewhere(e) : Mono.error(e))
                .onErrorResume(ConflictException.class, e -> hasEnded(e) ? elsewhere(e) : Mono.error(e));
    }

    private Mono<LeasedBlob> find(LeasedBlob open) {
        ChunkSeal seal = seal();
        if (open.length() >= seal.position() + seal.length()) {
            return open.md5(seal.position(), seal.length())
                    .publishOn(scheduler)
                    .flatMap(there -> there.equals(seal.hash()) ? Mono.just(open) : elsewhere(null));
        }
        return open.length() == seal.position() && open.name().endsWith(codec.suffix())
                ? append(open)
                : elsewhere(null);
    }

    /** Compression by another version of Java may give other bytes than those of the seal, of which nothing stands there. */
    private Mono<LeasedBlob> append(LeasedBlob open) {
        byte[] sealed = bytes;
        byte[] sent = sealed == null ? codec.seal(content, open.length() == 0) : sealed;
        bytes = null;
        if (sent.length > blobs.maxAppend()) {
            return Mono.error(new ChunkRefusedException(
                    "a chunk for the blob " + open.name() + " has " + sent.length + " bytes, and an append at most "
                            + blobs.maxAppend() + ": set a smaller upTo",
                    null));
        }
        if (sealed == null) {
            ChunkSeal seal = new ChunkSeal(open.name(), open.length(), sent.length, ChunkHash.of(sent));
            if (!seal.equals(chunk.seal())) {
                chunk.seal(seal);
            }
        }
        return open.append(sent)
                .onErrorMap(
                        ChunkRefusedException::isTooLarge,
                        refusal -> new ChunkRefusedException(
                                "the service refuses an append of " + sent.length + " bytes to the blob " + open.name()
                                        + "; set a smaller upTo",
                                refusal))
                .thenReturn(open);
    }

    /**
     * Begins a blob with a chunk that provably stands nowhere: its blob has other bytes in its place, takes no more, or was deleted. One that
     * was to begin its blob has no other name.
     */
    private Mono<LeasedBlob> elsewhere(@Nullable StorageException why) {
        LeasedBlob left = blob;
        blob = null;
        Mono<Void> released = left == null ? Mono.empty() : left.release();
        String name = names.apply(chunk.name());
        if (!seal().blob().equals(name)) {
            return released.publishOn(scheduler).then(Mono.defer(this::begin));
        }
        return released.then(Mono.error(
                why != null && !INVALID_TYPE.equals(why.failure().errorCode())
                        ? why
                        : new ChunkRefusedException(
                                "the blob " + name + " has other content than the chunk whose name it has: another"
                                        + " client has written it",
                                why)));
    }

    private void seal(String name, long position) {
        byte[] sent = bytes == null ? codec.seal(content, position == 0) : bytes;
        bytes = sent;
        chunk.seal(new ChunkSeal(name, position, sent.length, ChunkHash.of(sent)));
    }

    private ChunkSeal seal() {
        return Objects.requireNonNull(chunk.seal(), "seal");
    }

    private static boolean isBlobMissing(NotFoundException e) {
        return "BlobNotFound".equals(e.failure().errorCode());
    }

    private static boolean hasEnded(ConflictException e) {
        return e.failure().unansweredAttempts() == 0
                && ENDED.contains(String.valueOf(e.failure().errorCode()));
    }
}
