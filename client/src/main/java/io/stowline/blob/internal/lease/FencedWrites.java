package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The writes of one term to one blob. The term writes its number first; from then on each write names the ETag that this term made last, which
 * a later term changes by its own number. All writes of a term to a blob go one by one, through all objects. Thread-safe.
 */
public final class FencedWrites {

    /** The reads of a blob that other clients write at the same time. */
    private static final int MAX_TRIES = 5;

    private static final Duration MIN_WAIT = Duration.ofMillis(1);

    private final Term term;
    private final BlobContext context;
    private final String name;
    private final FencedVersion version;

    /** Prepares the writes; nothing is sent. */
    public FencedWrites(Term term, BlobContext context, String name) {
        this.term = term;
        this.context = context.with(ReadFrom.PRIMARY);
        this.name = BlobNameRules.check(name);
        this.version = term.version(context.address(name));
    }

    /** Returns the blob's name. */
    public String name() {
        return name;
    }

    /** Writes the number of the term into the blob. */
    public Mono<FencedWrites> fence() {
        return inTurn("fence", this::fence).thenReturn(this);
    }

    /** Replaces the content, if no other client has written the blob since. */
    public Mono<BlobWriteResult> upload(byte[] content, UnaryOperator<UploadSettings.Builder> settings) {
        return Mono.defer(() -> {
            UploadSettings requested = settings.apply(UploadSettings.builder()).build();
            return inTurn("upload", within -> {
                Mono<BlobWriteResult> upload = Mono.defer(() -> upload(within.get(), content, requested));
                return version.etag() == null ? fence(within).then(upload) : upload;
            });
        });
    }

    /** The container with the rest of a call's deadline. */
    private interface Rest extends Supplier<BlobContext> {}

    /** Waits for the writes before, within the deadline of the call. */
    private <T> Mono<T> inTurn(String verb, Function<Rest, Mono<T>> work) {
        return Mono.defer(() -> {
            Deadline deadline = context.deadline();
            Duration max = deadline.untilLastStart(context.retry());
            return version.turns()
                    .take(
                            Mono.defer(() -> work.apply(() -> within(deadline))),
                            max.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : max,
                            () -> late(verb),
                            context.service().timer());
        });
    }

    private StorageException late(String verb) {
        return ErrorMapper.unsent(
                verb,
                context.resource(name),
                context.retry().deadline(),
                "behind other fenced writes of the blob",
                null);
    }

    private BlobContext within(Deadline deadline) {
        RetrySettings settings = context.retry();
        Duration min = settings.minAttempt().plus(settings.reserve());
        Duration left = deadline.remaining().truncatedTo(ChronoUnit.MILLIS).plus(MIN_WAIT);
        return left.compareTo(settings.deadline()) >= 0
                ? context
                : context.with(settings.toBuilder()
                        .deadline(left.compareTo(min) < 0 ? min : left)
                        .build());
    }

    /** A version that is not proved is changed again: what an earlier write of this term has left unresolved is refused from then on. */
    private Mono<String> fence(Rest within) {
        return version.changed(known -> fenced(within, known != null, MAX_TRIES), etag -> etag);
    }

    private Mono<String> fenced(Rest within, boolean proved, int tries) {
        Mono<String> once = Mono.defer(() -> {
            term.holder().requireHeld();
            BlobOperations blobs = new BlobOperations(within.get());
            return blobs.find(name)
                    .flatMap(info -> numbered(blobs, info, proved))
                    .switchIfEmpty(Mono.defer(() -> created(within.get())));
        });
        return tries == 0
                ? once
                : once.filter(found -> !found.isEmpty())
                        .onErrorResume(FencedWrites::isOvertaken, e -> Mono.empty())
                        .switchIfEmpty(Mono.defer(() -> fenced(within, proved, tries - 1)));
    }

    private static boolean isOvertaken(Throwable error) {
        return error instanceof PreconditionFailedException || Upload.isTaken(error);
    }

    private Mono<String> created(BlobContext within) {
        UploadSettings settings = UploadSettings.builder()
                .metadata(TermNumber.set(Map.of(), term.number()))
                .build();
        return new Upload(within, name, settings).bytes(new byte[0]).map(BlobWriteResult::etag);
    }

    private Mono<String> numbered(BlobOperations blobs, BlobInfo info, boolean proved) {
        long stored = TermNumber.in(context.resource(name), info.metadata());
        if (stored > term.number()) {
            return Mono.error(new LeaseLostException(
                    "term " + term.number() + " is over: term " + stored + " has fenced " + context.resource(name),
                    null));
        }
        return proved && stored == term.number()
                ? Mono.just(info.etag())
                : blobs.setMetadata(name, TermNumber.set(info.metadata(), term.number()), info.etag())
                        .map(made -> made.etag());
    }

    private Mono<BlobWriteResult> upload(BlobContext within, byte[] content, UploadSettings requested) {
        term.holder().requireHeld();
        return version.changed(
                known -> {
                    UploadSettings fenced = requested.toBuilder()
                            .ifMatch(Objects.requireNonNull(known, "fenced before"))
                            .metadata(TermNumber.set(requested.metadata(), term.number()))
                            .build();
                    return new Upload(within, name, fenced).bytes(content);
                },
                BlobWriteResult::etag);
    }
}
