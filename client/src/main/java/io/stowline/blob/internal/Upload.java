package io.stowline.blob.internal;

import io.stowline.blob.UploadSettings;
import io.stowline.blob.Uploaded;
import io.stowline.transport.internal.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Brings content of any length to one block blob: in one request if it fits into a block, else in blocks and a commit. Nothing is
 * committed unless the source was read to its end. Thread-safe.
 */
public final class Upload {

    private final BlobScope scope;
    private final String name;
    private final UploadSettings settings;
    private final BlockVerbs verbs;

    /**
     * An upload.
     *
     * @param scope the container
     * @param name the blob
     * @param settings how it is uploaded
     */
    public Upload(BlobScope scope, String name, UploadSettings settings) {
        this.scope = scope;
        this.name = BlobNames.check(name);
        this.settings = settings;
        this.verbs = new BlockVerbs(scope, name, settings);
    }

    /** Opens a source. */
    private interface Opening {
        ByteSource open() throws IOException;
    }

    /**
     * Uploads content that is in memory, without a thread that waits if it fits into a block.
     *
     * @param content the content, which must not change meanwhile
     * @return what was written
     */
    public Mono<Uploaded> bytes(byte[] content) {
        return content.length <= settings.blockSize()
                ? Mono.defer(() -> verbs.put(Block.of(0, ByteBuffer.wrap(content), 0)))
                : later(() -> new ArraySource(content));
    }

    /**
     * Uploads content that is in memory on a thread that may block, this one.
     *
     * @param content the content, which must not change meanwhile
     * @return what was written
     */
    public Uploaded bytesHere(byte[] content) {
        return content.length <= settings.blockSize()
                ? Objects.requireNonNull(Await.on(bytes(content)), "the upload ended without a result")
                : whole(() -> new ArraySource(content), Context.empty());
    }

    /**
     * Uploads a file on a thread that may block, this one.
     *
     * @param file the file
     * @return what was written
     * @throws UncheckedIOException if the file cannot be read, or changes its length meanwhile
     */
    public Uploaded file(Path file) {
        return whole(() -> new FileSource(file), Context.empty());
    }

    /**
     * Uploads a stream on a thread that may block, this one.
     *
     * @param content the stream, read to its end and not closed
     * @return what was written
     * @throws UncheckedIOException if the stream cannot be read
     */
    public Uploaded stream(InputStream content) {
        return whole(() -> new StreamSource(content), Context.empty());
    }

    /**
     * The same as {@link #file} on another thread.
     *
     * @param file the file
     * @return what was written
     */
    public Mono<Uploaded> fileLater(Path file) {
        return later(() -> new FileSource(file));
    }

    /**
     * The same as {@link #stream} on another thread.
     *
     * @param content the stream
     * @return what was written
     */
    public Mono<Uploaded> streamLater(InputStream content) {
        return later(() -> new StreamSource(content));
    }

    private Mono<Uploaded> later(Opening opening) {
        return Mono.deferContextual(seen -> Elastic.call(() -> whole(opening, seen)));
    }

    /** All its requests are one operation. */
    private Uploaded whole(Opening opening, ContextView seen) {
        Await.refuseEventLoop();
        return scope.driven(BlockVerbs.VERB, name, seen, parts -> new Upload(parts, name, settings).run(opening));
    }

    private Uploaded run(Opening opening) {
        try (ByteSource source = opening.open();
                Ledger ledger = new Ledger(scope.service().buffered())) {
            refuseTooLong(source.length());
            Blocks blocks = new Blocks(source, settings.blockSize(), ledger);
            Block first = blocks.next();
            Block second = blocks.next();
            return Objects.requireNonNull(
                    Await.on(second.isEmpty() ? verbs.put(first) : staged(blocks, first, second)),
                    "the upload ended without a result");
        } catch (IOException e) {
            throw new UncheckedIOException("upload " + scope.resource(name) + ": " + e.getMessage(), e);
        }
    }

    private void refuseTooLong(long length) {
        long most = (long) Block.MOST * settings.blockSize();
        if (length > most) {
            long needed = (length + Block.MOST - 1) / Block.MOST;
            throw new IllegalArgumentException(scope.resource(name) + ": " + length + " bytes do not fit into "
                    + Block.MOST + " blocks of " + settings.blockSize()
                    + " bytes, the most that a blob takes; a blockSize of "
                    + needed + " would do");
        }
    }

    /** Sends all blocks and gives what makes a blob of them. One block more than are in flight is held, the one that is next. */
    private Mono<Uploaded> staged(Blocks blocks, Block first, Block second) throws IOException {
        Await.on(verbs.permitted());
        BlockList list = new BlockList();
        try (InFlightBlocks inFlight = new InFlightBlocks(settings.parallelism())) {
            inFlight.add(verbs.stage(list.added(first)).doOnTerminate(() -> blocks.sent(first)));
            for (Block block = second; !block.isEmpty(); block = blocks.next()) {
                Block sent = block;
                inFlight.add(verbs.stage(list.added(sent)).doOnTerminate(() -> blocks.sent(sent)));
            }
            inFlight.awaitAll();
        }
        return verbs.commit(list);
    }
}
