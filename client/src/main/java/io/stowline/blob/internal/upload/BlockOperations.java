package io.stowline.blob.internal.upload;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import com.azure.storage.blob.specialized.BlockBlobAsyncClient;
import io.stowline.blob.UploadResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.upload.UploadBlock.BlockList;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.request.Operation;
import java.time.Duration;
import java.util.Base64;
import reactor.core.publisher.Mono;

/** The requests of one upload to a block blob. What they give arrives on an I/O thread. Thread-safe. */
final class BlockOperations {

    static final String VERB = "upload";

    private final BlobContext scope;
    private final String name;
    private final UploadSettings settings;

    BlockOperations(BlobContext scope, String name, UploadSettings settings) {
        this.scope = scope;
        this.name = name;
        this.settings = settings;
    }

    private BlockBlobAsyncClient sdk() {
        return scope.blob(name).getBlockBlobAsyncClient();
    }

    private Operation operation(long bytes) {
        return scope.write(VERB, scope.resource(name), bytes);
    }

    /** The whole content in one request. */
    Mono<UploadResult> put(UploadBlock content) {
        return Mono.defer(() -> {
            String md5 = Base64.getEncoder().encodeToString(content.md5());
            UploadOutcome outcome = outcome(content.size(), md5);
            BlockBlobSimpleUploadOptions options = new BlockBlobSimpleUploadOptions(data(content))
                    .setContentMd5(content.md5())
                    .setHeaders(BlobInfoMapper.sdk(settings.headers(), md5))
                    .setMetadata(outcome.metadata())
                    .setRequestConditions(outcome.conditions());
            return scope.settled(
                    operation(content.size()),
                    () -> sdk().uploadWithResponse(options),
                    outcome::confirmed,
                    outcome::settle);
        });
    }

    private UploadOutcome outcome(long size, String md5) {
        return new UploadOutcome(scope, name, settings, new UploadOutcome.Sent(size, md5));
    }

    /** A block changes nothing that anybody sees before the commit, so that its lost answer is no doubt. */
    Mono<Void> stage(UploadBlock block) {
        BlockBlobStageBlockOptions options =
                new BlockBlobStageBlockOptions(block.id(), data(block)).setContentMd5(block.md5());
        return scope.call(operation(block.size()), () -> sdk().stageBlockWithResponse(options))
                .onErrorMap(OutcomeUnknownException.class, e -> ErrorMapper.settled(e, "nothing was committed"))
                .then();
    }

    private static BinaryData data(UploadBlock block) {
        return BinaryData.fromByteBuffer(block.content());
    }

    /** Makes the blob of what was staged. The service has not seen the whole content, so that its MD5 has to be given. */
    Mono<UploadResult> commit(BlockList list) {
        String md5 = list.md5();
        return Mono.defer(() -> {
            UploadOutcome outcome = outcome(list.size(), md5);
            BlockBlobCommitBlockListOptions options = new BlockBlobCommitBlockListOptions(list.ids())
                    .setHeaders(BlobInfoMapper.sdk(settings.headers(), md5))
                    .setMetadata(outcome.metadata())
                    .setRequestConditions(outcome.conditions());
            return scope.settled(
                    operation(0),
                    () -> sdk().commitBlockListWithResponse(options),
                    outcome::confirmed,
                    outcome::settle);
        });
    }

    /**
     * Blocks have no conditions, only the commit has: whether it can succeed is checked before all of them are sent. A credential that may
     * write but not read learns it at the commit.
     */
    Mono<Void> permitted() {
        Mono<Void> permitted = settings.ifMatch().map(this::present).orElseGet(this::absent);
        return permitted.onErrorResume(
                AuthenticationException.class, e -> e.failure().status() == 403 ? Mono.empty() : Mono.error(e));
    }

    private Mono<Void> present(String etag) {
        return new BlobOperations(scope)
                .head(VERB, name, etag, response -> response)
                .onErrorMap(NotFoundException.class, BlockOperations::gone)
                .then();
    }

    private static Throwable gone(NotFoundException e) {
        return BlobConditions.blobMissing(e) ? new PreconditionFailedException(e.failure(), e) : e;
    }

    private Mono<Void> absent() {
        return settings.overwrite()
                ? Mono.empty()
                : BlobConditions.unlessMissing(new BlobOperations(scope).head(VERB, name, null, FailureFacts.Ids::of))
                        .flatMap(ids -> Mono.error(taken(ids)));
    }

    private ConflictException taken(FailureFacts.Ids ids) {
        return new ConflictException(
                FailureFacts.of(operation(0).name(), operation(0).resource())
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(409, "BlobAlreadyExists")
                        .because(
                                "the blob is there already, and overwrite() is not set",
                                "checked before anything was sent"),
                null);
    }
}
