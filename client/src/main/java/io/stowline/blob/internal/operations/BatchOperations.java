package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobSnapshot;
import io.stowline.blob.internal.request.BlobBatchRequest;
import io.stowline.blob.internal.request.BlobBatchRequest.BatchedBlob;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.outcome.EntityTags;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An operation that deletes many blobs, or moves them to another tier, in groups of 256 to a request. What a group leaves open is settled blob by blob. What
 * they give arrives on an I/O thread. Thread-safe; one for each call.
 */
public final class BatchOperations {

    private final BlobContext context;
    private final String verb;
    private final @Nullable AccessTier tier;
    private final boolean snapshots;
    private final Consumer<Item> known;
    private volatile boolean one;

    private BatchOperations(
            BlobContext context, String verb, @Nullable AccessTier tier, boolean snapshots, Consumer<Item> known) {
        this.context = context;
        this.verb = verb;
        this.tier = tier;
        this.snapshots = snapshots;
        this.known = known;
    }

    /**
     * Deletions.
     *
     * @param verb the caller's verb
     * @param snapshots whether the snapshots of a blob go with it; the service refuses a blob that has some otherwise
     */
    public static BatchOperations deletion(BlobContext context, String verb, boolean snapshots) {
        return deletion(context, verb, snapshots, end -> {});
    }

    /** Makes deletions with a listener of single ends, which come before those of their whole group. */
    public static BatchOperations deletion(BlobContext context, String verb, boolean snapshots, Consumer<Item> known) {
        return new BatchOperations(context, verb, null, snapshots, known);
    }

    /**
     * Moves to a tier.
     *
     * @param verb the caller's verb
     */
    public static BatchOperations move(BlobContext context, String verb, AccessTier tier) {
        context.service().version().checkTier(tier.toString());
        return new BatchOperations(context, verb, tier, false, end -> {});
    }

    /**
     * Takes any number of blobs.
     *
     * @return the end of each, in the order of the names; an error if the container is not there
     */
    public Mono<List<Item>> all(Collection<String> names) {
        List<String> fixed = new ArrayList<>(Objects.requireNonNull(names, "names"));
        fixed.forEach(name -> Objects.requireNonNull(name, "a name in names"));
        return asOperation(Mono.defer(() -> {
            fixed.forEach(BlobNameRules::check);
            return inGroups(fixed);
        }));
    }

    /** Requests that settle open ends of a batch are parts of the begun operation: closing waits for them. */
    private Mono<List<Item>> asOperation(Mono<List<Item>> work) {
        return context.asOperation(context.write(verb, context.name(), BlobContext.DELETED), work);
    }

    /** Records each group's results as it completes; {@code close()} relies on it. */
    private Mono<List<Item>> inGroups(List<String> names) {
        List<Item> ends = new ArrayList<>(names.size());
        Mono<List<Item>> group = Mono.defer(() -> group(next(names, ends.size())));
        return names.isEmpty()
                ? Mono.just(ends)
                : group.doOnNext(done -> {
                            ends.addAll(done);
                            if (context.service().hasGivenUp()) {
                                ends.addAll(failed(names.subList(ends.size(), names.size()), closed()));
                            }
                        })
                        .repeat(() -> ends.size() < names.size())
                        .then(Mono.defer(() -> withFolders(ends)));
    }

    /** Folders that were not empty are deleted once more, the deepest first: what was in them may be gone by now. */
    private Mono<List<Item>> withFolders(List<Item> ends) {
        List<Integer> folders = IntStream.range(0, ends.size())
                .filter(i -> BatchRefusals.isRefused(ends.get(i), BatchRefusals.NOT_EMPTY))
                .boxed()
                .toList();
        return deepestFirst(folders, i -> ends.get(i).name())
                .takeWhile(some -> !context.service().hasGivenUp())
                .concatMap(
                        some -> group(some.stream().map(i -> ends.get(i).name()).toList())
                                .doOnNext(again -> {
                                    for (int i = 0; i < again.size(); i++) {
                                        ends.set(some.get(i), again.get(i));
                                    }
                                }))
                .then(Mono.just(ends));
    }

    /** Divides blobs into groups of one depth, the deepest first: no blob lies below another one of the same depth. */
    public static <B> Flux<List<B>> deepestFirst(List<B> blobs, Function<B, String> name) {
        SortedMap<Long, List<B>> levels = new TreeMap<>(Comparator.reverseOrder());
        for (B blob : blobs) {
            long depth = name.apply(blob).chars().filter(c -> c == '/').count();
            levels.computeIfAbsent(depth, empty -> new ArrayList<>()).add(blob);
        }
        return Flux.fromIterable(levels.values())
                .concatMap(level -> Flux.fromIterable(level).buffer(BlobBatchRequest.MAX), 1);
    }

