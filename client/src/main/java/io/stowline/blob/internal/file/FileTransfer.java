package io.stowline.blob.internal.file;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.download.DownloadMeter;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.file.AtomicFile.LastSteps;
import io.stowline.blob.internal.file.DownloadState.SourceVersion;
import io.stowline.blob.internal.file.DownloadTo.KnownTarget;
import io.stowline.blob.internal.file.FileRanges.FirstTarget;
import io.stowline.blob.internal.file.UnfinishedFiles.PartFiles;
import io.stowline.blob.internal.gzip.ExpandedOutput;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.Holes;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.internal.PrintableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

    private final BlobContext context;
    private final String name;
    private final DownloadSettings settings;
    private final Path given;
    private final @Nullable KnownTarget known;
    private final Holes holes;
    private final RangeSource source;
    private final ReadPlan plan;
    private final OwnedFile file = new OwnedFile();
    private volatile long length = -1;
    private boolean restarted;

    /**
     * A download.
     *
     * @param known what the caller has found out about the target, or {@code null}
     * @param holes finds the ranges that stay holes in the file
     */
    FileTransfer(
            BlobContext context,
            String name,
            DownloadSettings settings,
            Path given,
            @Nullable KnownTarget known,
            Holes holes) {
        this.context = context;
        this.name = name;
        this.settings = settings;
        this.given = given;
        this.known = known;
        this.holes = holes;
        this.source = new RangeSource(context, name, VERB);
        this.plan = ReadPlan.of(context, settings);
        if (!plan.isComplete()) {
            throw new IllegalArgumentException("a download to a file reads the whole blob: it takes no range");
        }
    }

    Mono<FileDownload> run(ContextView seen) {
        return Mono.using(
                () -> new DownloadMeter(context, settings, seen),
                meter -> Mono.using(
                        () -> context.service().memory().share(),
                        share -> begun(share, meter)
                                .onErrorResume(
                                        e -> BlockingTask.call(() -> ended(e)).flatMap(Mono::error))
                                .doOnCancel(this::cancelled)
                                .contextWrite(meter::in),
                        TransferMemory.Share::close),
                DownloadMeter::close);
    }

    /**
     * A blob that fits into one range is not resumed, so that nothing need be known about its file before its bytes
     * have arrived.
     */
    private Mono<FileDownload> begun(TransferMemory.Share share, DownloadMeter meter) {
        if (known == null || known.listed() > plan.first()) {
            return goneOn(share, meter);
        }
        return known.listed() == 0 ? empty(share, meter) : fresh(null, share, meter);
    }

    /** The service refuses a range of an empty blob, so that one that is empty by the listing is read without one. */
    private Mono<FileDownload> empty(TransferMemory.Share share, DownloadMeter meter) {
        return source.head(plan).flatMap(first -> {
            if (first.info().size() > 0) {
                return fresh(null, share, meter);
            }
            length = 0;
            meter.expect(0);
            return small(first, true);
        });
    }

    private Mono<FileDownload> goneOn(TransferMemory.Share share, DownloadMeter meter) {
        return BlockingTask.call(this::earlier).flatMap(names -> {
            ResumableFile found = file.opened();
            return found == null ? fresh(names, share, meter) : resumed(names, found, share, meter);
        });
    }

    private void cancelled() {
        file.end();
        BlockingTask.call(() -> file.leave(false))
                .subscribe(done -> {}, error -> LOG.warn("cannot close a file", error));
    }

    /** Closes the file first. */
    private Throwable ended(Throwable error) {
        Throwable end = error instanceof IOException e ? DiskSpace.explained(e, given, length) : error;
        try {
            file.leave(useless(error));
        } catch (IOException | RuntimeException e) {
            if (e != error) {
                end.addSuppressed(e);
            }
        }
        return end;
    }

    /** A failed condition before the blob is known is one on its tags, which change without its content. */
    private boolean useless(Throwable error) {
        return (error instanceof PreconditionFailedException && length >= 0)
                || error instanceof ProtocolException
                || error instanceof NotFoundException;
    }

    private String identity() {
        return context.identity(name);
    }

    private PartFiles earlier() throws IOException {
        PartFiles names = PartFiles.of(AtomicFile.target(given), identity());
        ResumableFile found = settings.resume() ? ResumableFile.resume(names) : null;
        if (found != null && !file.own(found).state().sourceVersion().blob().equals(identity())) {
            file.discard();
        }
        return names;
    }

    /**
     * Returns a download from the beginning.
     *
     * @param names the unfinished files, or {@code null} if they were not looked for
     */
    private Mono<FileDownload> fresh(@Nullable PartFiles names, TransferMemory.Share share, DownloadMeter meter) {
        return Mono.using(
                () -> new FirstTarget(names == null ? null : version -> large(names, version, share, meter)),
                target -> target.read(source, plan, share).flatMap(first -> begun(names, target, first, share, meter)),
                FirstTarget::close);
    }

    private Mono<FileDownload> begun(
            @Nullable PartFiles names,
            FirstTarget target,
            BlobPiece first,
            TransferMemory.Share share,
            DownloadMeter meter) {
        FileRanges ranges = target.ranges();
        if (ranges != null) {
            return target.inFile().then(Mono.defer(() -> finished(ranges, 0)));
        }
        long size = first.info().size();
        int there = first.bytes().length;
        if (there < size) {
            // It has grown since it was listed.
            share.free(there);
            return goneOn(share, meter);
        }
        length = size;
        meter.expect(size);
        meter.moved(there);
        return small(first, names == null);
    }

    private Mono<FileDownload> small(BlobPiece whole, boolean unseen) {
        return BlockingTask.call(() -> {
            DownloadVerifier content = verifier();
            content.add(whole);
            BlobInfo info = content.checked();
            if (unseen) {
                dropEarlier(info);
            }
            expanded(info, output -> output.write(whole.bytes()));
            return new FileDownload(info, 0, restarted);
        });
    }

    /** A function that writes all stored bytes. */
    private interface StoredContent {
        void write(ExpandedOutput output) throws IOException;
    }

    private void expanded(BlobInfo info, StoredContent stored) throws IOException {
        try (AtomicFile part = part();
                ExpandedOutput output =
                        new ExpandedOutput(Expansion.of(context, VERB, info, true, settings), part::write)) {
            stored.write(output);
            output.finish();
            part.complete(lastSteps(info));
        }
    }

    private AtomicFile part() throws IOException {
        refuseMoved();
        return known == null ? AtomicFile.beside(given) : AtomicFile.at(known.path(), known.modes());
    }

    /** Deletes the rest of an earlier download, when the blob was longer. */
    private void dropEarlier(BlobInfo info) throws IOException {
        Path target = known == null ? AtomicFile.target(given) : known.path();
        if (known != null && !known.states().mayHold(target)) {
            return;
        }
        PartFiles names = PartFiles.of(target, identity());
        ResumableFile found = settings.resume() && Files.exists(names.lines()) ? ResumableFile.resume(names) : null;
        if (found != null) {
            if (!found.state().sourceVersion().etag().equals(info.etag())) {
                warnOfChange();
            }
            found.discard();
        }
    }

    private void refuseMoved() throws IOException {
        if (known != null) {
            known.place().run();
        }
    }

    /** An end during the disk's save leaves the target as it was; so does a folder that has become a link. */
    private LastSteps lastSteps(BlobInfo info) {
        return new LastSteps() {
            @Override
            public void prepare(Path part) throws IOException {
                if (known != null) {
                    known.setTime(part, info, context.service().timer().now(TimeUnit.MILLISECONDS));
                }
            }

            @Override
            public void check() throws IOException {
                refuseMoved();
                file.refuseEnded();
            }
        };
    }

    private DownloadVerifier verifier() {
        return new DownloadVerifier(context, VERB, plan, settings.checksum());
    }

    private FileRanges large(PartFiles names, PinnedVersion version, TransferMemory.Share share, DownloadMeter meter) {
        length = version.info().size();
        meter.expect(length);
        Instant created = version.created();
        SourceVersion sourceVersion = new SourceVersion(
                identity(),
                version.info().etag(),
                created == null ? null : created.toString(),
                length,
                plan.rangeSize());
        return new FileRanges(sourceVersion, () -> created(names, sourceVersion), version, verifier(), share, meter);
    }

    private ResumableFile created(PartFiles names, SourceVersion sourceVersion) throws IOException {
        refuseMoved();
        ResumableFile made = settings.resume() ? ResumableFile.create(names, sourceVersion) : null;
        return file.own(made == null ? ResumableFile.alone(names, sourceVersion) : made);
    }

    private Mono<FileDownload> finished(FileRanges ranges, long resumed) {
        return ranges.rest(source, settings.parallelism(), holes)
                .flatMap(blob -> BlockingTask.call(() -> {
                    if (Expansion.isWanted(blob, settings)) {
                        complete(blob);
                    } else {
                        file.complete(lastSteps(blob));
                    }
                    return new FileDownload(blob, resumed, restarted);
                }));
    }

    /** The stored bytes stay until the expanded ones have their name, so that a killed process requests none of them again. */
    private void complete(BlobInfo blob) throws IOException {
        ResumableFile stored = file.opened();
        file.refuseEnded();
        expanded(blob, output -> Objects.requireNonNull(stored).readAll(output::write));
        file.discard();
    }

    /** An earlier download counts if the blob still has the version. */
    private Mono<FileDownload> resumed(
            PartFiles names, ResumableFile found, TransferMemory.Share share, DownloadMeter meter) {
        return source.head(plan).flatMap(present -> {
            SourceVersion earlier = found.state().sourceVersion();
            PinnedVersion version = present.version().ofResumed(earlier.etag(), earlier.length(), earlier.created());
            if (version == null) {
                return changed(names, share, meter);
            }
            length = version.info().size();
            return BlockingTask.call(found::keepVerified).flatMap(kept -> {
                meter.expect(length);
                meter.moved(kept);
                FileRanges ranges = new FileRanges(earlier, () -> found, version, verifier(), share, meter);
                return finished(ranges, kept);
            });
        });
    }

    private Mono<FileDownload> changed(PartFiles names, TransferMemory.Share share, DownloadMeter meter) {
        warnOfChange();
        restarted = true;
        return BlockingTask.call(file::discard).then(Mono.defer(() -> fresh(names, share, meter)));
    }

    private void warnOfChange() {
        LOG.warn(
                "{} {}: the blob has changed since an earlier download to {}, which is discarded",
                VERB,
                PrintableText.of(context.resource(name)),
                PrintableText.of(given.toString()));
    }
}
