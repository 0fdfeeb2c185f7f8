package io.stowline.blob.internal.client;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.policy.DefaultReactiveAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.ContainerInfo;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobLease;
import io.stowline.blob.ReactiveBlobRevision;
import io.stowline.blob.ReactiveCachedContainer;
import io.stowline.blob.ReactiveLeaderElection;
import io.stowline.blob.ReactivePageBlob;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.DefaultReactiveBlobLease;
import io.stowline.blob.internal.lease.DefaultReactiveLeaderElection;
import io.stowline.blob.internal.lease.Election;
import io.stowline.blob.internal.lease.LeaseOperations;
import io.stowline.blob.internal.operations.BatchOperations;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.page.PageOperations;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobContainer} that delivers the operations of its {@link BlobContext}. */
final class DefaultReactiveBlobContainer extends ReactiveContainerTransfers {

    DefaultReactiveBlobContainer(BlobContext context) {
        super(context);
    }

    @Override
    ReactiveBlobContainer of(BlobContext other) {
        return new DefaultReactiveBlobContainer(other);
    }

    @Override
    public ReactiveBlobContainer withLease(ReactiveBlobLease lease) {
        return guarded(lease);
    }

    @Override
    public Mono<ReactiveBlobLease> lease(String name, Duration duration) {
        return DefaultReactiveBlobLease.acquired(context, Objects.requireNonNull(name, "name"), duration);
    }

    @Override
    public Mono<ReactiveBlobLease> lease(Duration duration) {
        return DefaultReactiveBlobLease.acquired(context, null, duration);
    }

    @Override
    public Mono<Duration> breakLease(String name, Duration period) {
        return context.delivered(
                new LeaseOperations(context, Objects.requireNonNull(name, "name")).breakWithin(period));
    }

    @Override
    public Mono<Duration> breakLease(Duration period) {
        return context.delivered(new LeaseOperations(context, null).breakWithin(period));
    }

    @Override
    public ReactiveLeaderElection leader(String name, Duration lease) {
        return new DefaultReactiveLeaderElection(context, new Election(context, name, lease), ContainerView::contextOf);
    }

    @Override
    public Mono<Void> create() {
        return context.delivered(new ContainerOperations(context).create());
    }

    @Override
    public Mono<Boolean> createIfMissing() {
        return context.delivered(new ContainerOperations(context).createIfMissing());
    }

    @Override
    public Mono<Void> drop() {
        return context.delivered(new ContainerOperations(context).drop());
    }

    @Override
    public Mono<Boolean> dropIfExists() {
        return context.delivered(new ContainerOperations(context).dropIfExists());
    }

    @Override
    public BlobSasBuilder<Mono<SharedAccessSignature>> sas(String name) {
        Objects.requireNonNull(name, "name");
        return context.sas(name, context::delivered);
    }

    @Override
    public ContainerSasBuilder<Mono<SharedAccessSignature>> sas() {
        return context.sas(context::delivered);
    }

    @Override
    public ReactiveAccessPolicies<ContainerSasBuilder<?>> policies() {
        return new DefaultReactiveAccessPolicies<>(
                context.policies(),
                () -> context.sas(PolicyOperations.UNSIGNED),
                context.service().callbacks());
    }

    @Override
    public Mono<Boolean> exists() {
        return context.delivered(new ContainerOperations(context).exists());
    }

    @Override
    public Mono<ContainerInfo> info() {
        return context.delivered(new ContainerOperations(context).info());
    }

    @Override
    public Mono<WriteResult> setMetadata(Map<String, String> metadata) {
        return context.delivered(new ContainerOperations(context).setMetadata(metadata));
    }

    @Override
    public Mono<Boolean> exists(String name) {
        return context.delivered(new BlobOperations(context).exists(name));
    }

    @Override
    public Mono<BlobInfo> info(String name) {
        return context.delivered(new BlobOperations(context).info(name));
    }

    @Override
    public Mono<BlobInfo> find(String name) {
        return context.delivered(new BlobOperations(context).find(name));
    }

    @Override
    public Mono<WriteResult> setMetadata(String name, Map<String, String> metadata) {
        return context.delivered(new BlobOperations(context).setMetadata(name, metadata, null));
    }

