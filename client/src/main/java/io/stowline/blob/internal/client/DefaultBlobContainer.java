package io.stowline.blob.internal.client;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AccessTier;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.BlobWriter;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.ContainerInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferReport;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.download.BlobChannel;
import io.stowline.blob.internal.download.BlobStream;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.operations.BatchOperations;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.upload.MediaTypes;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link BlobContainer} that waits for the operations of its {@link BlobContext}. */
public record DefaultBlobContainer(BlobContext context) implements BlobContainer {

    public static BlobContainer of(BlobService service, String name) {
        Objects.requireNonNull(name, "name");
        return new DefaultBlobContainer(service.container(name));
    }

    private static BlobContext contextOf(BlobContainer container) {
        if (Objects.requireNonNull(container, "target") instanceof DefaultBlobContainer ours) {
            return ours.context;
        }
        throw new IllegalArgumentException("target is not a container of this library, but a "
                + container.getClass().getName());
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public ReactiveBlobContainer reactive() {
        return new DefaultReactiveBlobContainer(context);
    }

    @Override
    public BlobContainerAsyncClient unwrap() {
        return context.applicationClient();
    }

    @Override
    public BlobContainer withHeader(String name, String value) {
        return new DefaultBlobContainer(context.header(name, value));
    }

    @Override
    public BlobContainer withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        return new DefaultBlobContainer(context.with(DirectoryTransfers.changed(settings, context.retry().toBuilder())
                .build()));
    }

    @Override
    public BlobContainer withReadPreference(ReadFrom source) {
        return new DefaultBlobContainer(context.with(source));
    }

    @Override
    public void create() {
        BlockingAwait.on(new ContainerOperations(context).create());
    }

    @Override
    public boolean createIfMissing() {
        return await(new ContainerOperations(context).createIfMissing());
    }

    @Override
    public void drop() {
        BlockingAwait.on(new ContainerOperations(context).drop());
    }

    @Override
    public boolean dropIfExists() {
        return await(new ContainerOperations(context).dropIfExists());
    }

    @Override
    public BlobSasBuilder<SharedAccessSignature> sas(String name) {
        Objects.requireNonNull(name, "name");
        return context.sas(name, DefaultBlobContainer::await);
    }

    @Override
    public ContainerSasBuilder<SharedAccessSignature> sas() {
        return context.sas(DefaultBlobContainer::await);
    }

    @Override
    public boolean exists() {
        return await(new ContainerOperations(context).exists());
    }

    @Override
    public ContainerInfo info() {
        return await(new ContainerOperations(context).info());
    }

    @Override
    public WriteResult setMetadata(Map<String, String> metadata) {
        return await(new ContainerOperations(context).setMetadata(metadata));
    }

