package io.stowline.blob.internal.client;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobReplicas;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.BlobWriter;
import io.stowline.blob.CopySettings;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.Transfer;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.copy.AddressSource;
import io.stowline.blob.internal.copy.DefaultBlobCopy;
import io.stowline.blob.internal.copy.PendingCopy;
import io.stowline.blob.internal.download.BlobChannel;
import io.stowline.blob.internal.download.BlobStream;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The part of a {@link BlobContainer} that moves content: uploads, downloads and copies of single blobs and of directories. It waits for their ends.
 */
abstract class ContainerTransfers extends ContainerView<BlobContainer> implements BlobContainer {

    ContainerTransfers(BlobContext context) {
        super(context);
    }

    @Override
    public BlobWriteResult upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return BlockingAwait.result(uploading(file, name, settings).fileLater(file));
    }

    @Override
    public BlobWriteResult upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return BlockingAwait.result(uploading(name, settings).bytes(Objects.requireNonNull(content, "content")));
    }

    @Override
    public BlobWriteResult upload(InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(name, settings).stream(Objects.requireNonNull(content, "content"));
    }

    @Override
    public BlobWriter write(String name, UnaryOperator<UploadSettings.Builder> settings) {
        return new DefaultBlobWriter(uploading(name, settings).writer());
    }

    @Override
    public byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return BlockingAwait.result(new Download(context).whole(name, downloading(settings)));
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
    public SeekableByteChannel channel(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return BlobChannel.open(context, name, downloading(settings));
    }

    @Override
    public Transfer uploadDirectory(Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(transfers().upload(directory, prefix, settings), context);
    }

    @Override
    public Transfer downloadDirectory(
            String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(transfers().download(prefix, directory, settings), context);
    }

    @Override
    public BlobWriteResult copyFrom(
            BlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings) {
        return BlockingAwait.result(copy(source(source, sourceName), name, settings));
    }

    @Override
    public BlobWriteResult copyFrom(URI source, String name, UnaryOperator<CopySettings.Builder> settings) {
        return BlockingAwait.result(copy(new AddressSource(context, source), name, settings));
    }

    @Override
    public BlobCopy startCopy(
            BlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings) {
        return new DefaultBlobCopy(BlockingAwait.result(
                starting(source(source, sourceName), name, settings).start()));
    }

    @Override
    public BlobCopy startCopy(URI source, String name, UnaryOperator<CopySettings.Builder> settings) {
        return new DefaultBlobCopy(BlockingAwait.result(
                starting(new AddressSource(context, source), name, settings).start()));
    }

    @Override
    public BlobCopy pendingCopy(String name, String id) {
        return new DefaultBlobCopy(new PendingCopy(context, name, id));
    }

    @Override
    public Transfer copyDirectory(
            String prefix, BlobContainer target, String newPrefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(
                transfers().copy(prefix, contextOf(target, "target"), newPrefix, settings), context);
    }

    @Override
    public BlobReplicas replicas(List<BlobContainer> others, UnaryOperator<ReplicaSettings.Builder> settings) {
        return new DefaultBlobReplicas(ReplicaOperations.of(context, others, settings));
    }

    @Override
    public Transfer deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DefaultTransfer.start(transfers().delete(prefix, settings), context);
    }
}
