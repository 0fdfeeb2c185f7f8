package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.gzip.CompressedSettings;
import io.stowline.blob.internal.gzip.GzipSample;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.blob.internal.upload.ByteSource.ArraySource;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.UserCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A transfer that brings content of any length to one block blob: in one request if it fits into a block, else in blocks and a commit. Nothing is
 * committed unless the source was read to its end. No thread waits for the service but that of a blocking caller. Thread-safe.
 */
public final class Upload {

    private static final long UNKNOWN = -1;

    private final BlobContext context;
    private final String name;
    private final UploadSettings settings;
    private final BlockOperations requests;
    private final TransferMemory memory;

    /**
     * An upload.
     *
     * @param context the container
     */
    public Upload(BlobContext context, String name, UploadSettings settings) {
        this.context = context;
        this.name = BlobNameRules.check(name);
        this.settings = settings;
        settings.tier().ifPresent(tier -> context.service().version().checkTier(tier.toString()));
        this.requests = new BlockOperations(context, name, settings);
        this.memory = context.service().memory();
    }

    /**
     * Uploads content that is in memory.
     *
     * @param content the content, which must not change until the end
     * @return what was written
     */
    public Mono<BlobWriteResult> bytes(byte[] content) {
        return requests.asOperation(
                Mono.using(memory::share, share -> ofLength(new ArraySource(content), share), Share::close));
    }

    /**
     * Uploads a file, which is read on a thread for files.
     *
     * @return what was written; an {@link UncheckedIOException} if the file cannot be read, or changes during the upload
     */
    public Mono<BlobWriteResult> fileLater(Path file) {
        return fileLater(
                context, name, file, path -> FileChannel.open(path, StandardOpenOption.READ), modified -> settings);
    }

    /**
     * Uploads a file that is opened in another way, and whose time the settings depend on.
     *
     * @param settings gives the settings by the time of the file's last change
     */
    public static Mono<BlobWriteResult> fileLater(
            BlobContext context,
            String name,
            Path file,
            FileOpening opening,
            Function<Instant, UploadSettings> settings) {
        Function<IOException, RuntimeException> failures = e -> failed(context, name, e);
        return BlockOperations.asOperation(
                context,
                name,
                Mono.using(
                        context.service().memory()::share,
                        share -> Mono.usingWhen(
                                BlockingTask.call(() -> OpenedFile.of(file, opening, settings, share, failures))
                                        .onErrorMap(IOException.class, failures),
                                opened -> new Upload(context, name, opened.settings()).ofLength(opened.source(), share),
                                opened -> opened.closed().onErrorMap(IOException.class, failures)),
                        Share::close));
    }

    /** Returns whether an upload has failed since there is a blob that it may not replace. */
    public static boolean isTaken(Throwable error) {
        return BlockOperations.isTaken(error);
    }

    /** Uploads content of known length: compressed, where the settings require it and its beginning shows that it helps. */
    private Mono<BlobWriteResult> ofLength(ByteSource source, Share share) {
        Mono<BlobWriteResult> asItIs = Mono.defer(() -> measured(source.length(), of(source, share)));
        if (!CompressedSettings.areWanted(settings) || source.length() < GzipSample.MIN) {
            return asItIs;
        }
        return read(() -> GzipSample.compresses(source.beginning(GzipSample.SIZE)))
                .flatMap(helps -> helps ? compressed(source) : asItIs);
    }

    private Mono<BlobWriteResult> compressed(ByteSource source) {
        long pieces = (source.length() + BlockWriter.SLICE - 1) / BlockWriter.SLICE;
        MessageDigest unused = Md5.begin();
        return written(blocks -> GzipWriter.compressing(requests, blocks, settings), writer -> Mono.defer(
                        () -> read(() -> source.next(0, BlockWriter.SLICE, unused)))
                .flatMapIterable(UploadBlock::pieces)
                .concatMap(writer::append, 0)
                .then()
                .repeat(pieces - 1)
                .then(checked(source)));
    }

    /**
     * Uploads what a publisher gives.
     *
     * @param content the content; each buffer may be used again once the next one is requested
     * @return what was written
     */
    public Mono<BlobWriteResult> publisher(Publisher<ByteBuffer> content) {
        return requests.asOperation(written(this::chosen, writer -> Flux.defer(() -> asRequested(content))
                .concatMap(bytes -> writer.append(bytes.duplicate()), 0)
                .then()));
    }

