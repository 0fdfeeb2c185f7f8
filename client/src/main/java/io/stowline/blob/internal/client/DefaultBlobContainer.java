package io.stowline.blob.internal.client;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.access.AccessPolicies;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.policy.DefaultAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobLease;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.ContainerInfo;
import io.stowline.blob.LeaderElection;
import io.stowline.blob.PageBlob;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobLease;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.lease.DefaultBlobLease;
import io.stowline.blob.internal.lease.DefaultLeaderElection;
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
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@link BlobContainer} that waits for the operations of its {@link BlobContext}. */
public final class DefaultBlobContainer extends ContainerTransfers {

    DefaultBlobContainer(BlobContext context) {
        super(context);
    }

    @Override
    BlobContainer of(BlobContext other) {
        return new DefaultBlobContainer(other);
    }

    public static BlobContainer of(BlobService service, String name) {
        Objects.requireNonNull(name, "name");
        return new DefaultBlobContainer(service.container(name));
    }

    @Override
    public ReactiveBlobContainer reactive() {
        return new DefaultReactiveBlobContainer(context);
    }

    @Override
    public BlobContainer withLease(BlobLease lease) {
        return guarded(lease);
    }

    @Override
    public BlobContainer withLease(ReactiveBlobLease lease) {
        return guarded(lease);
    }

    @Override
    public BlobLease lease(String name, Duration duration) {
        return DefaultBlobLease.acquired(context, Objects.requireNonNull(name, "name"), duration);
    }

    @Override
    public BlobLease lease(Duration duration) {
        return DefaultBlobLease.acquired(context, null, duration);
    }

    @Override
    public Duration breakLease(String name, Duration period) {
        return BlockingAwait.result(
                new LeaseOperations(context, Objects.requireNonNull(name, "name")).breakWithin(period));
    }

    @Override
    public Duration breakLease(Duration period) {
        return BlockingAwait.result(new LeaseOperations(context, null).breakWithin(period));
    }

    @Override
    public LeaderElection leader(String name, Duration lease) {
        return new DefaultLeaderElection(new Election(context, name, lease), ContainerView::contextOf);
    }

    @Override
    public void create() {
        BlockingAwait.on(new ContainerOperations(context).create());
    }

    @Override
    public boolean createIfMissing() {
        return BlockingAwait.result(new ContainerOperations(context).createIfMissing());
    }

    @Override
    public void drop() {
        BlockingAwait.on(new ContainerOperations(context).drop());
    }

    @Override
    public boolean dropIfExists() {
        return BlockingAwait.result(new ContainerOperations(context).dropIfExists());
    }

    @Override
    public BlobSasBuilder<SharedAccessSignature> sas(String name) {
        Objects.requireNonNull(name, "name");
        return context.sas(name, BlockingAwait::result);
    }

    @Override
    public ContainerSasBuilder<SharedAccessSignature> sas() {
        return context.sas(BlockingAwait::result);
    }

    @Override
    public AccessPolicies<ContainerSasBuilder<?>> policies() {
        return new DefaultAccessPolicies<>(context.policies(), () -> context.sas(PolicyOperations.UNSIGNED));
    }

    @Override
    public boolean exists() {
        return BlockingAwait.result(new ContainerOperations(context).exists());
    }

    @Override
    public ContainerInfo info() {
        return BlockingAwait.result(new ContainerOperations(context).info());
    }

    @Override
    public WriteResult setMetadata(Map<String, String> metadata) {
        return BlockingAwait.result(new ContainerOperations(context).setMetadata(metadata));
    }

    @Override
    public boolean exists(String name) {
        return BlockingAwait.result(new BlobOperations(context).exists(name));
    }

    @Override
    public BlobInfo info(String name) {
        return BlockingAwait.result(new BlobOperations(context).info(name));
    }

    @Override
    public Optional<BlobInfo> find(String name) {
        return Optional.ofNullable(BlockingAwait.on(new BlobOperations(context).find(name)));
    }

    @Override
    public WriteResult setMetadata(String name, Map<String, String> metadata) {
        return BlockingAwait.result(new BlobOperations(context).setMetadata(name, metadata, null));
    }