    private static List<String> next(List<String> names, int from) {
        return names.subList(from, Math.min(names.size(), from + BlobBatchRequest.MAX));
    }

    /**
     * Takes one group.
     *
     * @param names at most 256
     * @return the end of each, in the order of the names; an error if the container is not there
     */
    public Mono<List<Item>> group(List<String> names) {
        return groupOf(names.stream().map(name -> new BatchedBlob(name, null)).toList());
    }

    /** Ends blobs in the versions that may be deleted; a blob that has another one is a failure. */
    public Mono<List<Item>> groupOf(List<BatchedBlob> blobs) {
        return asOperation(Mono.defer(() -> ended(blobs)));
    }

    private static List<String> names(List<BatchedBlob> blobs) {
        return blobs.stream().map(BatchedBlob::name).toList();
    }

    private Mono<List<Item>> ended(List<BatchedBlob> blobs) {
        if (context.service().hasGivenUp()) {
            return Mono.just(failed(names(blobs), closed()));
        }
        if (one || blobs.size() == 1) {
            return eachAlone(blobs, null);
        }
        return new BlobBatchRequest(context, verb, blobs, tier == null ? null : tier.toString(), snapshots)
                .authorized(context.retry())
                .flatMap(request -> sent(blobs, request)
                        .onErrorResume(
                                OutcomeUnknownException.class,
                                e -> lost(blobs, new UnresolvedDeletion(e, attempts(request)))))
                .onErrorResume(StorageException.class, e -> refused(blobs, e));
    }

    private Mono<List<Item>> sent(List<BatchedBlob> blobs, Exchange<List<Optional<ServiceError>>> request) {
        return context.calls()
                .direct()
                .observed(
                        verb,
                        context::name,
                        () -> request,
                        (refusals, exchange) -> new GroupResponse(refusals, attempts(exchange), exchange))
                .flatMap(response -> Flux.range(0, blobs.size())
                        .flatMapSequential(i ->
                                end(blobs.get(i), response, i).doOnNext(known).materialize())
                        .<Item>dematerialize()
                        .collectList());
    }

    private UnresolvedAttempts attempts(Exchange<?> exchange) {
        return context.service().pipeline().unresolved(exchange);
    }

    /**
     * The unresolved effect of a batch on a blob.
     *
     * @param end the end for the caller
     * @param attempts the unresolved attempts
     */
    private record UnresolvedDeletion(OutcomeUnknownException end, UnresolvedAttempts attempts) {}

    /**
     * The response to a group.
     *
     * @param refusals the refusal of each blob, or nothing where it was done
     * @param attempts the attempts before the one with the response
     * @param exchange the request
     */
    private record GroupResponse(
            List<Optional<ServiceError>> refusals, UnresolvedAttempts attempts, Exchange<?> exchange) {}

    private Mono<Item> end(BatchedBlob blob, GroupResponse response, int index) {
        ServiceError refusal = response.refusals.get(index).orElse(null);
        String name = blob.name();
        if (refusal == null) {
            return Mono.just(done(name));
        }
        if (refusal.is(BatchRefusals.NO_CONTAINER)) {
            return Mono.error(error(context.name(), refusal, response));
        }
        StorageException error = error(context.resource(name), refusal, response);
        UnresolvedDeletion unresolvedDeletion = response.attempts.mayRepeat(Evidence.RESPONSE)
                        || refusal.meaning().unresolved()
                ? new UnresolvedDeletion(
                        new OutcomeUnknownException(error.failure(), "an attempt may have been carried out", error),
                        response.attempts)
                : null;
        if (BatchRefusals.mayPass(refusal)) {
            return alone(blob, unresolvedDeletion);
        }
        if (tier == null && refusal.status() == 404) {
            return Mono.just(gone(name, unresolvedDeletion));
        }
        return unresolvedDeletion == null ? Mono.just(failed(name, error)) : settled(blob, error, unresolvedDeletion);
    }

    /** After an unresolved attempt this call may have deleted it, which is success. */
    private Item gone(String name, @Nullable UnresolvedDeletion unresolvedDeletion) {
        return unresolvedDeletion == null ? new Item(name, Action.SKIPPED, 0, null) : done(name);
    }

    private static Item failed(String name, StorageException error) {
        return new Item(name, Action.FAILED, 0, error);
    }

    /** Settles a blob that was refused after an unresolved attempt. */
    private Mono<Item> settled(BatchedBlob blob, StorageException refusal, UnresolvedDeletion unresolvedDeletion) {
        if (tier != null) {
            return inTier(blob.name(), tier, unresolvedDeletion.end);
        }
        Mono<Item> readBack = BlobConditions.unlessMissing(
                        BlobReadBack.atBlob(context.atPrimary(), verb, blob.name(), unresolvedDeletion.attempts))
                .map(there -> remains(blob, there, refusal, unresolvedDeletion))
                .defaultIfEmpty(done(blob.name()));
        return readBack(blob.name(), readBack, unresolvedDeletion.end);
    }

