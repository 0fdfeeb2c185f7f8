package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.ContentStream;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.DownloadSettings.ChecksumPolicy;
import io.stowline.blob.Transfer;
import io.stowline.blob.UploadSettings;
import java.io.IOException;
import java.nio.file.Path;

/** The transfers as an application writes them with Stowline: blocks, ranges and parallelism as they are by default. */
final class StowlineTransfers {

    private static final String OWN = "stowline";

    private final BlobContainer photos;
    private final BlobSizes sizes;
    private final TransferFiles files;

    StowlineTransfers(BlobContainer photos, BlobSizes sizes, TransferFiles files) {
        this.photos = photos;
        this.sizes = sizes;
        this.files = files;
    }

    Task fileUp() throws IOException {
        Path source = files.source();
        return new Repetition(() -> {
            photos.upload(source, OWN, UploadSettings.Builder::overwrite);
            return (long) sizes.fileMiB();
        });
    }

    /** Downloads a file; a blob with a stored MD5 is checked by it. */
    Task fileDown(boolean checked) throws IOException {
        Path target = files.target(OWN);
        String name = Blobs.longName(sizes.fileMiB(), checked);
        ChecksumPolicy policy = checked ? ChecksumPolicy.IF_STORED : ChecksumPolicy.OFF;
        return new Repetition(() -> {
            photos.downloadTo(name, target, with -> with.checksum(policy));
            return (long) sizes.fileMiB();
        });
    }

    Task directoryUp() throws IOException {
        Path sources = files.sources();
        return new Repetition(() ->
                transferred(photos.uploadDirectory(sources, OWN + "/", with -> with.overwrite(Overwrite.ALWAYS))));
    }

    Task directoryDown(boolean checked) throws IOException {
        Path targets = files.targets(OWN);
        String folder = Blobs.folder(sizes.blobs(), checked);
        return new Repetition(
                () -> transferred(photos.downloadDirectory(folder, targets, with -> with.overwrite(Overwrite.ALWAYS))));
    }

    private static long transferred(Transfer transfer) {
        return transfer.join().transferred();
    }

    /** Copies a directory within the container, by the service or through this client. */
    Task copy(boolean streamed) {
        String folder = Blobs.folder(sizes.blobs(), false);
        return new Repetition(() -> transferred(photos.copyDirectory(folder, photos, OWN + "/", with -> {
            with.overwrite(Overwrite.ALWAYS);
            return streamed ? with.streamed() : with;
        })));
    }

    Task stream() {
        return new Repetition(() -> {
            photos.upload(new ContentStream(sizes.streamMiB()), OWN, UploadSettings.Builder::overwrite);
            return (long) sizes.streamMiB();
        });
    }

    /** Uploads text of unknown length, as gzip or as it is. */
    Task text(boolean gzip) {
        return new Repetition(() -> {
            photos.upload(
                    new ContentStream(Blobs.TEXT, sizes.textMiB()),
                    OWN,
                    with -> gzip ? with.overwrite().gzip() : with.overwrite());
            return (long) sizes.textMiB();
        });
    }
}