    @Override
    public Mono<WriteResult> setMetadata(String name, Map<String, String> metadata, String etag) {
        return context.delivered(
                new BlobOperations(context).setMetadata(name, metadata, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public Mono<Map<String, String>> tags(String name) {
        return context.delivered(new TagOperations(context).tags(name));
    }

    @Override
    public Mono<WriteResult> setTags(String name, Map<String, String> tags) {
        return context.delivered(new TagOperations(context).setTags(name, tags));
    }

    @Override
    public Mono<WriteResult> setTags(String name, Map<String, String> tags, BlobTagFilter condition) {
        return context.delivered(new TagOperations(context).setTags(name, tags, condition));
    }

    @Override
    public Flux<BlobTagFilter.Match> findByTags(BlobTagFilter filter) {
        return context.delivered(new BlobListing(context).tagged(filter));
    }

    @Override
    public Mono<WriteResult> setTier(String name, AccessTier tier) {
        return context.delivered(new TagOperations(context).setTier(name, tier));
    }

    @Override
    public Mono<WriteResult> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        return context.delivered(new BlobOperations(context).setHeaders(name, change));
    }

    @Override
    public Mono<WriteResult> delete(String name) {
        return context.delivered(new BlobOperations(context).delete(name, null));
    }

    @Override
    public Mono<WriteResult> delete(String name, String etag) {
        return context.delivered(new BlobOperations(context).delete(name, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public Mono<WriteResult> delete(String name, BlobTagFilter condition) {
        return context.delivered(new BlobOperations(context).deleteIf(name, condition));
    }

    @Override
    public Mono<Boolean> deleteIfExists(String name) {
        return context.delivered(new BlobOperations(context).deleteIfExists(name));
    }

    @Override
    public Flux<BlobInfo> stream(String prefix) {
        return context.delivered(new BlobListing(context).flat(prefix));
    }

    @Override
    public Flux<BlobInfo> stream(Collection<String> prefixes, int parallelism) {
        return context.delivered(new BlobListing(context).flat(prefixes, parallelism));
    }

    @Override
    public Flux<BlobTree.Entry> entries(String prefix, String delimiter) {
        return context.delivered(new BlobListing(context).level(prefix, delimiter));
    }

    @Override
    public Flux<BlobTree.Entry> walk(String prefix, String delimiter, Predicate<BlobTree.Entry> into) {
        return context.delivered(
                new DefaultBlobTree(context, prefix, delimiter).walked(Objects.requireNonNull(into, "into")));
    }

    @Override
    public Mono<List<TransferReport.Item>> deleteAll(Collection<String> names) {
        return context.delivered(
                BatchOperations.deletion(context, "deleteAll", false).all(names));
    }

    @Override
    public Mono<List<TransferReport.Item>> deleteAllWithSnapshots(Collection<String> names) {
        return context.delivered(
                BatchOperations.deletion(context, "deleteAll", true).all(names));
    }

    @Override
    public Mono<List<TransferReport.Item>> setTierOfAll(Collection<String> names, AccessTier tier) {
        Objects.requireNonNull(tier, "tier");
        return context.delivered(
                BatchOperations.move(context, "setTierOfAll", tier).all(names));
    }

    @Override
    public Mono<ReactiveBlobRevision> snapshot(String name) {
        return context.delivered(
                new RevisionOperations(context).snapshot(name).map(id -> DefaultBlobRevision.snapshot(context, name, id)
                        .reactive()));
    }

    @Override
    public ReactiveBlobRevision snapshotOf(String name, String id) {
        return DefaultBlobRevision.snapshot(context, name, id).reactive();
    }

    @Override
    public ReactiveBlobRevision versionOf(String name, String id) {
        return DefaultBlobRevision.version(context, name, id).reactive();
    }

    @Override
    public Flux<ReactiveBlobRevision> revisions(String name) {
        return context.delivered(
                new RevisionOperations(context).list(name).map(item -> DefaultBlobRevision.of(context, item)
                        .reactive()));
    }

    @Override
    public Mono<WriteResult> deleteWithSnapshots(String name) {
        return context.delivered(new RevisionOperations(context).deleteWithSnapshots(name));
    }

    @Override
    public Mono<WriteResult> deleteSnapshots(String name) {
        return context.delivered(new RevisionOperations(context).deleteSnapshots(name));
    }

    @Override
    public Mono<Void> undelete(String name) {
        return context.delivered(new RevisionOperations(context).undelete(name));
    }

    @Override
    public ReactiveAppendBlob appendBlob(String name) {
        return new DefaultReactiveAppendBlob(context, new AppendOperations(context, name));
    }

    @Override
    public ReactivePageBlob pageBlob(String name) {
        return new DefaultReactivePageBlob(context, new PageOperations(context, name));
    }

    @Override
    public ReactiveCachedContainer cached(Freshness freshness) {
        return new DefaultReactiveCachedContainer(context, freshness, false);
    }

    @Override
    public String toString() {
        return "ReactiveBlobContainer[" + name() + "]";
    }
}
