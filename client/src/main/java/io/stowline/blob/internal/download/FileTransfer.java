package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.download.DownloadState.Facts;
import io.stowline.blob.internal.download.DownloadTo.KnownTarget;
import io.stowline.blob.internal.download.UnfinishedFiles.PartFiles;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * One download to a file. A blob that fits into one range is written at once. Of a longer one several ranges are in flight, each written
 * where it belongs as soon as it is there, so that a download after a crash requests only what is missing. Files are read and written on
 * threads for that; no thread waits for the network. Serves one subscription.
 */
final class FileTransfer {

    private static final String VERB = "downloadTo";
    private static final Logger LOG = LoggerFactory.getLogger(FileTransfer.class);

    private final BlobContext scope;
    private final String name;
    private final DownloadSettings settings;
    private final Path given;
    private final @Nullable KnownTarget known;
    private final RangeReader reader;
    private final ReadPlan plan;
    private volatile @Nullable ResumableFile file;
    private volatile long length = -1;
    private boolean over;
    private boolean restarted;

    /**
     * A download.
     *
     * @param known what the caller has found out about the target, or {@code null}
     */
    FileTransfer(BlobContext scope, String name, DownloadSettings settings, Path given, @Nullable KnownTarget known) {
        this.scope = scope;
        this.name = name;
        this.settings = settings;
        this.given = given;
        this.known = known;
        this.reader = new RangeReader(scope, name, VERB);
        this.plan = ReadPlan.of(scope, settings);
        if (!plan.whole()) {
            throw new IllegalArgumentException("a download to a file reads the whole blob: it takes no range");
        }
    }

    Mono<FileDownload> run(ContextView seen) {
        return Mono.using(
                () -> new DownloadMeter(scope, settings, seen),
                meter -> Mono.using(
                        () -> scope.service().memory().share(),
                        share -> begun(share, meter)
                                .onErrorResume(
                                        e -> BlockingTask.call(() -> ended(e)).flatMap(Mono::error))
                                .doOnCancel(this::cancelled)
                                .contextWrite(meter::in),
                        TransferMemory.Share::close),
                DownloadMeter::close);
    }

    /** What fits into one range is not resumed, so that nothing need be known about its file before its bytes are there. */
    private Mono<FileDownload> begun(TransferMemory.Share share, DownloadMeter meter) {
        return known != null && known.listed() <= plan.first() ? fresh(null, share, meter) : goneOn(share, meter);
    }

    private Mono<FileDownload> goneOn(TransferMemory.Share share, DownloadMeter meter) {
        return BlockingTask.call(this::earlier).flatMap(names -> {
            ResumableFile found = file;
            return found == null ? fresh(names, share, meter) : resumed(names, found, share, meter);
        });
    }

    /** The file is this download's, unless that has ended while it was opened. */
    private synchronized ResumableFile own(ResumableFile opened) throws IOException {
        if (over) {
            opened.close();
            throw new CancellationException("the download was cancelled");
        }
        file = opened;
        return opened;
    }

    private void cancelled() {
        synchronized (this) {
            over = true;
        }
        BlockingTask.call(() -> leave(false)).subscribe(done -> {}, error -> LOG.warn("cannot close a file", error));
    }

    /** The file is closed in whatever way the download ends; it goes away if nothing of it is of use. */
    private synchronized boolean leave(boolean useless) throws IOException {
        over = true;
        ResumableFile left = file;
        file = null;
        if (left != null && useless) {
            left.discard();
        } else if (left != null) {
            left.close();
        }
        return true;
    }

    /** The error of the download, once its file is closed. */
    private Throwable ended(Throwable error) {
        Throwable end = error instanceof IOException e ? DiskSpace.explained(e, given, length) : error;
        try {
            leave(useless(error));
        } catch (IOException | RuntimeException e) {
            if (e != error) {
                end.addSuppressed(e);
            }
        }
        return end;
    }

    /** Before the blob is known, what does not hold is a condition on its tags: they change without its content. */
    private boolean useless(Throwable error) {
        return (error instanceof PreconditionFailedException && length >= 0)
                || error instanceof ProtocolException
                || error instanceof NotFoundException;
    }

    private String address() {
        return scope.address(name);
    }

    private PartFiles earlier() throws IOException {
        PartFiles names = PartFiles.of(AtomicFile.target(given), address());
        ResumableFile found = settings.resume() ? ResumableFile.resume(names) : null;
        if (found != null && !own(found).state().facts().blob().equals(address())) {
            discard(found);
        }
        return names;
    }

    private synchronized boolean discard(ResumableFile found) throws IOException {
        file = null;
        found.discard();
        return true;
    }

    /**
     * A download from the beginning.
     *
     * @param names the unfinished files, or {@code null} if they were not looked for
     */
    private Mono<FileDownload> fresh(@Nullable PartFiles names, TransferMemory.Share share, DownloadMeter meter) {
        return new FirstRange(scope, name, reader).read(plan, share, null).flatMap(first -> {
            long size = first.facts().size();
            if (names == null && first.bytes().length < size) {
                // It has grown since it was listed.
                share.free(first.bytes().length);
                return goneOn(share, meter);
            }
            length = size;
            meter.expect(size);
            meter.moved(first.bytes().length);
            return names == null || first.bytes().length == size
                    ? small(first, names == null)
                    : large(names, first, share, meter);
        });
    }

    private Mono<FileDownload> small(BlobPiece whole, boolean unseen) {
        return BlockingTask.call(() -> {
            DownloadVerifier content = verifier();
            content.add(whole);
            BlobInfo facts = content.checked();
            if (unseen) {
                dropEarlier(facts);
            }
            try (AtomicFile part = part()) {
                part.write(whole.bytes());
                part.complete();
            }
            return done(facts, 0);
        });
    }