    /** Buffers of a publisher beyond the requested ones would be lost: they are an error. */
    private static Flux<ByteBuffer> asRequested(Publisher<ByteBuffer> content) {
        AtomicLong requested = new AtomicLong();
        return UserCode.published(content)
                .doOnNext(bytes -> {
                    Objects.requireNonNull(bytes, "a buffer of the publisher");
                    if (requested.getAndDecrement() <= 0) {
                        throw new IllegalStateException("the publisher gives more buffers than were requested");
                    }
                })
                .doOnRequest(more -> requested.accumulateAndGet(more, Operators::addCap));
    }

    /**
     * Uploads a stream, which is read on other threads, one at a time.
     *
     * @param content the stream, read to its end and not closed
     * @return what was written
     */
    public Mono<BlobWriteResult> streamLater(InputStream content) {
        byte[] bytes = new byte[BlockWriter.SLICE];
        return requests.asOperation(written(this::chosen, writer -> Mono.defer(() -> read(() -> content.read(bytes)))
                .flatMap(read -> read < 0
                        ? Mono.just(false)
                        : writer.append(ByteBuffer.wrap(bytes, 0, read)).thenReturn(true))
                .repeat()
                .takeWhile(more -> more)
                .then()));
    }

    /** The way in which a file is checked and opened for reading. */
    @FunctionalInterface
    public interface FileOpening {
        FileChannel open(Path file) throws IOException;

        /** Returns the attributes; links are followed. */
        default BasicFileAttributes attributes(Path file) throws IOException {
            return Files.readAttributes(file, BasicFileAttributes.class);
        }
    }

    /** The way of an upload's bytes to its writer. */
    private interface Feeding {
        Mono<Void> feed(ContentWriter writer);
    }

    private Mono<BlobWriteResult> written(Function<BlockWriter, ContentWriter> way, Feeding feeding) {
        return measured(
                UNKNOWN,
                Mono.deferContextual(seen -> Mono.using(
                        () -> way.apply(blocks(seen)),
                        writer -> feeding.feed(writer).then(Mono.defer(writer::commit)),
                        ContentWriter::close)));
    }

    private Mono<BlobWriteResult> measured(long length, Mono<BlobWriteResult> work) {
        return measured(context, settings, length, work);
    }

    /** Shows the progress of an upload or copy that is a transfer by itself. */
    public static Mono<BlobWriteResult> measured(
            BlobContext context, UploadSettings settings, long length, Mono<BlobWriteResult> work) {
        return Mono.deferContextual(seen -> {
            if (settings.progress().isEmpty() || ProgressMeter.in(seen) != null) {
                return work;
            }
            ProgressMeter meter = meter(context, settings, length);
            return work.contextWrite(meter.new BlobMeter(Math.max(0, length))::in)
                    .doOnTerminate(meter::blobDone)
                    .delayUntil(made -> Mono.fromFuture(meter.finish(), true))
                    .doFinally(end -> finished(meter));
        });
    }

    private static void finished(ProgressMeter meter) {
        CompletableFuture<Void> unused = meter.finish();
    }

    private static ProgressMeter meter(BlobContext context, UploadSettings settings, long length) {
        ProgressMeter meter = new ProgressMeter(
                settings.progress().orElse(null),
                () -> context.service().timer().now(TimeUnit.NANOSECONDS),
                context.awaitedCallbacks());
        meter.expect(Math.max(0, length));
        if (length != UNKNOWN) {
            meter.allExpected();
        }
        return meter;
    }

    /** Returns a writer for content of its owner. */
    public ContentWriter writer() {
        return chosen(blocks(Context.empty()));
    }

    /** Returns the way of content of unknown length, whose beginning shows whether compression helps. */
    private ContentWriter chosen(BlockWriter blocks) {
        return CompressedSettings.areWanted(settings) ? GzipWriter.choosing(requests, blocks, settings) : blocks;
    }

    private BlockWriter blocks(ContextView seen) {
        return new BlockWriter(
                requests, memory, ByteBuffer::allocate, settings.blockSize(), settings.parallelism(), seen);
    }

    /**
     * Uploads a stream, which this thread reads.
     *
     * @param content the stream, read to its end and not closed
     * @return what was written
     * @throws UncheckedIOException if the stream cannot be read
     */
    public BlobWriteResult stream(InputStream content) {
        BlockingAwait.refuseEventLoop();
        return context.driven(
                BlockOperations.VERB, name, Context.empty(), parts -> new Upload(parts, name, settings).here(content));
    }

