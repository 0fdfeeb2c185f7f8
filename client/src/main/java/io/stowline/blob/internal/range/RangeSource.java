package io.stowline.blob.internal.range;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.BadRequestException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source of ranges of one blob, whose responses arrive in the memory that the reader gets. A body that breaks off is
 * resumed there, in the version that the first response named, as often and as patiently as the settings allow. Each
 * range has one deadline. Thread-safe.
 */
public final class RangeSource {

    /** Bytes that every reader may have, whatever others hold. */
    public static final int UNCOUNTED = 256 << 10;

    /** The direct memory that a range in flight has beside its bytes in memory. */
    public static final int DIRECT = 128 << 10;

    private static final byte[] NOTHING = new byte[0];

    private final BlobContext context;
    private final String name;
    private final String verb;
    private final @Nullable Deadline within;

    public RangeSource(BlobContext context, String name, String verb) {
        this(context, name, verb, null);
    }

    private RangeSource(BlobContext context, String name, String verb, @Nullable Deadline within) {
        this.context = context;
        this.name = BlobNameRules.check(name);
        this.verb = verb;
        this.within = within;
    }

    /** Returns a reader for a read-back, within the write's deadline and first in line. */
    public RangeSource within(Deadline deadline) {
        return new RangeSource(context, name, verb, deadline);
    }

    /**
     * Returns the range of the present version, or as much of it as the blob has: no bytes behind its end.
     *
     * @param share counts its bytes once their number is known
     * @param known the version that is not to be read: an {@link UnchangedException} if it is the present one; or {@code null}
     */
    public Mono<BlobPiece> first(long offset, int count, TransferMemory.Share share, @Nullable String known) {
        return first(new ReadPlan(offset, count, count, 1, null, null), share, known, RangeTarget.Choice.MEMORY);
    }

    /**
     * Reads the first range of a plan into a target, if the blob's tags are as the plan requires. An empty blob has no range, so that the
     * service refuses the first one.
     */
    public Mono<BlobPiece> first(
            ReadPlan plan, TransferMemory.Share share, @Nullable String known, RangeTarget.Choice target) {
        return read(
                        new RangeRequest(
                                verb, name, plan.from(), plan.first(), null, known, plan.ifMatch(), plan.ifTags()),
                        share,
                        target)
                .onErrorResume(RangeSource::isEmpty, e -> nothing(plan, e));
    }

    private Mono<BlobPiece> nothing(ReadPlan plan, Throwable refusal) {
        return head(plan).flatMap(piece -> piece.info().size() <= plan.from() ? Mono.just(piece) : Mono.error(refusal));
    }

    /** Returns the version of a plan, by a request that reads no content: a piece without bytes. */
    public Mono<BlobPiece> head(ReadPlan plan) {
        return new BlobOperations(context)
                .headIf(verb, name, plan.ifMatch(), plan.ifTags(), response -> {
                    FailureFacts.Ids ids = FailureFacts.Ids.of(response);
                    PinnedVersion version = PinnedVersion.of(
                            BlobInfoMapper.of(name, response),
                            response.getValue().getCreationTime());
                    return version.info().size() < 0
                            ? sized(version, plan, ids)
                            : Mono.just(new BlobPiece(
                                    version.readable(context, verb, response.getStatusCode(), ids),
                                    plan.from(),
                                    NOTHING,
                                    ids));
                })
                .flatMap(piece -> piece);
    }

    /** Some gateways drop the length: a range of one byte gives that of the blob, too. */
    private Mono<BlobPiece> sized(PinnedVersion found, ReadPlan plan, FailureFacts.Ids ids) {
        String ifMatch = found.ifMatch() == null ? plan.ifMatch() : found.ifMatch();
        return byteAt0(ifMatch, plan.ifTags())
                .map(piece -> new BlobPiece(piece.version(), plan.from(), NOTHING, piece.ids()))
                .onErrorResume(
                        RangeSource::isEmpty,
                        e -> Mono.fromSupplier(() -> new BlobPiece(
                                found.sized(0).readable(context, verb, 200, ids), plan.from(), NOTHING, ids)));
    }

    /**
     * Returns the bytes of the present version, by a response with content: some gateways drop the length of others.
     */
    public Mono<Long> length() {
        return byteAt0(null, null)
                .map(piece -> piece.info().size())
                .onErrorResume(RangeSource::isEmpty, e -> Mono.just(0L));
    }

