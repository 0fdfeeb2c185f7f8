package io.stowline.blob.internal.copy;

import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CopyProgress;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;

/**
 * A copy that the service makes on its own schedule, by its id. The blob is read to see its state; one that shows another id is not touched (COPY-2). An
 * empty target of a copy that has failed is removed in the version that showed that (COPY-1). Stateless.
 */
public record PendingCopy(BlobContext context, String name, String id) {

    private static final String JOIN = "join";
    private static final String ABORT = "abort";

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(15);

    /** Checks the name and the id. */
    public PendingCopy {
        BlobNameRules.check(name);
        if (Objects.requireNonNull(id, "id").isEmpty()) {
            throw new IllegalArgumentException("the id of the copy to " + name + " is empty");
        }
    }

    /**
     * The blob as one response shows it.
     *
     * @param ids of the request that read it
     */
    private record State(BlobInfo info, CopyProgress progress, FailureFacts.Ids ids) {

        CopyStatusType status() {
            return progress.status();
        }
    }

    /** Requests how far it has come. */
    public Mono<CopyProgress> progress() {
        return state("progress").map(State::progress);
    }

    /** Waits for its end. */
    public Mono<BlobInfo> join() {
        return joined(FIRST_PAUSE);
    }

    /** Waits for its end for this time; empty if it is still pending. */
    public Mono<BlobInfo> join(Duration atMost) {
        Objects.requireNonNull(atMost, "atMost");
        // Closing stops the timer and ends the wait itself.
        Mono<Long> limit = Mono.delay(atMost, context.service().timer())
                .onErrorResume(RejectedExecutionException.class, stopped -> Mono.never());
        return join().timeout(limit, Mono.empty());
    }

    private Mono<BlobInfo> joined(Duration pause) {
        return state(JOIN).flatMap(state -> {
            if (state.status() == CopyStatusType.SUCCESS) {
                return Mono.just(state.info);
            }
            if (state.status() != CopyStatusType.PENDING) {
                return removed(state).then(Mono.error(() -> ended(state)));
            }
            Duration doubled = pause.multipliedBy(2);
            return context.service()
                    .pause(pause)
                    .flatMap(waited -> joined(doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE));
        });
    }

    /** Aborts it; the blob shows what has become of it, whatever the response. */
    public Mono<Boolean> abort() {
        return Mono.defer(() -> context.calls()
                        .direct()
                        .observed(
                                ABORT,
                                () -> context.resource(name),
                                () -> new BlobRequests(context, ABORT, name).abortCopy(id, context.retry()),
                                (aborted, exchange) -> aborted))
                .onErrorResume(
                        ConflictException.class,
                        e -> "NoPendingCopyOperation".equals(e.failure().errorCode()) ? Mono.just(true) : Mono.error(e))
                .then(Mono.defer(this::aborted))
                .onErrorResume(OutcomeUnknownException.class, unknown -> state(ABORT)
                        .onErrorMap(unread -> unknown)
                        .flatMap(state ->
                                state.status() == CopyStatusType.PENDING ? Mono.error(unknown) : aborted(state)));
    }

    private Mono<Boolean> aborted() {
        return state(ABORT).flatMap(this::aborted);
    }

    private Mono<Boolean> aborted(State state) {
        return state.status() == CopyStatusType.SUCCESS
                ? Mono.just(false)
                : removed(state).thenReturn(true);
    }

    /** Another client may have removed or replaced it since. */
    private Mono<Void> removed(State state) {
        return new BlobOperations(context)
                .delete(name, state.info.etag())
                .then()
                .onErrorResume(NotFoundException.class, gone -> Mono.empty())
                .onErrorResume(PreconditionFailedException.class, replaced -> Mono.empty());
    }

    private Mono<State> state(String verb) {
        return new BlobOperations(context.atPrimary()).head(verb, name, null, response -> {
            BlobProperties seen = response.getValue();
            FailureFacts.Ids ids = FailureFacts.Ids.of(response);
            if (!id.equals(seen.getCopyId()) || seen.getCopyStatus() == null) {
                throw another(verb, ids);
            }
            BlobInfo info = BlobInfoMapper.of(name, response);
            return new State(info, progress(seen, info.size()), ids);
        });
    }

    /** The service shows {@code done/total}. */
    private static CopyProgress progress(BlobProperties seen, long size) {
        String shown = Objects.requireNonNullElse(seen.getCopyProgress(), "");
        int slash = shown.indexOf('/');
        return new CopyProgress(
                seen.getCopyStatus(),
                slash < 0 ? 0 : Long.parseLong(shown.substring(0, slash)),
                slash < 0 ? size : Long.parseLong(shown.substring(slash + 1)),
                Optional.ofNullable(seen.getCopyStatusDescription()));
    }

    private ConflictException another(String verb, FailureFacts.Ids ids) {
        return new ConflictException(
                FailureFacts.of(verb, context.resource(name))
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(200, null)
                        .because(
                                "the blob is not, or no longer, the target of the copy " + id,
                                "another copy or write has replaced it, or the copy ended and the blob was changed"),
                null);
    }

    private ServerErrorException ended(State state) {
        return new ServerErrorException(
                FailureFacts.of(JOIN, context.resource(name))
                        .ids(state.ids)
                        .tried(1, 0, Duration.ZERO)
                        .because(
                                "the service ended the copy " + id + " as " + state.status()
                                        + state.progress
                                                .description()
                                                .map(why -> ": " + why)
                                                .orElse(""),
                                "its empty target was removed; start it again, or use copyFrom"),
                null);
    }
}