    private BlobWriteResult here(InputStream content) {
        byte[] bytes = new byte[BlockWriter.SLICE];
        ProgressMeter meter = meter(context, settings, UNKNOWN);
        try (ContentWriter writer = chosen(blocks(meter.new BlobMeter(0).in(Context.empty())))) {
            for (int read = content.read(bytes); read >= 0; read = content.read(bytes)) {
                BlockingAwait.on(
                        writer.append(ByteBuffer.wrap(bytes, 0, read)).onErrorMap(IOException.class, this::failed));
            }
            BlobWriteResult made = Objects.requireNonNull(
                    BlockingAwait.on(writer.commit().onErrorMap(IOException.class, this::failed)),
                    "the upload ended without a result");
            meter.blobDone();
            BlockingAwait.on(Mono.fromFuture(meter.finish(), true));
            return made;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            finished(meter);
        }
    }

    private RuntimeException failed(IOException e) {
        return failed(context, name, e);
    }

    private static RuntimeException failed(BlobContext context, String name, IOException e) {
        // The message of such an error is the file alone.
        Object why = e instanceof FileSystemException ? e : e.getMessage();
        return StreamFailure.of("upload " + context.resource(name) + ": " + why, e);
    }

    /** Reads the user's file or stream on a thread that may block. */
    private <T> Mono<T> read(Callable<T> reading) {
        return BlockingTask.call(reading).onErrorMap(IOException.class, this::failed);
    }

    private Mono<BlobWriteResult> of(ByteSource source, Share share) {
        return Mono.deferContextual(seen -> source.length() <= settings.blockSize()
                ? block(source, share, 0, (int) source.length(), Md5.begin())
                        .flatMap(content -> checked(source).then(requests.put(content)))
                        .doOnSuccess(made -> moved(seen, source.length()))
                : staged(source, share, seen));
    }

    /** Notifies the meter of the transfer that content has arrived. */
    public static void moved(ContextView context, long bytes) {
        ProgressMeter.BlobMeter meter = ProgressMeter.in(context);
        if (meter != null) {
            meter.moved(bytes);
        }
    }

    private Mono<BlobWriteResult> staged(ByteSource source, Share share, ContextView seen) {
        long size = blockSize(source.length(), settings.blockSize());
        long blocks = (source.length() + size - 1) / size;
        return Mono.using(
                () -> new BlockStager(
                        requests, share, block -> share.free(block.reservedBytes()), settings.parallelism(), seen),
                stager -> Mono.defer(() -> next(source, share, stager, (int) size))
                        .repeat(blocks - 1)
                        .then(Mono.defer(stager::arrived))
                        .then(checked(source))
                        .then(Mono.defer(() -> stager.commit(requests)))
                        .onErrorMap(stager::cause),
                BlockStager::close);
    }

    /** Reads a block while others are sent, and sends it once there is room. */
    private Mono<Void> next(ByteSource source, Share share, BlockStager stager, int size) {
        return block(source, share, stager.blocks(), size, stager.blobDigest())
                .delayUntil(block -> stager.room())
                .doOnNext(stager::add)
                .then();
    }

    private Mono<UploadBlock> block(ByteSource source, Share share, int index, int max, MessageDigest blobDigest) {
        int buffered = source.bufferedBytes(max);
        return buffered == 0
                ? Mono.fromCallable(() -> source.next(index, max, blobDigest))
                : share.take(buffered).then(read(() -> source.next(index, max, blobDigest)));
    }

    private Mono<Void> checked(ByteSource source) {
        return source instanceof FileSource file
                ? Mono.defer(() -> read(() -> {
                            file.check();
                            return file;
                        })
                        .then())
                : Mono.empty();
    }

    /** Returns the size of the blocks: that of the settings, or the one that 50,000 blocks need. */
    public static long blockSize(long length, int configured) {
        long needed = (length + UploadBlock.MAX - 1) / UploadBlock.MAX;
        if (needed > UploadSettings.MAX_BLOCK) {
            throw new IllegalArgumentException(length + " bytes do not fit into "
                    + UploadBlock.MAX + " blocks of " + UploadSettings.MAX_BLOCK
                    + " bytes, the most that this client sends");
        }
        long rounded = (needed + (1 << 20) - 1) >> 20 << 20;
        return needed <= configured ? configured : Math.min(rounded, UploadSettings.MAX_BLOCK);
    }
}
