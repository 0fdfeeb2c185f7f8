package io.stowline.blob.internal.file;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.download.DownloadMeter;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.file.DownloadState.SourceVersion;
import io.stowline.blob.internal.file.WriteBehind.FileTarget;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.Holes;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The ranges of one blob on their way to its file. Several are in flight. Each is written where it belongs while it arrives, and counts as there
 * when all of it is. Thread-safe.
 */
final class FileRanges {

    private final SourceVersion sourceVersion;
    private final FileOpener opener;
    private final PinnedVersion version;
    private final DownloadVerifier content;
    private final TransferMemory.Share share;
    private final DownloadMeter meter;
    private @Nullable ResumableFile file;
    private @Nullable ContentDigest digest;

    /** A function that opens the file, on a thread for files. */
    interface FileOpener {
        ResumableFile open() throws IOException;
    }

    /**
     * The ranges of a download.
     *
     * @param sourceVersion the blob, and how long its ranges are
     * @param opener called once, when the first bytes are to be written
     * @param version the blob once more, as it was found
     * @param content checks the whole
     * @param share has the memory of the ranges
     * @param meter is notified of what is written
     */
    FileRanges(
            SourceVersion sourceVersion,
            FileOpener opener,
            PinnedVersion version,
            DownloadVerifier content,
            TransferMemory.Share share,
            DownloadMeter meter) {
        this.sourceVersion = sourceVersion;
        this.opener = opener;
        this.version = version;
        this.content = content;
        this.share = share;
        this.meter = meter;
    }

    /** Opened lazily. */
    private synchronized ResumableFile file() throws IOException {
        ResumableFile opened = file;
        if (opened == null) {
            opened = opener.open();
            file = opened;
            digest = content.hashes(version.info()) ? new ContentDigest(opened) : null;
        }
        return opened;
    }

    private synchronized @Nullable ContentDigest digest() {
        return digest;
    }

    /**
     * Reads the ranges that are missing.
     *
     * @param atOnce how many are in flight at the most
     * @param holes finds the ranges that stay holes in the file
     * @return the blob, once all of it is in its file and has been checked
     */
    Mono<BlobInfo> rest(RangeSource source, int atOnce, Holes holes) {
        return BlockingTask.call(() -> file().there())
                .flatMap(there -> holes.of(version, sourceVersion.rangeSize())
                        .doOnNext(found -> skip(found, there))
                        .thenReturn(there))
                .flatMap(there -> missing(there, source, atOnce))
                .then(BlockingTask.call(() -> {
                    ContentDigest blobDigest = digest();
                    return content.checked(version.info(), blobDigest == null ? null : blobDigest.value());
                }));
    }

    private void skip(BitSet holes, BitSet there) {
        holes.andNot(there);
        there.or(holes);
        meter.moved((long) holes.cardinality() * sourceVersion.rangeSize());
    }

    private Mono<Void> missing(BitSet there, RangeSource source, int atOnce) {
        return RangeSource.all(
                Flux.range(0, sourceVersion.ranges())
                        .filter(index -> !there.get(index))
                        .concatMap(
                                index -> share.take(WriteBehind.MAX_BUFFERED_BYTES)
                                        .thenReturn(index),
                                0)
                        .map(index -> read(index, source)),
                atOnce);
    }

    private Mono<Boolean> read(int index, RangeSource source) {
        Sinks.Empty<Void> end = Sinks.empty();
        return Mono.using(
                () -> new Range(index, end),
                range -> unlessEnded(
                                source.read(
                                        sourceVersion.offset(index),
                                        sourceVersion.count(index),
                                        version,
                                        (found, size) -> range),
                                end)
                        .then(range.inFile()),
                Range::close);
    }

    /** Ends at once with the error of the file. */
    private static Mono<BlobPiece> unlessEnded(Mono<BlobPiece> request, Sinks.Empty<Void> end) {
        return Mono.firstWithSignal(request, end.asMono().then(Mono.never()));
    }

    /**
     * The target of the first range: memory for a blob that fits into it, a file for a longer one. Serves one download.
     */
    static final class FirstTarget implements RangeTarget.Choice, AutoCloseable {

        private final @Nullable Function<PinnedVersion, FileRanges> longer;
        private final Sinks.Empty<Void> end = Sinks.empty();
        private volatile @Nullable FileRanges ranges;
        private volatile @Nullable Range range;

        /**
         * Makes the target of an unknown blob.
         *
         * @param longer begins the download of a longer blob, or {@code null} if that goes to memory as far as the range goes
         */
        FirstTarget(@Nullable Function<PinnedVersion, FileRanges> longer) {
            this.longer = longer;
        }

        /** Reads the first range, which has no bytes if they went to the file. */
        Mono<BlobPiece> read(RangeSource source, ReadPlan plan, TransferMemory.Share share) {
            return unlessEnded(source.first(plan, share, null, this), end);
        }

        @Override
        public RangeTarget of(PinnedVersion version, int size) {
            if (longer == null || size == version.info().size()) {
                return new RangeTarget.MemoryTarget(size);
            }
            FileRanges made = longer.apply(version);
            Range first = made.new Range(0, end);
            ranges = made;
            range = first;
            return first;
        }

        /** Returns all ranges, if the first one goes to a file. */
        @Nullable
        FileRanges ranges() {
            return ranges;
        }

        /** Ends the first range; the result ends when it is in the file. */
        Mono<Boolean> inFile() {
            return Objects.requireNonNull(range, "in memory").inFile();
        }

        @Override
        public void close() {
            Range first = range;
            if (first != null) {
                first.close();
            }
        }
    }

    /** The target of one range. */
    private final class Range implements RangeTarget, FileTarget, AutoCloseable {

        private final int index;
        private final Sinks.Empty<Void> end;
        private final WriteBehind behind = new WriteBehind(this, BlockingTask::run);
        private final CRC32C hash = new CRC32C();
        private int written;
        private boolean hashed;

        private Range(int index, Sinks.Empty<Void> end) {
            this.index = index;
            this.end = end;
        }

        /** Ends the range; the result ends when it is in the file and its memory is free. */
        Mono<Boolean> inFile() {
            return Mono.defer(() -> {
                        behind.end();
                        return end.asMono();
                    })
                    .thenReturn(true)
                    .doOnNext(done -> share.free(memory()));
        }

        @Override
        public int memory() {
            return WriteBehind.MAX_BUFFERED_BYTES;
        }

        @Override
        public void add(BodyPart part) {
            behind.add(part);
        }

        @Override
        public boolean ready(Runnable again) {
            return behind.ready(again);
        }

        @Override
        public byte[] bytes() {
            return NOTHING;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            file().write(sourceVersion.offset(index) + written, bytes.duplicate());
            hash.update(bytes.duplicate());
            ContentDigest blobDigest = digest();
            if (blobDigest != null) {
                hashed = written == 0 ? blobDigest.begins(index) : hashed;
                if (hashed) {
                    blobDigest.update(bytes);
                }
            }
            written += count;
            meter.moved(count);
        }

        @Override
        public void finish() throws IOException {
            file().finished(index, hash);
            ContentDigest blobDigest = digest();
            if (blobDigest != null) {
                blobDigest.whole(index, hashed);
            }
            end.tryEmitEmpty();
        }

        @Override
        public void failed(Throwable error) {
            end.tryEmitError(error);
        }

        @Override
        public void close() {
            behind.close();
        }
    }
}
