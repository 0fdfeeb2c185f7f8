package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A target that puts the ranges of a small blob together, in whatever order they arrive, in the array that is the result. The first response gives how long
 * that is: the array counts as memory of the transfers from then on, so that downloads whose arrays do not fit beside each other wait for
 * each other (TRANSFER-3). Serves one download; safe for threads that bring different ranges.
 */
public final class InMemoryDownload implements RangeTarget.Choice {

    private final BlobContext context;
    private final ReadPlan plan;
    private final DownloadSettings settings;
    private final Predicate<BlobInfo> wanted;
    private volatile int length;
    private volatile byte @Nullable [] bytes;

    /**
     * A target of one download.
     *
     * @param wanted whether a blob is to be read
     */
    InMemoryDownload(BlobContext context, ReadPlan plan, DownloadSettings settings, Predicate<BlobInfo> wanted) {
        this.context = context;
        this.plan = plan;
        this.settings = settings;
        this.wanted = wanted;
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
    Flux<Mono<BlobPiece>> missing(int first, RangeSource source, PinnedVersion version, DownloadMeter meter) {
        int size = plan.rangeSize();
        int ranges = (int) (((long) length - first + size - 1) / size);
        return Flux.range(0, ranges).map(i -> {
            int at = first + i * size;
            int count = Math.min(size, length - at);
            return source.read(plan.from() + at, count, version, (seen, bytes) -> new Part(at, 0))
                    .doOnNext(piece -> meter.moved(count));
        });
    }

    int length() {
        return length;
    }

    /** Returns the content, after its checks. */
    byte[] checked(BlobPiece first) {
        byte[] whole = bytes();
        DownloadVerifier content = new DownloadVerifier(context, "download", plan, settings.checksum());
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
