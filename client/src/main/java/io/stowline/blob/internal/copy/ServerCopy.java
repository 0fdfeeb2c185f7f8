package io.stowline.blob.internal.copy;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.transfer.RetryListener;
import io.stowline.blob.internal.upload.BlockOperations;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Endpoint;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A copy of one version of a blob that the service makes while the request lasts, so that no content travels through this client: in one request, or
 * in blocks and a commit. The one request that makes the blob is settled like that of an upload. Thread-safe.
 */
public final class ServerCopy {

    /** The signature of a source outlives the request by this, for the difference of clocks. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private static final int NOT_IMPLEMENTED = 501;
    private static final int INTERNAL_ERROR = 500;

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final CopySource source;
    private final Function<BlobInfo, UploadSettings> settings;
    private final boolean sourceTags;

    /**
     * A copy that has not begun.
     *
     * @param context the container of the target
     * @param name the name of the target
     * @param settings gives how the target is made of the source; may be code of the application, which may wait
     */
    public ServerCopy(
            BlobContext context,
            String verb,
            String name,
            CopySource source,
            Function<BlobInfo, UploadSettings> settings) {
        this(context, verb, name, source, settings, false);
    }

    private ServerCopy(
            BlobContext context,
            String verb,
            String name,
            CopySource source,
            Function<BlobInfo, UploadSettings> settings,
            boolean sourceTags) {
        context.service().version().checkCopy();
        this.context = context;
        this.verb = verb;
        this.name = BlobNameRules.check(name);
        this.source = source;
        this.settings = settings;
        this.sourceTags = sourceTags;
    }

    /** Returns the copy, with the tags of its source if that is set. */
    public ServerCopy with(boolean tagsOfSource) {
        return new ServerCopy(context, verb, name, source, settings, tagsOfSource);
    }

    /**
     * Copies.
     *
     * @param ifMatch the only version of the source to be copied, or {@code null} for the present one
     */
    public Mono<BlobWriteResult> run(@Nullable String ifMatch) {
        return context.asOperation(
                Operation.of(verb, context.resource(name), OperationType.WRITE, context.retry()),
                source.info(verb, ifMatch).flatMap(this::copied));
    }

    /** Copies a version whose facts are known, as a part of an operation. */
    Mono<BlobWriteResult> copied(SourceInfo from) {
        return BlockingTask.call(() -> settings.apply(from.info()))
                .flatMap(made -> tags(made).flatMap(tags -> new Version(from, made, tags).copied()));
    }

    private Mono<Map<String, String>> tags(UploadSettings made) {
        return sourceTags ? source.tags(verb) : Mono.just(made.tags());
    }

    /**
     * Returns whether the service has no such copy. The emulator Azurite responds with 501, and where the request has a shared access signature,
     * with 500 and no code.
     *
     * @param target the address of the target
     */
    public static boolean isMissing(StorageException error, URI target) {
        int status = error.failure().status();
        return status == NOT_IMPLEMENTED
                || (status == INTERNAL_ERROR && error.failure().errorCode() == null && Endpoint.isLoopback(target));
    }

    private static boolean isSourceRefused(Throwable error) {
        return error instanceof StorageException refused
                && !(error instanceof OutcomeUnknownException)
                && "CannotVerifyCopySource".equals(refused.failure().errorCode());
    }

    /** The version that is copied, and its target. */
    private final class Version {

        private final BlobInfo from;
        private final UploadSettings target;
        private final BlockOperations operations;

        Version(SourceInfo info, UploadSettings chosen, Map<String, String> tags) {
            this.from = info.info();
            this.target = keeping(info, chosen, tags);
            target.tier().ifPresent(tier -> context.service().version().checkTier(tier.toString()));
            this.operations = new BlockOperations(context, verb, name, target);
        }

        /** Not by the builder, which refuses the names of hidden metadata. */
        private static UploadSettings keeping(SourceInfo info, UploadSettings chosen, Map<String, String> tags) {
            return new UploadSettings(
                    chosen.overwrite(),
                    chosen.ifMatch(),
                    chosen.headers(),
                    info.in(chosen.metadata()),
                    tags,
                    chosen.tier(),
                    chosen.ifTags(),
                    chosen.blockSize(),
                    chosen.parallelism(),
                    chosen.gzip(),
                    chosen.progress());
        }

        Mono<BlobWriteResult> copied() {
            return Upload.measured(
                    context, target, from.size(), from.size() <= target.blockSize() ? inOneRequest() : inBlocks());
        }

        private Mono<BlobWriteResult> inOneRequest() {
            RetrySettings retry = TransferTimes.of(context.retry(), from.size());
            return Mono.deferContextual(seen -> opened(
                            retry,
                            access -> operations.made(from.size(), from.contentMd5(), outcome -> requests(seen)
                                    .putFrom(outcome.commit(), access, from.size(), retry)))
                    .doOnNext(made -> Upload.moved(seen, from.size())));
        }

        private Mono<SourceAccess> access(RetrySettings retry) {
            return source.access(from.etag(), retry.deadline().plus(MARGIN));
        }

        /** A token may end while its request is repeated. A signature outlives the deadline of its request. */
        private <A> Mono<A> opened(RetrySettings retry, Function<SourceAccess, Mono<A>> request) {
            return access(retry).flatMap(first -> request.apply(first)
                    .onErrorResume(ServerCopy::isSourceRefused, refusal -> access(retry)
                            .flatMap(next -> next.renews(first) ? request.apply(next) : Mono.error(refusal))));
        }

        private BlobRequests requests(ContextView seen) {
            RetryListener retries = RetryListener.in(seen);
            return new BlobRequests(context, verb, name).reportingTo(retries == null ? null : retries::retried);
        }

        private Mono<BlobWriteResult> inBlocks() {
            CopyBlocks blocks = new CopyBlocks(
                    source.shown(), from.etag(), from.size(), (int) Upload.blockSize(from.size(), target.blockSize()));
            return operations
                    .permitted()
                    .then(operations.leftovers())
                    .flatMap(known -> staged(blocks, known))
                    .then(Mono.defer(() -> operations.commit(blocks.ids(), from.size(), from.contentMd5())));
        }

        /** The first failure lets no other block begin; those in flight end by themselves, so that no error of theirs is dropped. */
        private Mono<Void> staged(CopyBlocks blocks, Map<String, Long> known) {
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            return Flux.range(0, blocks.count())
                    .takeWhile(index -> failure.get() == null)
                    .flatMap(
                            index -> staged(blocks, index, known).onErrorResume(error -> {
                                failure.compareAndSet(null, error);
                                return Mono.empty();
                            }),
                            target.parallelism(),
                            1)
                    .then(Mono.defer(() -> {
                        Throwable first = failure.get();
                        return first == null ? Mono.empty() : Mono.error(first);
                    }));
        }

        private Mono<Void> staged(CopyBlocks blocks, int index, Map<String, Long> known) {
            String id = blocks.id(index);
            long bytes = blocks.bytes(index);
            Long there = known.get(id);
            RetrySettings retry = TransferTimes.of(context.retry(), bytes);
            Mono<Void> work = there != null && there == bytes
                    ? Mono.empty()
                    : opened(
                            retry,
                            access -> operations.staged(
                                    requests -> requests.stageFrom(id, access, blocks.first(index), bytes, retry)));
            return Mono.deferContextual(seen -> work.doOnSuccess(staged -> Upload.moved(seen, bytes)));
        }
    }
}
