package io.stowline.blob.internal.cache;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.file.AtomicFile;
import io.stowline.blob.internal.file.DiskSpace;
import io.stowline.blob.internal.gzip.ExpandedOutput;
import io.stowline.blob.internal.gzip.Expansion.ExpandedTarget;
import io.stowline.caching.CachedRead;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A copy that brings one blob from a cache to a file or a stream, on a thread that may block. Thread-safe. */
public final class CachedCopy {

    private final CachedBlobs blobs;
    private final String name;

    /** A copy. */
    public CachedCopy(CachedBlobs blobs, String name) {
        this.blobs = blobs;
        this.name = name;
    }

    /** The treatment of an existing blob. */
    private interface Copying {
        void copy(CachedResponse read) throws IOException;
    }

    /**
     * Writes the blob to a stream.
     *
     * @param target the stream, flushed and not closed; nothing is written if there is no such blob
     * @throws UncheckedIOException if the stream cannot be written
     */
    public CachedRead<BlobInfo> stream(OutputStream target) {
        return stream(target, Context.empty());
    }

    private CachedRead<BlobInfo> stream(OutputStream target, ContextView seen) {
        Objects.requireNonNull(target, "target");
        return copied(seen, read -> {
            copy(read, (bytes, count) -> target.write(bytes, 0, count));
            target.flush();
        });
    }

    /**
     * Writes the blob to a file that gets its name when it is complete.
     *
     * @param target the file, replaced if it is there; left alone if there is no such blob
     * @throws UncheckedIOException if the file cannot be written
     */
    public CachedRead<BlobInfo> file(Path target) {
        return file(target, Context.empty());
    }

    private CachedRead<BlobInfo> file(Path target, ContextView seen) {
        Objects.requireNonNull(target, "target");
        try {
            AtomicFile.target(target);
        } catch (IOException e) {
            throw failed(e);
        }
        return copied(seen, read -> {
            try (AtomicFile part = AtomicFile.beside(target)) {
                copy(read, part::write);
                part.complete();
            } catch (IOException e) {
                throw DiskSpace.explained(
                        e, target, CachedProperties.of(name, read.headers()).size());
            }
        });
    }

    private CachedRead<BlobInfo> copied(ContextView seen, Copying copying) {
        BlockingAwait.refuseEventLoop();
        try (Claim claim = new Claim()) {
            Mono<CachedResponse> response =
                    blobs.content(name).doOnNext(claim::take).contextWrite(seen);
            CachedResponse read = Objects.requireNonNull(BlockingAwait.on(response), "no response");
            if (read.absent()) {
                return blobs.given(name, read, null);
            }
            copying.copy(read);
            return blobs.given(name, read, CachedProperties.of(name, read.headers()));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private RuntimeException failed(IOException e) {
        return StreamFailure.of("downloadTo " + name + ": " + e, e);
    }

    private void copy(CachedResponse read, ExpandedTarget target) throws IOException {
        try (ExpandedOutput output = new ExpandedOutput(blobs.expansion("downloadTo", name, read), target);
                FluxCursor<ByteBuffer> parts = new FluxCursor<>(read.body())) {
            while (parts.hasNext()) {
                output.write(parts.next());
            }
            output.finish();
        }
    }

    /** Copies as {@link #stream} does, on another thread. */
    public Mono<CachedRead<BlobInfo>> streamLater(OutputStream target) {
        return Mono.deferContextual(seen -> BlockingTask.call(() -> stream(target, seen)));
    }

    /** Copies as {@link #file} does, on another thread. */
    public Mono<CachedRead<BlobInfo>> fileLater(Path target) {
        return Mono.deferContextual(seen -> BlockingTask.call(() -> file(target, seen)));
    }

    /** The claim of a reader, which closes a response that comes after the reader has left: it may hold a file open. */
    private static final class Claim implements AutoCloseable {

        private @Nullable CachedResponse response;
        private boolean closed;

        synchronized void take(CachedResponse given) {
            response = given;
            if (closed) {
                given.close();
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (response != null) {
                response.close();
            }
        }
    }
}
