package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeRequest.UnchangedException;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A download of blobs into memory or as streams of pieces, several ranges at a time and all of one version: the ETag of
 * the first response is the condition of the others. The others begin at the place that served the first, and the other
 * place serves them if it has that version. Results arrive on an I/O or timer thread. Thread-safe.
 */
public final class Download {

    /** The most bytes of a range, unless the settings set another. */
    public static final int PIECE = 8 * 1024 * 1024;

    private static final String OPEN = "open";

    private final BlobContext context;

    /** The downloads from one container. */
    public Download(BlobContext context) {
        this.context = context;
    }

    /** A download whose first piece is there: then it is known what the blob is. Closing it frees what it holds. */
    public static final class Begun implements AutoCloseable {

        private final @Nullable OrderedRead read;
        private final BlobPiece first;

        private Begun(@Nullable OrderedRead read, BlobPiece first) {
            this.read = read;
            this.first = first;
        }

        /** Returns the blob. */
        public BlobInfo info() {
            return first.info();
        }

        /** Returns the content in its order; each piece belongs to its receiver. */
        public Flux<BlobPiece> pieces() {
            Flux<BlobPiece> begin = Flux.just(first);
            return read == null ? begin : begin.concatWith(read.rest());
        }

        /** Returns the bytes of the content. */
        public long length() {
            return read == null ? 0 : read.length();
        }

        @Override
        public void close() {
            if (read != null) {
                read.close();
            }
        }
    }

    /** Begins a download, but not of the version that is known: an {@link UnchangedException} if that is the present one. */
    public Mono<Begun> begun(String verb, String name, @Nullable String known) {
        return begun(verb, name, ReadPlan.of(context, DownloadSettings.defaults()), known);
    }

    /** Begins a download of a blob that a listing shows to be empty: by one request, unless it has content now. */
    public Mono<Begun> begunEmpty(String verb, String name) {
        ReadPlan plan = ReadPlan.of(context, DownloadSettings.defaults());
        return new RangeSource(context, name, verb)
                .head(plan)
                .flatMap(first ->
                        first.info().size() == 0 ? Mono.just(new Begun(null, first)) : begun(verb, name, plan, null));
    }

    /** Begins the download of a plan. */
    public Mono<Begun> begun(String verb, String name, ReadPlan plan, @Nullable String known) {
        return Mono.defer(() -> {
            OrderedRead read = new OrderedRead(context, verb, name, plan);
            return read.first(known)
                    .map(first -> new Begun(read, first))
                    .doOnError(error -> read.close())
                    .doOnCancel(read::close);
        });
    }

    /** Refuses a limit that is negative. */
    public static void checkLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit is not negative, but was " + limit);
        }
    }

    /** A result of bytes only cannot name its place. */
    private Download atPrimary() {
        return new Download(context.atPrimary());
    }

    /**
     * Returns the content of a blob as it arrives.
     *
     * @return the content in its order
     */
    public Flux<ByteBuffer> open(String name, DownloadSettings settings) {
        return Flux.usingWhen(
                opened(name, settings), OpenedContent::source, content -> Mono.fromRunnable(content::close));
    }

    /**
     * Returns the content of a blob, which is read once its facts are known.
     *
     * @return the content in one version, to be closed unless it is read
     */
    public Mono<OpenedContent> opened(String name, DownloadSettings settings) {
        return Mono.deferContextual(seen -> {
            DownloadMeter meter = new DownloadMeter(context, settings, seen);
            return atPrimary()
                    .begun(OPEN, name, ReadPlan.of(context, settings), null)
                    .map(begun -> opened(begun, settings, meter))
                    .contextWrite(meter::in)
                    .doOnError(error -> meter.close())
                    .doOnCancel(meter::close)
                    .doOnDiscard(OpenedContent.class, OpenedContent::close);
        });
    }

    private OpenedContent opened(Begun begun, DownloadSettings settings, DownloadMeter meter) {
        boolean whole = ReadPlan.of(context, settings).isComplete();
        Expansion expansion;
        try {
            expansion = Expansion.of(context, OPEN, begun.info(), whole, settings);
        } catch (IllegalStateException e) {
            begun.close();
            throw e;
        }
        meter.expect(begun.length());
        Flux<ByteBuffer> content = begun.pieces()
                .doOnNext(piece -> meter.moved(piece.bytes().length))
                .map(piece -> ByteBuffer.wrap(piece.bytes()))
                .contextWrite(meter::in);
        Runnable release = () -> {
            begun.close();
            meter.close();
        };
        OpenedContent stored = new OpenedContent(begun.info(), begun.length(), content, release);
        return expansion == null ? stored : expansion.expanded(stored);
    }

    /**
     * Returns the whole content of a small blob, or a part of it.
     *
     * @return the content; an {@link IllegalStateException} if there is more of it than the limit of the settings
     */
    public Mono<byte[]> whole(String name, DownloadSettings settings) {
        return inMemory(name, settings, blob -> true);
    }

    /**
     * Returns the whole content of a small blob, or a part of it, if its first response shows a blob that is wanted.
     *
     * @return the content; empty if the blob is not wanted
     */
    public Mono<byte[]> whole(String name, DownloadSettings settings, Predicate<BlobInfo> wanted) {
        return inMemory(name, settings, wanted)
                .onErrorResume(InMemoryDownload.UnwantedException.class, unwanted -> Mono.empty());
    }

    private Mono<byte[]> inMemory(String name, DownloadSettings settings, Predicate<BlobInfo> wanted) {
        return Mono.deferContextual(seen -> Mono.using(
                () -> new InMemoryDownload(context.atPrimary(), settings, wanted, seen),
                whole -> whole.content(name),
                InMemoryDownload::close));
    }

    /**
     * Returns the expanded content of a blob that is in memory. Stored bytes that wait for the memory of the expanded ones count as none, so
     * that downloads never wait for each other.
     *
     * @param expansion closed at the end
     */
    public static Mono<byte[]> expanded(Expansion expansion, byte[] stored, TransferMemory.Share share) {
        return Mono.using(
                () -> expansion,
                running -> expanded(running, stored, share, running.expectedSize(stored)),
                Expansion::close);
    }

    /** Content that is longer than expected is expanded once more, in memory that counts. */
    private static Mono<byte[]> expanded(Expansion running, byte[] stored, TransferMemory.Share share, int size) {
        return room(share, size)
                .then(BlockingTask.call(() -> running.whole(stored, RangeTarget.array(size))))
                .switchIfEmpty(Mono.defer(() -> {
                    share.free(size);
                    return expanded(running, stored, share, (int) running.length());
                }));
    }

    private static Mono<Boolean> room(TransferMemory.Share share, int size) {
        return Mono.defer(() -> {
            if (share.tryTake(size)) {
                return Mono.just(true);
            }
            long before = share.reservedBytes();
            share.free(before);
            return share.take(before + size);
        });
    }
}