    @Override
    public WriteResult setMetadata(String name, Map<String, String> metadata, String etag) {
        return BlockingAwait.result(
                new BlobOperations(context).setMetadata(name, metadata, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public Map<String, String> tags(String name) {
        return BlockingAwait.result(new TagOperations(context).tags(name));
    }

    @Override
    public WriteResult setTags(String name, Map<String, String> tags) {
        return BlockingAwait.result(new TagOperations(context).setTags(name, tags));
    }

    @Override
    public WriteResult setTags(String name, Map<String, String> tags, BlobTagFilter condition) {
        return BlockingAwait.result(new TagOperations(context).setTags(name, tags, condition));
    }

    @Override
    public Stream<BlobTagFilter.Match> findByTags(BlobTagFilter filter) {
        return FluxCursor.stream(new BlobListing(context).tagged(filter));
    }

    @Override
    public WriteResult setTier(String name, AccessTier tier) {
        return BlockingAwait.result(new TagOperations(context).setTier(name, tier));
    }

    @Override
    public WriteResult setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        return BlockingAwait.result(new BlobOperations(context).setHeaders(name, change));
    }

    @Override
    public WriteResult delete(String name) {
        return BlockingAwait.result(new BlobOperations(context).delete(name, null));
    }

    @Override
    public WriteResult delete(String name, String etag) {
        return BlockingAwait.result(new BlobOperations(context).delete(name, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public WriteResult delete(String name, BlobTagFilter condition) {
        return BlockingAwait.result(new BlobOperations(context).deleteIf(name, condition));
    }

    @Override
    public boolean deleteIfExists(String name) {
        return BlockingAwait.result(new BlobOperations(context).deleteIfExists(name));
    }

    @Override
    public Stream<BlobInfo> stream(String prefix) {
        return FluxCursor.stream(new BlobListing(context).flat(prefix));
    }

    @Override
    public Stream<BlobInfo> stream(Collection<String> prefixes, int parallelism) {
        return FluxCursor.stream(new BlobListing(context).flat(prefixes, parallelism));
    }

    @Override
    public Stream<BlobTree.Entry> entries(String prefix, String delimiter) {
        return FluxCursor.stream(new BlobListing(context).level(prefix, delimiter));
    }

    @Override
    public BlobTree tree(String prefix, String delimiter) {
        return new DefaultBlobTree(context, prefix, delimiter);
    }

    @Override
    public List<TransferReport.Item> deleteAll(Collection<String> names) {
        return BlockingAwait.result(
                BatchOperations.deletion(context, "deleteAll", false).all(names));
    }

    @Override
    public List<TransferReport.Item> deleteAllWithSnapshots(Collection<String> names) {
        return BlockingAwait.result(
                BatchOperations.deletion(context, "deleteAll", true).all(names));
    }

    @Override
    public List<TransferReport.Item> setTierOfAll(Collection<String> names, AccessTier tier) {
        Objects.requireNonNull(tier, "tier");
        return BlockingAwait.result(
                BatchOperations.move(context, "setTierOfAll", tier).all(names));
    }

    @Override
    public BlobRevision snapshot(String name) {
        return DefaultBlobRevision.snapshot(
                context, name, BlockingAwait.result(new RevisionOperations(context).snapshot(name)));
    }

    @Override
    public BlobRevision snapshotOf(String name, String id) {
        return DefaultBlobRevision.snapshot(context, name, id);
    }

    @Override
    public BlobRevision versionOf(String name, String id) {
        return DefaultBlobRevision.version(context, name, id);
    }

    @Override
    public Stream<BlobRevision> revisions(String name) {
        return FluxCursor.stream(
                new RevisionOperations(context).list(name).map(item -> DefaultBlobRevision.of(context, item)));
    }

    @Override
    public WriteResult deleteWithSnapshots(String name) {
        return BlockingAwait.result(new RevisionOperations(context).deleteWithSnapshots(name));
    }

    @Override
    public WriteResult deleteSnapshots(String name) {
        return BlockingAwait.result(new RevisionOperations(context).deleteSnapshots(name));
    }

    @Override
    public void undelete(String name) {
        BlockingAwait.on(new RevisionOperations(context).undelete(name));
    }

    @Override
    public AppendBlob appendBlob(String name) {
        return new DefaultAppendBlob(context, new AppendOperations(context, name));
    }

    @Override
    public PageBlob pageBlob(String name) {
        return new DefaultPageBlob(context, new PageOperations(context, name));
    }

    @Override
    public CachedContainer cached(Freshness freshness) {
        return new DefaultCachedContainer(context, freshness, false);
    }

    @Override
    public String toString() {
        return "BlobContainer[" + name() + "]";
    }
}