    private Mono<BlobPiece> byteAt0(@Nullable String ifMatch, @Nullable String ifTags) {
        return read(new RangeRequest(verb, name, 0, 1, null, null, ifMatch, ifTags), null, RangeTarget.Choice.MEMORY);
    }

    private static boolean isEmpty(Throwable error) {
        return error instanceof BadRequestException refusal && refusal.failure().status() == 416;
    }

    /** Reads a range of a known version into a target, for which its reader has the memory. */
    public Mono<BlobPiece> read(long offset, int count, PinnedVersion version, RangeTarget.Choice target) {
        return read(new RangeRequest(verb, name, offset, count, version, null, null, null), null, target);
    }

    /** Reads ranges, so many at a time; the first error ends all. */
    public static <A> Mono<Void> all(Flux<Mono<A>> ranges, int atOnce) {
        // As values: an error that comes after the first one would be logged as dropped.
        return ranges.flatMap(Mono::materialize, atOnce, 1).dematerialize().then();
    }

    private Mono<BlobPiece> read(
            RangeRequest requested, TransferMemory.@Nullable Share share, RangeTarget.Choice target) {
        return Mono.deferContextual(seen -> {
            RetrySettings settings = within == null
                    ? context.retry()
                    : TransferTimes.of(context.retry().forReadBack(), requested.count());
            return new RangeAttempts(context, requested, settings, within, share, target, seen).next();
        });
    }

    /**
     * A range to read.
     *
     * @param verb the caller's verb
     * @param name the blob
     * @param offset where it begins
     * @param count how many bytes at the most
     * @param version the version to read, or {@code null} for the present one
     * @param unless the version that is not to be read, since it is known, or {@code null}
     * @param ifMatch the only version to read, of a request without a version, or {@code null}
     * @param ifTags what the blob's tags must be, or {@code null}
     */
    public record RangeRequest(
            String verb,
            String name,
            long offset,
            int count,
            @Nullable PinnedVersion version,
            @Nullable String unless,
            @Nullable String ifMatch,
            @Nullable String ifTags) {

        /** The version that is not to be read is still the present one. No error but to the reader of a body. */
        public static final class UnchangedException extends RuntimeException {

            private static final long serialVersionUID = 1L;

            UnchangedException() {
                super("unchanged", null, false, false);
            }
        }
    }

    /** The target of one range's bytes, in their order. The calls come one after the other, from I/O threads. */
    public interface RangeTarget {

        /** The bytes of a range that has none, or whose bytes are elsewhere. */
        byte[] NOTHING = new byte[0];

        /** Returns an array for content; an {@link IllegalStateException} if the heap has no room for it. */
        static byte[] array(int size) {
            try {
                return new byte[size];
            } catch (OutOfMemoryError full) {
                throw new IllegalStateException(
                        "the heap of " + Runtime.getRuntime().maxMemory() + " bytes has no room for " + size
                                + " bytes of a blob: read it with open or downloadTo, or give the JVM more by -Xmx",
                        full);
            }
        }

        /** Returns the most memory that it takes. */
        int memory();

        /** Takes the next bytes. */
        void add(BodyPart part);

        /**
         * Returns whether more may come.
         *
         * @param again run once more may come, on any thread, if this returns false
         */
        default boolean ready(Runnable again) {
            return true;
        }

        /** Returns all bytes, or none if they are elsewhere. */
        byte[] bytes();

        /** The choice of the target of a range, made when its first response begins. */
        interface Choice {

            /** Memory. */
            Choice MEMORY = (version, size) -> new MemoryTarget(size);

            /**
             * Returns the target of a range of so many bytes; called again if there was no memory for it.
             *
             * @param version what the blob is
             */
            RangeTarget of(PinnedVersion version, int size);
        }

        /** An array of its size, which is made when the first bytes are there. */
        final class MemoryTarget implements RangeTarget {

            private final int size;
            private byte @Nullable [] bytes;
            private int filled;

            public MemoryTarget(int size) {
                this.size = size;
            }

            @Override
            public int memory() {
                return size;
            }

            @Override
            public void add(BodyPart part) {
                byte[] target = bytes;
                if (target == null) {
                    target = RangeTarget.array(size);
                    bytes = target;
                }
                part.copyTo(target, filled);
                filled += part.length();
            }

            @Override
            public byte[] bytes() {
                byte[] arrived = bytes;
                return arrived == null ? NOTHING : arrived;
            }
        }
    }
}
