package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A target that puts the ranges of a small blob together, in whatever order they arrive, in the array that is the result. The first response gives how long
 * that is: the array counts as memory of the transfers from then on, so that downloads whose arrays do not fit beside each other wait for
 * each other (TRANSFER-3). Serves one download; safe for threads that bring different ranges.
 */
public final class InMemoryDownload implements RangeTarget.Choice, AutoCloseable {

    private static final String VERB = "download";

    /** Up to so many bytes are hashed on the thread on which they arrive. */
    private static final int HASHED_AT_ONCE = 256 << 10;

    private final BlobContext context;
    private final ReadPlan plan;
    private final DownloadSettings settings;
    private final Predicate<BlobInfo> wanted;
    private final DownloadMeter meter;
    private final TransferMemory.Share share;
    private volatile int length;
    private volatile byte @Nullable [] bytes;

    /**
     * A target of one download.
     *
     * @param wanted whether a blob is to be read
     * @param seen the Reactor context of its subscriber
     */
    InMemoryDownload(BlobContext context, DownloadSettings settings, Predicate<BlobInfo> wanted, ContextView seen) {
        this.context = context;
        this.plan = ReadPlan.of(context, settings);
        this.settings = settings;
        this.wanted = wanted;
        this.meter = new DownloadMeter(context, settings, seen);
        this.share = context.service().memory().share();
    }

    /** Returns the content of a blob, which is read for each subscriber; empty or an {@link UnwantedException} if it is not wanted. */
    Mono<byte[]> content(String name) {
        RangeSource source = new RangeSource(context, name, VERB);
        return source.first(plan, share, null, this)
                .flatMap(first -> wanted.test(first.info()) ? content(source, first) : Mono.empty())
                .contextWrite(meter::in);
    }

    private Mono<byte[]> content(RangeSource source, BlobPiece first) {
        Expansion expansion = Expansion.of(context, VERB, first.info(), plan.isComplete(), settings);
        int there = Math.min(plan.first(), length);
        meter.expect(length);
        meter.moved(there);
        Mono<byte[]> stored = length <= HASHED_AT_ONCE
                ? Mono.fromCallable(() -> checked(first))
                : BlockingTask.call(() -> checked(first));
        Mono<byte[]> content = length == there
                ? stored
                : RangeSource.all(missing(there, source, first.version()), settings.parallelism())
                        .then(stored);
        return expansion == null ? content : content.flatMap(bytes -> Download.expanded(expansion, bytes, share));
    }

    /** Frees its memory and ends its progress. */
    @Override
    public void close() {
        share.close();
        meter.close();
    }

    /** The end of a download whose blob is not wanted, before its bytes have room. */
    static final class UnwantedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private UnwantedException() {
            super("another blob is wanted", null, false, false);
        }
    }

    /** Returns the error of a blob that is too large. */
    public static IllegalStateException beyond(String resource, long size, int limit) {
        return new IllegalStateException(resource + " has " + size + " bytes, more than the limit of " + limit
                + " for a download into memory; downloadTo and open have none");
    }

    /** Returns the target of the first range; an {@link IllegalStateException} if all of it is more than the limit. */
    @Override
    public RangeTarget of(PinnedVersion version, int size) {
        begin(version);
        return new Part(0, (int) Math.min(Integer.MAX_VALUE, length + beside(size)));
    }

    private void begin(PinnedVersion version) {
        BlobInfo blob = version.info();
        if (!wanted.test(blob)) {
            throw new UnwantedException();
        }
        long all = Math.max(0, plan.end(blob.size()) - plan.from());
        if (all > settings.limit()) {
            throw beyond(context.resource(blob.name()), all, settings.limit());
        }
        length = (int) all;
    }

    /** The direct memory of the ranges behind the first one that are in flight. */
    private long beside(int first) {
        long ranges = ((long) length - first + plan.rangeSize() - 1) / plan.rangeSize();
        return Math.min(ranges, settings.parallelism()) * RangeSource.DIRECT;
    }

    /** Made for the first bytes. */
    private synchronized byte[] bytes() {
        byte[] made = bytes;
        if (made == null) {
            made = RangeTarget.array(length);
            bytes = made;
        }
        return made;
    }

    /** Returns reads of the ranges after the first one, which has so many bytes. */
    private Flux<Mono<BlobPiece>> missing(int first, RangeSource source, PinnedVersion version) {
        int size = plan.rangeSize();
        int ranges = (int) (((long) length - first + size - 1) / size);
        return Flux.range(0, ranges).map(i -> {
            int at = first + i * size;
            int count = Math.min(size, length - at);
            return source.read(plan.from() + at, count, version, (seen, bytes) -> new Part(at, 0))
                    .doOnNext(piece -> meter.moved(count));
        });
    }

    private byte[] checked(BlobPiece first) {
        byte[] whole = bytes();
        DownloadVerifier content = new DownloadVerifier(context, VERB, plan, settings.checksum());
        content.add(first.info(), first.ids(), ByteBuffer.wrap(whole));
        content.checked();
        return whole;
    }

    /** A range on its way to its place in the array. */
    private final class Part implements RangeTarget {

        private final int memory;
        private int at;

        Part(int at, int memory) {
            this.at = at;
            this.memory = memory;
        }

        @Override
        public int memory() {
            return memory;
        }

        @Override
        public void add(BodyPart part) {
            part.copyTo(InMemoryDownload.this.bytes(), at);
            at += part.length();
        }

        /** Empty, as the bytes are in the array. */
        @Override
        public byte[] bytes() {
            return NOTHING;
        }
    }
}
