package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.gzip.CompressedSettings;
import io.stowline.blob.internal.gzip.GzipEncoder;
import io.stowline.blob.internal.gzip.GzipSample;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A writer that compresses content on its way to a {@link BlockWriter}, if the beginning of the content shows that it helps. It keeps that
 * beginning until the choice is made; compression runs on separate threads, since a
 * slice of 64 KiB would wait for the MD5 of whole blocks.
 */
final class GzipWriter implements ContentWriter {

    private static final Scheduler THREADS =
            Schedulers.newParallel("stowline-shared-gzip", Runtime.getRuntime().availableProcessors(), true);

    private final BlockOperations requests;
    private final BlockWriter blocks;
    private final UploadSettings settings;
    private final ByteBuffer sample = ByteBuffer.allocate(GzipSample.SIZE);
    private volatile @Nullable GzipEncoder encoder;
    private boolean chosen;

    private GzipWriter(BlockOperations requests, BlockWriter blocks, UploadSettings settings, boolean chosen) {
        this.requests = requests;
        this.blocks = blocks;
        this.settings = settings;
        this.chosen = chosen;
        this.encoder = chosen ? new GzipEncoder() : null;
    }

    /** Returns a writer that makes its choice by the beginning of the content. */
    static GzipWriter choosing(BlockOperations requests, BlockWriter blocks, UploadSettings settings) {
        return new GzipWriter(requests, blocks, settings, false);
    }

    /** Returns a writer that compresses. */
    static GzipWriter compressing(BlockOperations requests, BlockWriter blocks, UploadSettings settings) {
        return new GzipWriter(requests, blocks, settings, true);
    }

    @Override
    public @Nullable Throwable failure() {
        return blocks.failure();
    }

    @Override
    public Mono<Void> append(ByteBuffer bytes) {
        return Mono.defer(() -> {
            if (chosen) {
                return passed(bytes);
            }
            int count = Math.min(sample.remaining(), bytes.remaining());
            sample.put(bytes.duplicate().limit(bytes.position() + count));
            bytes.position(bytes.position() + count);
            return sample.hasRemaining() ? Mono.empty() : chosen().then(passed(bytes));
        });
    }

    /** Makes the choice and passes the beginning on. */
    private Mono<Void> chosen() {
        return Mono.defer(() -> {
                    sample.flip();
                    chosen = true;
                    encoder = GzipSample.compresses(sample) ? new GzipEncoder() : null;
                    return passed(sample);
                })
                .subscribeOn(THREADS);
    }

    private Mono<Void> passed(ByteBuffer bytes) {
        return Mono.defer(() -> {
            GzipEncoder compresses = encoder;
            return compresses == null ? blocks.append(bytes) : appended(() -> compresses.next(bytes));
        });
    }

    private Mono<Void> appended(Supplier<@Nullable ByteBuffer> compressed) {
        return Flux.<ByteBuffer>generate(sink -> {
                    ByteBuffer next = compressed.get();
                    if (next == null) {
                        sink.complete();
                    } else {
                        sink.next(next);
                    }
                })
                .subscribeOn(THREADS)
                .concatMap(blocks::append, 0)
                .then();
    }

    @Override
    public Mono<BlobWriteResult> commit() {
        return Mono.defer(() -> chosen ? Mono.empty() : chosen()).then(Mono.defer(() -> {
            GzipEncoder compresses = encoder;
            return compresses == null
                    ? blocks.commit()
                    : appended(compresses::last)
                            .then(Mono.defer(() -> blocks.commit(
                                    requests.with(CompressedSettings.of(settings, compresses.original())))));
        }));
    }

    @Override
    public void close() {
        blocks.close();
        GzipEncoder compresses = encoder;
        if (compresses != null) {
            compresses.close();
        }
    }
}