    private Mono<Item> inTier(String name, AccessTier wanted, OutcomeUnknownException end) {
        Mono<Item> readBack = new BlobOperations(context.atPrimary())
                .find(name)
                .map(there -> wanted.equals(there.tier())
                        ? done(name)
                        : failed(name, ErrorMapper.stillUnknown(end, "the blob is in the tier " + there.tier())))
                .defaultIfEmpty(failed(name, end));
        return readBack(name, readBack, end);
    }

    private Mono<Item> readBack(String name, Mono<Item> readBack, OutcomeUnknownException end) {
        return context.service().hasGivenUp()
                ? Mono.just(failed(name, end))
                : readBack.onErrorResume(StorageException.class, e -> Mono.just(failed(name, end)));
    }

    /** A blob that existed since before the first attempt is unchanged. */
    private Item remains(
            BatchedBlob blob, BlobSnapshot there, StorageException refusal, UnresolvedDeletion unresolvedDeletion) {
        boolean asItWas = EntityTags.same(there.etag(), blob.etag()) || there.thereBefore(unresolvedDeletion.attempts);
        return failed(
                blob.name(),
                asItWas
                        ? refusal
                        : ErrorMapper.stillUnknown(
                                unresolvedDeletion.end, "the blob is there, and may have been deleted and made again"));
    }

    private StorageException error(String resource, ServiceError refusal, GroupResponse response) {
        return ErrorMapper.of(
                refusal,
                FailureFacts.of(verb, resource)
                        .ids(response.exchange.clientRequestId(), null)
                        .tried(response.exchange.attempts(), response.exchange.unanswered(), Duration.ZERO)
                        .refused(refusal)
                        .because(refusal.message(), "a part of a batch; a retry cannot help"));
    }

    private Item done(String name) {
        return new Item(name, tier == null ? Action.DELETED : Action.MOVED, 0, null);
    }

    private Mono<List<Item>> refused(List<BatchedBlob> blobs, StorageException error) {
        if (BatchRefusals.noContainer(error)) {
            return Mono.error(error);
        }
        boolean noBatches = BatchRefusals.refusesRequest(error);
        if (noBatches) {
            one = true;
        }
        return noBatches ? eachAlone(blobs, null) : Mono.just(failed(names(blobs), error));
    }

    private Mono<List<Item>> lost(List<BatchedBlob> blobs, UnresolvedDeletion unresolvedDeletion) {
        return context.service().hasGivenUp()
                ? Mono.just(failed(names(blobs), unresolvedDeletion.end))
                : eachAlone(blobs, unresolvedDeletion);
    }

    private StorageException closed() {
        return new UnreachableException(
                FailureFacts.of(verb, context.name())
                        .because("nothing was sent", "this Stowline was closed before that"),
                null);
    }

    private static List<Item> failed(List<String> names, StorageException error) {
        return names.stream().map(name -> failed(name, error)).toList();
    }

    /** Settles each by itself. An error is a value within the merge: one that comes after the first would be logged as dropped. */
    private Mono<List<Item>> eachAlone(List<BatchedBlob> blobs, @Nullable UnresolvedDeletion unresolvedDeletion) {
        return Flux.fromIterable(blobs)
                .flatMapSequential(
                        blob -> alone(blob, unresolvedDeletion).doOnNext(known).materialize(), 16)
                .<Item>dematerialize()
                .collectList();
    }

    /** Settles a blob by a separate request; after an unresolved batch the end names its possible effect. */
    private Mono<Item> alone(BatchedBlob blob, @Nullable UnresolvedDeletion unresolvedDeletion) {
        String name = blob.name();
        Mono<Item> work = tier == null
                ? new BlobOperations(context)
                        .deleteIfExists(name, blob.etag(), snapshots)
                        .map(deleted -> deleted ? done(name) : gone(name, unresolvedDeletion))
                : new TagOperations(context).setTier(name, tier).thenReturn(done(name));
        return work.onErrorResume(StorageException.class, e -> {
            if (BatchRefusals.noContainer(e)) {
                return Mono.error(e);
            }
            OutcomeUnknownException unknown = e instanceof OutcomeUnknownException own
                    ? own
                    : unresolvedDeletion == null ? null : unresolvedDeletion.end;
            if (unknown != null && tier != null) {
                return inTier(name, tier, unknown);
            }
            return unknown == null || unresolvedDeletion == null
                    ? Mono.just(failed(name, e))
                    : settled(
                            blob,
                            BatchRefusals.refuses(e) ? e : unknown,
                            new UnresolvedDeletion(unknown, unresolvedDeletion.attempts));
        });
    }
}