    @Override
    public BlobWriteResult upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return await(uploading(context, name, settings, MediaTypes.settings(name, Objects.requireNonNull(file, "file")))
                .fileLater(file));
    }

    @Override
    public BlobWriteResult upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return await(uploading(name, settings).bytes(Objects.requireNonNull(content, "content")));
    }

    @Override
    public BlobWriteResult upload(InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(name, settings).stream(Objects.requireNonNull(content, "content"));
    }

    @Override
    public BlobWriter write(String name, UnaryOperator<UploadSettings.Builder> settings) {
        return new DefaultBlobWriter(uploading(name, settings).writer());
    }

    private Upload uploading(String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(context, name, settings, UploadSettings.builder());
    }

    static Upload uploading(
            BlobContext context,
            String name,
            UnaryOperator<UploadSettings.Builder> settings,
            UploadSettings.Builder defaults) {
        return new Upload(
                context, name, DirectoryTransfers.changed(settings, defaults).build());
    }

    @Override
    public byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return await(new Download(context).whole(name, downloading(settings)));
    }

    @Override
    public DownloadSettings.FileDownload downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return new DownloadTo(context, name, downloading(settings)).file(Objects.requireNonNull(target, "target"));
    }

    @Override
    public BlobInfo downloadTo(String name, OutputStream target, UnaryOperator<DownloadSettings.Builder> settings) {
        return new DownloadTo(context, name, downloading(settings)).stream(Objects.requireNonNull(target, "target"));
    }

    @Override
    public InputStream open(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return BlobStream.open(context, name, downloading(settings));
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public BlobDownload openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        DownloadSettings known = downloading(settings);
        BlobStream stream = BlobStream.open(context, name, known);
        return new DefaultBlobDownload(stream.info(), known.from(), stream.length(), stream);
    }

    @Override
    public SeekableByteChannel channel(String name) {
        return BlobChannel.open(context, name, DownloadSettings.defaults());
    }

    static DownloadSettings downloading(UnaryOperator<DownloadSettings.Builder> settings) {
        return DirectoryTransfers.changed(settings, DownloadSettings.builder()).build();
    }

    @Override
    public boolean exists(String name) {
        return await(new BlobOperations(context).exists(name));
    }

    @Override
    public BlobInfo info(String name) {
        return await(new BlobOperations(context).info(name));
    }

    @Override
    public Optional<BlobInfo> find(String name) {
        return Optional.ofNullable(BlockingAwait.on(new BlobOperations(context).find(name)));
    }

    @Override
    public WriteResult setMetadata(String name, Map<String, String> metadata) {
        return await(new BlobOperations(context).setMetadata(name, metadata, null));
    }

    @Override
    public WriteResult setMetadata(String name, Map<String, String> metadata, String etag) {
        return await(new BlobOperations(context).setMetadata(name, metadata, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public Map<String, String> tags(String name) {
        return await(new TagOperations(context).tags(name));
    }

    @Override
    public WriteResult setTags(String name, Map<String, String> tags) {
        return await(new TagOperations(context).setTags(name, tags));
    }

    @Override
    public WriteResult setTags(String name, Map<String, String> tags, BlobTagFilter condition) {
        return await(new TagOperations(context).setTags(name, tags, condition));
    }

    @Override
    public Stream<BlobTagFilter.Match> findByTags(BlobTagFilter filter) {
        return FluxCursor.stream(new BlobListing(context).tagged(filter));
    }

    @Override
    public WriteResult setTier(String name, AccessTier tier) {
        return await(new TagOperations(context).setTier(name, tier));
    }

    @Override
    public WriteResult setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        return await(new BlobOperations(context).setHeaders(name, change));
    }

    @Override
    public WriteResult delete(String name) {
        return await(new BlobOperations(context).delete(name, null));
    }

    @Override
    public WriteResult delete(String name, String etag) {
        return await(new BlobOperations(context).delete(name, Objects.requireNonNull(etag, "etag")));
    }

    @Override
    public WriteResult delete(String name, BlobTagFilter condition) {
        return await(new BlobOperations(context).deleteIf(name, condition));
    }

    @Override
    public boolean deleteIfExists(String name) {
        return await(new BlobOperations(context).deleteIfExists(name));
    }

    @Override
    public Stream<BlobInfo> stream(String prefix) {
        return FluxCursor.stream(new BlobListing(context).flat(prefix));
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
        return await(BatchOperations.deletion(context, "deleteAll", false).all(names));
    }

    @Override
    public List<TransferReport.Item> deleteAllWithSnapshots(Collection<String> names) {
        return await(BatchOperations.deletion(context, "deleteAll", true).all(names));
    }

    @Override
    public List<TransferReport.Item> setTierOfAll(Collection<String> names, AccessTier tier) {
        Objects.requireNonNull(tier, "tier");
        return await(BatchOperations.move(context, "setTierOfAll", tier).all(names));
    }

    @Override
    public BlobRevision snapshot(String name) {
        return DefaultBlobRevision.snapshot(context, name, await(new RevisionOperations(context).snapshot(name)));
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
        return await(new RevisionOperations(context).deleteWithSnapshots(name));
    }

    @Override
    public WriteResult deleteSnapshots(String name) {
        return await(new RevisionOperations(context).deleteSnapshots(name));
    }

    @Override
    public void undelete(String name) {
        BlockingAwait.on(new RevisionOperations(context).undelete(name));
    }

    @Override
    public Transfer uploadDirectory(Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(new DirectoryTransfers(context).upload(directory, prefix, settings), context);
    }

    @Override
    public Transfer downloadDirectory(
            String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(new DirectoryTransfers(context).download(prefix, directory, settings), context);
    }

    @Override
    public Transfer copyDirectory(
            String prefix, BlobContainer target, String newPrefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(
                new DirectoryTransfers(context).copy(prefix, contextOf(target), newPrefix, settings), context);
    }

    @Override
    public Transfer deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(new DirectoryTransfers(context).delete(prefix, settings), context);
    }

    @Override
    public AppendBlob appendBlob(String name) {
        return new DefaultAppendBlob(context, new AppendOperations(context, name));
    }

    static <R> R await(Mono<R> result) {
        @Nullable R value = BlockingAwait.on(result);
        return Objects.requireNonNull(value, "the operation ended without a result");
    }

    @Override
    public CachedContainer cached(Freshness freshness) {
        return new DefaultCachedContainer(context, freshness);
    }

    @Override
    public String toString() {
        return "BlobContainer[" + name() + "]";
    }
}
