package io.stowline.blob.internal.download;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.BadRequestException;
import io.stowline.transport.internal.error.FailureFacts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The range with which a download begins: its answer says what the blob is. Thread-safe. */
record FirstRange(BlobContext scope, String name, RangeReader reader) {

    /** An empty blob has no range, so that the service refuses the first one. */
    Mono<BlobPiece> read(ReadPlan plan, TransferMemory.Share share, @Nullable String known) {
        return reader.first(plan, share, known)
                .onErrorResume(
                        BadRequestException.class, e -> e.failure().status() == 416 ? nothing(plan, e) : Mono.error(e));
    }

    private Mono<BlobPiece> nothing(ReadPlan plan, BadRequestException refusal) {
        return new BlobOperations(scope)
                .headIf(
                        "download",
                        name,
                        plan.ifTags(),
                        answer -> new BlobPiece(
                                new PinnedVersion(BlobInfoMapper.of(name, answer.getValue()), null),
                                plan.from(),
                                new byte[0],
                                FailureFacts.Ids.of(answer)))
                .flatMap(piece -> piece.facts().size() <= plan.from() ? Mono.just(piece) : Mono.error(refusal));
    }
}
