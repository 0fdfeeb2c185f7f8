package io.stowline.blob.internal.file;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.Download.Begun;
import io.stowline.blob.internal.download.DownloadMeter;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.download.PieceCursor;
import io.stowline.blob.internal.file.AtomicFile.FileModes;
import io.stowline.blob.internal.file.UnfinishedFiles.PartFiles;
import io.stowline.blob.internal.file.UnfinishedFiles.StateFolders;
import io.stowline.blob.internal.gzip.ExpandedOutput;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.Holes;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** A transfer that brings one blob to a file or a stream. Thread-safe. */
public final class DownloadTo {

    private static final String VERB = "downloadTo";
    private static final Logger LOG = LoggerFactory.getLogger(DownloadTo.class);

    private final BlobContext context;
    private final String name;
    private final DownloadSettings settings;
    private final Holes holes;

    /**
     * A download.
     *
     * @param context the container
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public DownloadTo(BlobContext context, String name, DownloadSettings settings) {
        this(context, name, settings, (version, rangeSize) -> Mono.empty());
    }

    /**
     * A download of a blob with ranges that need not be read, since they have no bytes but zeros.
     *
     * @param context the container
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public DownloadTo(BlobContext context, String name, DownloadSettings settings, Holes holes) {
        this.context = context;
        this.name = BlobNameRules.check(name);
        this.settings = settings;
        this.holes = holes;
    }

    /**
     * Writes the blob to a stream, on this thread.
     *
     * @param target the stream, flushed and not closed
     * @throws UncheckedIOException if the stream cannot be written
     */
    public BlobInfo stream(OutputStream target) {
        BlockingAwait.refuseEventLoop();
        return context.driven(VERB, name, Context.empty(), parts -> {
            try {
                return new DownloadTo(parts, name, settings).copy(target);
            } catch (IOException e) {
                throw failed(e);
            }
        });
    }

    private BlobInfo copy(OutputStream target) throws IOException {
        ReadPlan plan = ReadPlan.of(context, settings);
        DownloadVerifier content = new DownloadVerifier(context, VERB, plan, settings.checksum());
        try (DownloadMeter meter = new DownloadMeter(context, settings, Context.empty());
                PieceCursor pieces = new PieceCursor(context, VERB, name, plan, meter.in(Context.empty()))) {
            BlobPiece first = Objects.requireNonNull(pieces.next(), "a download without a response");
            meter.expect(pieces.length());
            try (ExpandedOutput output = output(first.info(), plan, target)) {
                for (BlobPiece piece = first; piece != null; piece = pieces.next()) {
                    CompletableFuture<Boolean> hashed = content.addBeside(piece);
                    try {
                        output.write(piece.bytes());
                    } finally {
                        hashed.join();
                    }
                    meter.moved(piece.bytes().length);
                }
                output.finish();
            }
        }
        target.flush();
        return content.checked();
    }

    private ExpandedOutput output(BlobInfo info, ReadPlan plan, OutputStream target) {
        return new ExpandedOutput(
                Expansion.of(context, VERB, info, plan.isComplete(), settings),
                (bytes, count) -> target.write(bytes, 0, count));
    }

    /**
     * Writes the blob to a file that gets its name when it is complete.
     *
     * @param target the file, replaced if it is there
     * @return an {@link UncheckedIOException} if the file cannot be written
     */
    public Mono<FileDownload> toFile(Path target) {
        return toFile(target, null);
    }

    private Mono<FileDownload> toFile(Path target, @Nullable KnownTarget known) {
        return context.asOperation(
                context.read(VERB, context.resource(name)),
                Mono.deferContextual(seen -> new FileTransfer(context, name, settings, target, known, holes).run(seen))
                        .onErrorMap(IOException.class, this::failed));
    }

    /** Removes the files of an earlier download of this blob that has not ended, unless another download uses them. A failure is logged. */
    public Mono<Void> discardUnfinished(Path target) {
        return BlockingTask.call(() -> {
                    PartFiles names = PartFiles.of(AtomicFile.target(target), context.identity(name));
                    ResumableFile found = Files.exists(names.lines()) ? ResumableFile.resume(names) : null;
                    if (found != null) {
                        found.discard();
                    }
                    return true;
                })
                .onErrorResume(IOException.class, error -> {
                    LOG.warn("cannot remove an unfinished download to {}", PrintableText.of(target.toString()), error);
                    return Mono.empty();
                })
                .then();
    }

    private RuntimeException failed(IOException e) {
        return StreamFailure.of(VERB + " " + context.resource(name) + ": " + e, e);
    }

    /** Downloads as {@link #stream} does, with a thread that writes whenever bytes have arrived. */
    public Mono<BlobInfo> streamLater(OutputStream target) {
        return context.asOperation(
                context.read(VERB, context.resource(name)),
                Mono.deferContextual(seen -> Mono.using(
                                () -> new DownloadMeter(context, settings, seen),
                                meter -> Mono.usingWhen(
                                                new Download(context)
                                                        .begun(VERB, name, ReadPlan.of(context, settings), null),
                                                begun -> written(begun, target, meter),
                                                begun -> Mono.fromRunnable(begun::close))
                                        .contextWrite(meter::in),
                                DownloadMeter::close))
                        .onErrorMap(IOException.class, this::failed));
    }

    private Mono<BlobInfo> written(Begun begun, OutputStream target, DownloadMeter meter) {
        ReadPlan plan = ReadPlan.of(context, settings);
        DownloadVerifier content = new DownloadVerifier(context, VERB, plan, settings.checksum());
        meter.expect(begun.length());
        return Mono.using(
                () -> output(begun.info(), plan, target),
                output -> begun.pieces()
                        .concatMap(
                                piece -> Mono.zip(
                                                BlockingTask.call(() -> {
                                                    output.write(piece.bytes());
                                                    return true;
                                                }),
                                                Mono.fromFuture(() -> content.addBeside(piece)))
                                        .doOnNext(done -> meter.moved(piece.bytes().length)),
                                0)
                        .then(BlockingTask.call(() -> {
                            output.finish();
                            target.flush();
                            return content.checked();
                        })),
                ExpandedOutput::close);
    }

    /**
     * Downloads to a file that a transfer of many blobs has checked. A blob that fits into one range by the listing has
     * one task on a thread that may block, after its bytes have arrived.
     *
     * @param target the file, for errors
     */
    public Mono<BlobInfo> fileLater(Path target, KnownTarget known) {
        return toFile(target, known).map(FileDownload::blob);
    }

    /**
     * A file that its transfer has looked at, and that gets the time of its blob.
     *
     * @param path the file with all links followed, or where it is to be
     * @param place looks whether the folder of the file is where it was
     * @param listed how many bytes the blob has by its listing
     * @param time gives the time by what was read
     */
    public record KnownTarget(
            Path path,
            PlaceCheck place,
            long listed,
            FileModes modes,
            StateFolders states,
            Function<BlobInfo, Instant> time) {

        /** Gives a part the time of its blob; with one of access, since the JDK looks up the present one else. */
        void setTime(Path part, BlobInfo info, long nowMillis) throws IOException {
            Files.getFileAttributeView(part, BasicFileAttributeView.class)
                    .setTimes(FileTime.from(time.apply(info)), FileTime.fromMillis(nowMillis), null);
        }

        /** A check that throws if a file can no longer be where it was to be. */
        @FunctionalInterface
        public interface PlaceCheck {
            void run() throws IOException;
        }
    }

    /** Downloads on this thread, which may block. */
    public FileDownload file(Path target) {
        return Objects.requireNonNull(BlockingAwait.on(toFile(target)), "the download ended without a result");
    }
}
