package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.transport.ReadFrom;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The election of a leader by the lease of one blob, whose metadata count the terms. Only the holder of the lease writes the blob, so that
 * no two terms get one number. Thread-safe.
 */
public final class Election {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    private static final int PAUSES_IN_LEASE = 6;

    private final BlobContext context;
    private final String name;
    private final Duration lease;

    /**
     * Prepares an election.
     *
     * @param name the blob
     * @param lease the lease of the leader
     * @throws IllegalArgumentException if the name or the lease is not allowed
     */
    public Election(BlobContext context, String name, Duration lease) {
        this.context = context.with(ReadFrom.PRIMARY);
        this.name = BlobNameRules.check(name);
        this.lease = LeaseOperations.duration("lease", lease);
    }

    /** Returns the name of its blob. */
    public String name() {
        return name;
    }

    /** Returns the resource that the election is about. */
    public String resource() {
        return context.resource(name);
    }

    /** Waits until this process leads, and gives its term, to be ended. */
    public Mono<Term> elected() {
        return candidacy()
                .onErrorResume(Election::isRetryable, e -> {
                    LOG.debug("a candidate tries again", e);
                    return Mono.empty();
                })
                .repeatWhenEmpty(Integer.MAX_VALUE, tries -> tries.concatMap(none -> pause()));
    }

    /** Tries once, and gives the term, to be ended; empty if another client leads. */
    public Mono<Term> candidacy() {
        Mono<LeaseHolder> acquired = new LeaseOperations(context, name).acquire(lease);
        return acquired.onErrorResume(
                        NotFoundException.class,
                        e -> BlobConditions.blobMissing(e) ? created().then(acquired) : Mono.error(e))
                .onErrorResume(ConflictException.class, e -> Mono.empty())
                .flatMap(this::numbered);
    }

    private Mono<Void> created() {
        return new Upload(context, name, UploadSettings.defaults())
                .bytes(new byte[0])
                .then()
                .onErrorResume(Upload::isTaken, e -> Mono.empty());
    }

    /** A candidate whose number cannot be stored gives the lease back. */
    private Mono<Term> numbered(LeaseHolder holder) {
        AtomicBoolean given = new AtomicBoolean();
        holder.begin();
        BlobOperations guarded = new BlobOperations(holder.in(context));
        return guarded.info(name)
                .flatMap(info -> numbered(guarded, info))
                .map(number -> {
                    holder.requireHeld();
                    return new Term(holder, number);
                })
                .doOnNext(term -> given.set(true))
                .onErrorResume(e -> holder.abandoned("its term got no number").then(Mono.error(e)))
                .doOnCancel(() -> {
                    // An operator that has its one value may cancel.
                    if (!given.get()) {
                        holder.abandon("its candidate has left");
                    }
                });
    }

    private Mono<Long> numbered(BlobOperations guarded, BlobInfo info) {
        long number = TermNumber.next(resource(), info.metadata());
        return guarded.setMetadata(name, TermNumber.set(info.metadata(), number), info.etag())
                .thenReturn(number);
    }

    /** Returns whether a candidate tries again after this failure. */
    private static boolean isRetryable(Throwable error) {
        return error instanceof LeaseLostException
                || error instanceof UnreachableException
                || error instanceof ServerErrorException
                || error instanceof ThrottledException
                || error instanceof CircuitOpenException
                || error instanceof OutcomeUnknownException
                || error instanceof PreconditionFailedException
                || error instanceof ConflictException;
    }

    private Mono<Long> pause() {
        Duration max = lease.dividedBy(PAUSES_IN_LEASE);
        Duration longest = max.compareTo(MAX_PAUSE) < 0 ? max : MAX_PAUSE;
        double part = 0.5 + context.service().pipeline().random().nextDouble() / 2;
        Duration pause = Duration.ofNanos((long) (longest.toNanos() * part));
        return context.service().pause(pause);
    }

    /** A term of a leader. Thread-safe. */
    public static final class Term {

        private final LeaseHolder holder;
        private final long number;
        private final Map<FencedVersion, WeakReference<FencedVersion>> versions = new WeakHashMap<>();

        private Term(LeaseHolder holder, long number) {
            this.holder = holder;
            this.number = number;
        }

        public LeaseHolder holder() {
            return holder;
        }

        public long number() {
            return number;
        }

        /** Returns the version of the blob at an address: one object as long as anything refers to it. */
        FencedVersion version(String address) {
            FencedVersion prepared = new FencedVersion(address);
            synchronized (versions) {
                WeakReference<FencedVersion> equal = versions.get(prepared);
                FencedVersion known = equal == null ? null : equal.get();
                if (known == null) {
                    versions.put(prepared, new WeakReference<>(prepared));
                }
                return known == null ? prepared : known;
            }
        }

        /** Ends when the term is lost, with the error that reports it. */
        public <A> Mono<A> lost() {
            return holder.whenLost().then(Mono.defer(() -> Mono.error(holder.lostException(null))));
        }

        /**
         * Gives the lease back. The work has ended: a release that fails changes nothing of it, and the lease ends by itself.
         *
         * @return the end; an error if the term was lost before
         */
        public Mono<Void> end() {
            return Mono.defer(() -> holder.isLost() ? Mono.error(holder.lostException(null)) : holder.release())
                    .onErrorResume(StorageException.class, e -> {
                        LOG.debug("a leader's lease was not released and ends by itself", e);
                        return Mono.empty();
                    });
        }

        /** Leaves the term before its work has begun. */
        public void abandon() {
            holder.abandon("its candidate has left");
        }

        /** Returns the failure of work that threw after the term was lost, or the error as it is. */
        public Throwable asLeaseLoss(Throwable thrown) {
            return holder.isLost() ? holder.lostException(thrown) : thrown;
        }
    }
}
