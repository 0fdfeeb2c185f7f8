package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.blob.internal.request.BlobRequests.BlobVersion;
import io.stowline.blob.internal.request.BlobRequests.StagedBlock;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.RetryListener;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The requests of one upload to a block blob, or of a copy to it. What they give arrives on an I/O thread. Thread-safe. */
public final class BlockOperations {

    /** The bytes of an id of a block, the same for all blocks of a blob. */
    public static final int ID_LENGTH = UploadBlock.ID_LENGTH;

    static final String VERB = "upload";

    private static final int LITTLE = FileSource.SMALL;

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final UploadSettings settings;
    private final BlobRequests requests;

    BlockOperations(BlobContext context, String name, UploadSettings settings) {
        this(context, VERB, name, settings);
    }

    /** The requests of a caller's verb. */
    public BlockOperations(BlobContext context, String verb, String name, UploadSettings settings) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.settings = settings;
        this.requests = new BlobRequests(context, verb, name);
    }

    /** Returns the requests of the same upload with other settings. */
    BlockOperations with(UploadSettings other) {
        return new BlockOperations(context, verb, name, other);
    }

    /** The requests of a caller, which counts those that are sent again. */
    private BlobRequests requests(ContextView seen) {
        RetryListener retries = RetryListener.in(seen);
        return retries == null ? requests : requests.reportingTo(retries::retried);
    }

    private String resource() {
        return context.resource(name);
    }

    /** Returns the failure of content that is longer than the largest number of blocks. */
    RuntimeException tooManyBlocks() {
        String why = verb + " " + resource() + ": the content has more bytes than fit into " + UploadBlock.MAX
                + " blocks, the most that a blob takes; nothing was committed, use a larger blockSize than "
                + settings.blockSize() + " bytes";
        return new UncheckedIOException(why, new IOException(why));
    }

    /** The time limit counts only time without progress (TRANSFER-7). */
    private static <A> Exchange<A> moving(Exchange<A> request, int bytes, Standstill standstill) {
        return bytes <= LITTLE ? request : request.with(options -> options.countingStandstill(standstill));
    }

    /** A put is the first request of its upload, but in a transfer of many blobs one of its later parts. */
    private Standstill ofPut(ContextView seen) {
        boolean alone = ProgressMeter.in(seen) == null || settings.progress().isPresent();
        return alone ? new Standstill(context.service().timer(), context.retry().deadline()) : ofPart();
    }

    private Standstill ofPart() {
        return new Standstill(context.service().timer());
    }

    /** Returns the work as one operation of the caller. */
    <A> Mono<A> asOperation(Mono<A> work) {
        return asOperation(context, name, work);
    }

    static <A> Mono<A> asOperation(BlobContext context, String name, Mono<A> work) {
        return context.asOperation(
                Operation.of(VERB, context.resource(name), OperationType.WRITE, context.retry()), work);
    }

    /** Uploads the whole content in one request. */
    Mono<BlobWriteResult> put(UploadBlock content) {
        return Mono.deferContextual(seen -> {
                    String md5 = Base64.getEncoder().encodeToString(content.md5());
                    return made(
                            content.size(),
                            md5,
                            outcome -> moving(
                                    requests(seen).put(outcome.commit(), content.body(), md5, context.retry()),
                                    content.size(),
                                    ofPut(seen)));
                })
                .onErrorResume(BadRequestException.class, e -> refused(content, e));
    }

    /** Bytes with another MD5 were damaged on their way, or have changed since they were hashed. */
    private static <T> Mono<T> refused(UploadBlock block, BadRequestException e) {
        return "Md5Mismatch".equals(e.failure().errorCode()) ? block.unchanged().then(Mono.error(e)) : Mono.error(e);
    }

    /** Makes the blob of what was staged. The service has not seen the whole content, so that its MD5 has to be given. */
    public Mono<BlobWriteResult> commit(List<String> blockIds, long size, @Nullable String md5) {
        return Mono.deferContextual(seen ->
                        made(size, md5, outcome -> requests(seen).commit(outcome.commit(), blockIds, context.retry())))
                .onErrorMap(
                        BadRequestException.class,
                        e -> "InvalidBlockList".equals(e.failure().errorCode()) ? overtaken(e) : e);
    }

    /** A commit removes all uncommitted blocks of its blob, those of other uploads, too. */
    private ConflictException overtaken(BadRequestException refusal) {
        FailureDetails known = refusal.failure();
        return new ConflictException(
                FailureFacts.of(verb, resource())
                        .ids(known.clientRequestId(), known.requestId())
                        .tried(known.attempts(), known.unansweredAttempts(), known.elapsed())
                        .status(known.status(), known.errorCode())
                        .because(
                                "blocks of this upload are gone: another upload of this blob was committed in between,"
                                        + " or it was deleted; nothing of this one was committed",
                                "the content has to be uploaded again"),
                refusal);
    }

    /**
     * Makes the blob by one request, and settles its outcome.
     *
     * @param md5 the MD5 of the content in Base64, or {@code null} if it is not known
     */
    public Mono<BlobWriteResult> made(
            long size, @Nullable String md5, Function<UploadOutcome, Exchange<BlobVersion>> request) {
        return Mono.defer(() -> {
            UploadOutcome outcome =
                    new UploadOutcome(context, verb, name, settings, new UploadOutcome.UploadedContent(size, md5));
            return context.calls()
                    .direct()
                    .settled(
                            verb,
                            this::resource,
                            () -> request.apply(outcome),
                            (made, exchange) -> outcome.confirmed(
                                    made, context.service().pipeline().unresolved(exchange)),
                            outcome::settle);
        });
    }

    /** Stages a block. Readers see no change before the commit, so that a lost response leaves nothing unresolved. */
    Mono<Void> stage(UploadBlock block, String id, byte[] md5) {
        String checksum = Base64.getEncoder().encodeToString(md5);
        return staged(requests ->
                        moving(requests.stage(id, block.body(), checksum, context.retry()), block.size(), ofPart()))
                .onErrorResume(BadRequestException.class, e -> refused(block, e));
    }

    /** Stages a block by one request. */
    public Mono<Void> staged(Function<BlobRequests, Exchange<Boolean>> request) {
        return Mono.deferContextual(seen -> context.calls()
                        .direct()
                        .observed(
                                verb,
                                this::resource,
                                () -> request.apply(requests(seen)),
                                (staged, exchange) -> staged))
                .onErrorMap(OutcomeUnknownException.class, BlockOperations::uncommitted)
                .onErrorMap(ConflictException.class, BlockOperations::ofOtherType)
                .then();
    }

    /** Blocks cannot be staged beside an append or page blob, so that nothing replaces it in one step. */
    private static ConflictException ofOtherType(ConflictException refusal) {
        FailureDetails known = refusal.failure();
        return "InvalidBlobType".equals(known.errorCode())
                ? new ConflictException(
                        FailureFacts.of(known.operation(), known.resource())
                                .ids(known.clientRequestId(), known.requestId())
                                .tried(known.attempts(), known.unansweredAttempts(), known.elapsed())
                                .status(known.status(), known.errorCode())
                                .because(
                                        "the blob is an append or page blob, to which no blocks can be sent; it is as"
                                                + " it was",
                                        "delete it first, or set a blockSize of at least the content: one request"
                                                + " replaces a blob of any type"),
                        refusal)
                : refusal;
    }

    private static Throwable uncommitted(OutcomeUnknownException e) {
        StorageException settled = ErrorMapper.settled(e, ErrorMapper.UNCOMMITTED);
        return settled.getCause() instanceof UncheckedIOException unreadable ? unreadable : settled;
    }

    /**
     * Returns the blocks that an upload before this one left, with their sizes by their ids (TRANSFER-1).
     *
     * @throws ConflictException as an error, if there are blocks that make it impossible to add others
     */
    public Mono<Map<String, Long>> leftovers() {
        return context.calls()
                .direct()
                .observed(
                        verb,
                        this::resource,
                        () -> requests.uncommitted(context.retry()),
                        (found, exchange) -> new LeftBlocks(
                                found.blocks(), new FailureFacts.Ids(exchange.clientRequestId(), found.requestId())))
                .onErrorResume(NotFoundException.class, missing -> Mono.just(LeftBlocks.NONE))
                .onErrorResume(
                        AuthenticationException.class, e -> forbidden(e) ? Mono.just(LeftBlocks.NONE) : Mono.error(e))
                .onErrorResume(
                        ConflictException.class,
                        e -> BlobConditions.hasOtherKey(e) ? Mono.just(LeftBlocks.NONE) : Mono.error(e))
                .onErrorMap(ConflictException.class, BlockOperations::ofOtherType)
                .map(this::known);
    }

    /**
     * The blocks of earlier uploads.
     *
     * @param ids of the request that found them
     */
    private record LeftBlocks(List<StagedBlock> blocks, FailureFacts.Ids ids) {

        static final LeftBlocks NONE = new LeftBlocks(List.of(), FailureFacts.Ids.NONE);
    }

    private Map<String, Long> known(LeftBlocks left) {
        for (StagedBlock block : left.blocks) {
            int length = idLength(block.id());
            if (length != UploadBlock.ID_LENGTH) {
                throw foreign(length, left.ids);
            }
        }
        return left.blocks.stream().collect(Collectors.toMap(StagedBlock::id, StagedBlock::size, (one, two) -> two));
    }

    private static int idLength(String id) {
        try {
            return Base64.getDecoder().decode(id).length;
        } catch (IllegalArgumentException noBase64) {
            return -1;
        }
    }

    private ConflictException foreign(int length, FailureFacts.Ids ids) {
        return new ConflictException(
                FailureFacts.of(verb, resource())
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(200, null)
                        .because(
                                "another client left uncommitted blocks whose ids have " + length
                                        + " bytes, and all ids"
                                        + " of a blob have the same length; those of this client have "
                                        + UploadBlock.ID_LENGTH,
                                "the service removes them a week after the last of them; writing the blob in one"
                                        + " request removes them at once"),
                null);
    }

    /**
     * Blocks have no conditions, only the commit has: whether it can succeed is checked before all of them are sent. A credential that may
     * write but not read learns it at the commit, and so does one without the key of an encrypted blob, which the commit replaces.
     */
    public Mono<Void> permitted() {
        Mono<Void> permitted = settings.ifMatch().map(this::present).orElseGet(this::absent);
        return permitted.onErrorResume(AuthenticationException.class, e -> forbidden(e) ? Mono.empty() : Mono.error(e));
    }

    private static boolean forbidden(AuthenticationException e) {
        return e.failure().status() == 403;
    }

    private Mono<Void> present(String etag) {
        return new PropertyReads(context)
                .of(verb, name, etag)
                .onErrorMap(NotFoundException.class, BlockOperations::gone)
                .then()
                .onErrorResume(
                        ConflictException.class, e -> BlobConditions.hasOtherKey(e) ? Mono.empty() : Mono.error(e));
    }

    private static Throwable gone(NotFoundException e) {
        return BlobConditions.blobMissing(e) ? new PreconditionFailedException(e.failure(), e) : e;
    }

    private Mono<Void> absent() {
        return settings.overwrite()
                ? Mono.empty()
                : BlobConditions.unlessMissing(
                                new PropertyReads(context).of(verb, name, null).map(StoredProperties::ids))
                        .onErrorMap(
                                ConflictException.class,
                                e -> BlobConditions.hasOtherKey(e)
                                        ? taken(new FailureFacts.Ids(
                                                e.failure().clientRequestId(),
                                                e.failure().requestId()))
                                        : e)
                        .flatMap(ids -> Mono.error(taken(ids)));
    }

    private ConflictException taken(FailureFacts.Ids ids) {
        return new ConflictException(
                FailureFacts.of(verb, resource())
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(200, null)
                        .because(
                                "the blob is there already, and overwrite() is not set",
                                "checked before anything was sent"),
                new PresentBlobException());
    }

    /** Returns whether an upload that may not replace a blob has found one: by the service's refusal, or before it sent anything. */
    static boolean isTaken(Throwable error) {
        return error instanceof ConflictException conflict
                && ("BlobAlreadyExists".equals(conflict.failure().errorCode())
                        || conflict.getCause() instanceof PresentBlobException);
    }

    /** The response to a request for the blob's properties. No error but beneath that of the upload. */
    private static final class PresentBlobException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        PresentBlobException() {
            super("the service gave the properties of the blob", null, false, false);
        }
    }
}
