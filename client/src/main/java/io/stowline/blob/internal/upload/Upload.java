package io.stowline.blob.internal.upload;

import io.stowline.blob.UploadResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.base.BufferedBytes.BufferReservation;
import io.stowline.blob.internal.upload.ByteSource.ArraySource;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.blob.internal.upload.ByteSource.StreamSource;
import io.stowline.blob.internal.upload.UploadBlock.BlockCutter;
import io.stowline.blob.internal.upload.UploadBlock.BlockList;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Brings content of any length to one block blob: in one request if it fits into a block, else in blocks and a commit. Nothing is
 * committed unless the source was read to its end. Thread-safe.
 */
public final class Upload {

    private final BlobContext scope;
    private final String name;
    private final UploadSettings settings;
    private final BlockOperations verbs;

    /**
     * An upload.
     *
     * @param scope the container
     * @param settings how it is uploaded
     */
    public Upload(BlobContext scope, String name, UploadSettings settings) {
        this.scope = scope;
        this.name = NameRules.blob(name);
        this.settings = settings;
        this.verbs = new BlockOperations(scope, name, settings);
    }

    /** Opens a source. */
    private interface Opening {
        ByteSource open() throws IOException;
    }

    /**
     * Uploads content that is in memory, without a thread that waits if it fits into a block.
     *
     * @param content the content, which must not change until the end
     * @return what was written
     */
    public Mono<UploadResult> bytes(byte[] content) {
        return content.length <= settings.blockSize()
                ? Mono.defer(() -> verbs.put(UploadBlock.of(0, ByteBuffer.wrap(content), 0)))
                : later(() -> new ArraySource(content));
    }

    /**
     * Uploads content that is in memory on a thread that may block, this one.
     *
     * @param content the content, which must not change until the end
     * @return what was written
     */
    public UploadResult bytesHere(byte[] content) {
        return content.length <= settings.blockSize()
                ? Objects.requireNonNull(BlockingAwait.on(bytes(content)), "the upload ended without a result")
                : whole(() -> new ArraySource(content), Context.empty());
    }

    /**
     * Uploads a file on a thread that may block, this one.
     *
     * @return what was written
     * @throws UncheckedIOException if the file cannot be read, or changes its length during the upload
     */
    public UploadResult file(Path file) {
        return whole(() -> new FileSource(file), Context.empty());
    }

    /**
     * Uploads a stream on a thread that may block, this one.
     *
     * @param content the stream, read to its end and not closed
     * @return what was written
     * @throws UncheckedIOException if the stream cannot be read
     */
    public UploadResult stream(InputStream content) {
        return whole(() -> new StreamSource(content), Context.empty());
    }

    /**
     * The same as {@link #file} on another thread.
     *
     * @return what was written
     */
    public Mono<UploadResult> fileLater(Path file) {
        return later(() -> new FileSource(file));
    }

    /**
     * The same as {@link #stream} on another thread.
     *
     * @return what was written
     */
    public Mono<UploadResult> streamLater(InputStream content) {
        return later(() -> new StreamSource(content));
    }

    private Mono<UploadResult> later(Opening opening) {
        return Mono.deferContextual(seen -> BlockingTask.call(() -> whole(opening, seen)));
    }

    /** All its requests are one operation. */
    private UploadResult whole(Opening opening, ContextView seen) {
        BlockingAwait.refuseEventLoop();
        return scope.driven(BlockOperations.VERB, name, seen, parts -> new Upload(parts, name, settings).run(opening));
    }

    private UploadResult run(Opening opening) {
        try (ByteSource source = opening.open();
                BufferReservation ledger = new BufferReservation(scope.service().buffered())) {
            refuseTooLong(source.length());
            BlockCutter blocks = new BlockCutter(source, settings.blockSize(), ledger);
            UploadBlock first = blocks.next();
            UploadBlock second = blocks.next();
            return Objects.requireNonNull(
                    BlockingAwait.on(second.isEmpty() ? verbs.put(first) : staged(blocks, first, second)),
                    "the upload ended without a result");
        } catch (IOException e) {
            throw StreamFailure.of("upload " + scope.resource(name) + ": " + e.getMessage(), e);
        }
    }

    private void refuseTooLong(long length) {
        long most = (long) UploadBlock.MOST * settings.blockSize();
        if (length > most) {
            long needed = (length + UploadBlock.MOST - 1) / UploadBlock.MOST;
            throw new IllegalArgumentException(scope.resource(name) + ": " + length + " bytes do not fit into "
                    + UploadBlock.MOST + " blocks of " + settings.blockSize()
                    + " bytes, the most that a blob takes; a blockSize of "
                    + needed + " would do");
        }
    }

    /** Sends all blocks and gives what makes a blob of them. One block more than are in flight is held, the one that is next. */
    private Mono<UploadResult> staged(BlockCutter blocks, UploadBlock first, UploadBlock second) throws IOException {
        BlockingAwait.on(verbs.permitted());
        BlockList list = new BlockList();
        try (InFlightBlocks inFlight = new InFlightBlocks(settings.parallelism())) {
            inFlight.add(verbs.stage(list.added(first)).doOnTerminate(() -> blocks.sent(first)));
            for (UploadBlock block = second; !block.isEmpty(); block = blocks.next()) {
                UploadBlock sent = block;
                inFlight.add(verbs.stage(list.added(sent)).doOnTerminate(() -> blocks.sent(sent)));
            }
            inFlight.awaitAll();
        }
        return verbs.commit(list);
    }

    /** The blocks on their way, never more than so many. Used by one thread, which waits; closing it cancels what is still on its way. */
    static final class InFlightBlocks implements AutoCloseable {

        private final List<CompletableFuture<?>> running = new ArrayList<>();
        private final int most;

        InFlightBlocks(int most) {
            this.most = most;
        }

        /** Starts it as soon as there is room; throws what one of those before it has failed with. */
        void add(Mono<?> block) {
            while (running.size() >= most) {
                awaitAny();
            }
            running.add(block.toFuture());
        }

        void awaitAll() {
            while (!running.isEmpty()) {
                awaitAny();
            }
        }

        private void awaitAny() {
            // Without its error, which no caller would take after an interrupt and Reactor would log; it is thrown
            // below.
            CompletableFuture<Boolean> any = CompletableFuture.anyOf(running.toArray(CompletableFuture[]::new))
                    .handle((done, error) -> true);
            BlockingAwait.on(Mono.fromFuture(any, true));
            for (Iterator<CompletableFuture<?>> all = running.iterator(); all.hasNext(); ) {
                CompletableFuture<?> block = all.next();
                if (block.isDone()) {
                    all.remove();
                    BlockingAwait.on(Mono.fromFuture(block));
                }
            }
        }

        @Override
        public void close() {
            running.forEach(block -> block.cancel(true));
        }
    }
}
