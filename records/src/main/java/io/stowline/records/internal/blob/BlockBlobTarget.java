package io.stowline.records.internal.blob;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.StorageException;
import io.stowline.journal.JournalException;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.records.internal.name.BlobNames;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A target with one block blob for each chunk. A blob is only ever created: one that is there already is this chunk, which its metadata or
 * its content shows, or a foreign one. Late requests of a dead process find the blob and change nothing.
 */
public final class BlockBlobTarget implements ChunkTarget {

    /** The metadata with the number of records of a blob. */
    public static final String RECORDS = "stowline_records";

    /** The metadata with the hash of the records, before the header and the compression of a format. */
    public static final String CHUNK = "stowline_chunk";

    /** A repetition sends no more than this once more. */
    private static final int LARGEST_REQUEST = 16 << 20;

    private static final int BLOCK = 8 << 20;
    private static final String OVERWRITE = "UnauthorizedBlobOverwrite";

    private static final Logger LOG = LoggerFactory.getLogger(BlockBlobTarget.class);

    private final ReactiveBlobContainer container;
    private final BlobNames names;
    private final RecordCodec<?> codec;

    /** Makes a target; nothing is sent yet. */
    public BlockBlobTarget(ReactiveBlobContainer container, BlobNames names, RecordCodec<?> codec) {
        this.container = container;
        this.names = names;
        this.codec = codec;
    }

    @Override
    public Mono<String> deliver(SealedChunk chunk) {
        return Mono.defer(() -> {
            Upload upload = prepare(chunk);
            return container
                    .upload(upload.bytes(), upload.seal().blob(), with -> with.blockSize(blockSize(upload.bytes()))
                            .contentType(codec.contentType())
                            .metadata(Map.of(RECORDS, Integer.toString(chunk.records()), CHUNK, upload.content())))
                    .thenReturn(upload.seal().blob())
                    .onErrorResume(StorageException.class, error -> settle(upload, error));
        });
    }

    /** One request carries a chunk of the usual size. It is hashed once for its transport then, and not as blocks and as a whole. */
    private static int blockSize(byte[] bytes) {
        return bytes.length > LARGEST_REQUEST ? BLOCK : LARGEST_REQUEST;
    }

    /**
     * Decides the bytes and keeps that on disk. Another release of the compression may give others; the name stays. A disk that is too full
     * for the seal must not keep the chunk from leaving it: name and records are in its file already, and show whose blob it is.
     */
    private Upload prepare(SealedChunk chunk) {
        byte[] records = chunk.content();
        byte[] bytes = codec.seal(records, true);
        ChunkSeal before = chunk.seal();
        String blob = before == null ? names.of(chunk.name()) : before.blob();
        ChunkSeal seal = new ChunkSeal(blob, 0, bytes.length, ChunkHash.of(bytes));
        if (!seal.equals(before)) {
            try {
                chunk.seal(seal);
            } catch (JournalException full) {
                LOG.warn("the blob {} is sent although its seal could not be written: {}", blob, full.getMessage());
            }
        }
        // Without a header and compression the bytes are the records.
        return new Upload(bytes, seal, before, bytes == records ? seal.hash() : ChunkHash.of(records));
    }

    /** One upload; {@code before} is the seal of an earlier process, {@code content} the hash of the records. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Upload(
            byte[] bytes, ChunkSeal seal, @Nullable ChunkSeal before, String content) {}

    private Mono<String> settle(Upload upload, StorageException error) {
        String blob = upload.seal().blob();
        if (ChunkRefusedException.isTooLarge(error)) {
            return Mono.error(new ChunkRefusedException(
                    "the service refuses the blob " + blob + " for its " + upload.bytes().length
                            + " bytes; set a smaller upTo",
                    error));
        }
        if (!exists(error)) {
            return Mono.error(error);
        }
        return container
                .find(blob)
                .flatMap(found -> isSame(upload, found))
                .switchIfEmpty(Mono.error(error)) // gone again, so that the next try may create it
                .flatMap(same -> same
                        ? Mono.just(blob)
                        : Mono.error(new ChunkRefusedException(
                                "the blob " + blob + " is there with other content, which another client has written; "
                                        + "it stays as it is",
                                error)));
    }

    private static boolean exists(StorageException error) {
        return (error instanceof ConflictException conflict && !conflict.isBeingDeleted())
                || (error instanceof AuthenticationException
                        && OVERWRITE.equals(error.failure().errorCode()));
    }

    private Mono<Boolean> isSame(Upload upload, BlobInfo found) {
        if (upload.content().equals(found.metadata().get(CHUNK))) {
            return Mono.just(true);
        }
        ChunkSeal before = upload.before();
        if (before != null && hasContent(before, found)) {
            return Mono.just(true);
        }
        if (found.contentMd5() != null || found.size() != upload.seal().length()) {
            return Mono.just(hasContent(upload.seal(), found));
        }
        return container.download(found.name(), upload.bytes().length).map(bytes -> ChunkHash.of(bytes)
                .equals(upload.seal().hash()));
    }

    private static boolean hasContent(ChunkSeal seal, BlobInfo found) {
        return found.size() == seal.length() && seal.hash().equals(found.contentMd5());
    }

    @Override
    public Mono<Void> close() {
        return Mono.empty();
    }
}