    private AtomicFile part() throws IOException {
        return known == null ? AtomicFile.beside(given) : AtomicFile.at(known.path(), known.modes());
    }

    /** What an earlier download has left, when the blob was longer. */
    private void dropEarlier(BlobInfo facts) throws IOException {
        Path target = known == null ? AtomicFile.target(given) : known.path();
        PartFiles names = PartFiles.of(target, address());
        ResumableFile found = settings.resume() && Files.exists(names.lines()) ? ResumableFile.resume(names) : null;
        if (found != null) {
            if (!found.state().facts().etag().equals(facts.etag())) {
                warnOfChange();
            }
            found.discard();
        }
    }

    private FileDownload done(BlobInfo facts, long resumed) throws IOException {
        if (known != null) {
            Files.setLastModifiedTime(known.path(), FileTime.from(known.time().apply(facts)));
        }
        return new FileDownload(facts, resumed, restarted);
    }

    private DownloadVerifier verifier() {
        return new DownloadVerifier(scope, VERB, plan, settings.checksum());
    }

    private synchronized void complete(ResumableFile whole) throws IOException {
        if (over) {
            throw new CancellationException("the download was cancelled");
        }
        whole.complete();
        file = null;
    }

    private Mono<FileDownload> large(
            PartFiles names, BlobPiece first, TransferMemory.Share share, DownloadMeter meter) {
        Instant created = first.version().created();
        Facts facts = new Facts(
                address(),
                first.facts().etag(),
                created == null ? null : created.toString(),
                first.facts().size(),
                plan.rangeSize());
        return BlockingTask.call(() -> {
                    ResumableFile made = settings.resume() ? ResumableFile.create(names, facts) : null;
                    return own(made == null ? ResumableFile.alone(names, facts) : made);
                })
                .flatMap(made -> {
                    Run run = new Run(made, first.version(), share, meter);
                    return run.write(0, first, first.bytes().length).then(Mono.defer(() -> run.rest(0)));
                });
    }

    /** What an earlier download has brought counts if the blob still has the version. */
    private Mono<FileDownload> resumed(
            PartFiles names, ResumableFile found, TransferMemory.Share share, DownloadMeter meter) {
        return head().flatMap(present -> {
            PinnedVersion version = present.ofResumed(found.state().facts());
            if (version == null) {
                return changed(names, found, share, meter);
            }
            length = version.facts().size();
            return BlockingTask.call(found::keepWhatHolds).flatMap(kept -> {
                meter.expect(length);
                meter.moved(kept);
                return new Run(found, version, share, meter).rest(kept);
            });
        });
    }

    private Mono<PinnedVersion> head() {
        return new BlobOperations(scope)
                .headIf(
                        VERB,
                        name,
                        plan.ifTags(),
                        answer -> PinnedVersion.of(
                                BlobInfoMapper.of(name, answer.getValue()),
                                answer.getValue().getCreationTime()));
    }

    private Mono<FileDownload> changed(
            PartFiles names, ResumableFile found, TransferMemory.Share share, DownloadMeter meter) {
        warnOfChange();
        restarted = true;
        return BlockingTask.call(() -> discard(found)).then(Mono.defer(() -> fresh(names, share, meter)));
    }

    private void warnOfChange() {
        LOG.warn(
                "{} {}: the blob has changed since an earlier download to {}, which is discarded",
                VERB,
                scope.resource(name),
                given);
    }

    /** The ranges of one file on their way. */
    private final class Run {

        private final ResumableFile file;
        private final PinnedVersion version;
        private final TransferMemory.Share share;
        private final DownloadMeter meter;
        private final DownloadVerifier content = verifier();
        private @Nullable ContentDigest digest;

        Run(ResumableFile file, PinnedVersion version, TransferMemory.Share share, DownloadMeter meter) {
            this.file = file;
            this.version = version;
            this.share = share;
            this.meter = meter;
        }

        private @Nullable ContentDigest digest() {
            if (digest == null && content.hashes(version.facts())) {
                digest = new ContentDigest(file);
            }
            return digest;
        }

        Mono<FileDownload> rest(long resumed) {
            Facts facts = file.state().facts();
            ContentDigest whole = digest();
            BitSet there = file.there();
            return Flux.range(0, facts.ranges())
                    .filter(index -> !there.get(index))
                    .concatMap(index -> share.take(memory(index)).thenReturn(index), 0)
                    .flatMap(
                            index -> reader.read(facts.offset(index), facts.count(index), version)
                                    .doOnNext(piece -> meter.moved(piece.bytes().length))
                                    .flatMap(piece -> write(index, piece, memory(index)))
                                    .map(done -> Optional.<Throwable>empty())
                                    // As a value: one that comes after the first would be logged as dropped.
                                    .onErrorResume(error -> Mono.just(Optional.of(error))),
                            settings.parallelism(),
                            1)
                    .flatMap(end -> end.map(Mono::<Boolean>error).orElse(Mono.empty()), 1)
                    .onErrorMap(RangeReader::first)
                    .then(BlockingTask.call(() -> {
                        BlobInfo blob = content.checked(version.facts(), whole == null ? null : whole.value());
                        complete(file);
                        return done(blob, resumed);
                    }));
        }

        private long memory(int index) {
            return (long) file.state().facts().count(index) + RangeReader.DIRECT;
        }

        Mono<Boolean> write(int index, BlobPiece piece, long held) {
            ContentDigest whole = digest();
            return BlockingTask.call(() -> {
                        byte[] bytes = piece.bytes();
                        file.write(index, bytes);
                        if (whole != null) {
                            whole.add(index, bytes);
                        }
                        piece.letGo();
                        return true;
                    })
                    .doOnNext(done -> share.free(held));
        }
    }
}
