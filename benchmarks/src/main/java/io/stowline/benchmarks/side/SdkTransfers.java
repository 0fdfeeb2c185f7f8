package io.stowline.benchmarks.side;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobDownloadToFileOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlobUploadFromFileOptions;
import com.azure.storage.blob.options.BlockBlobOutputStreamOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.ContentStream;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The transfers as one would write them with azure-storage-blob. Where both sides compute checksums, it does so for each request, and
 * the caller computes the MD5 of the whole, which the SDK does not.
 */
final class SdkTransfers {

    /** Blocks and ranges of the size that Stowline's have, as many at once. */
    static final ParallelTransferOptions AS_STOWLINE = new ParallelTransferOptions()
            .setBlockSizeLong(8L << 20)
            .setMaxSingleUploadSizeLong(8L << 20)
            .setMaxConcurrency(4);

    /** Equal to the small blobs at once of a directory transfer of Stowline. */
    private static final int WIDTH = 16;

    private static final int GZIP_BUFFER = 64 << 10;
    /** A poller reads each blob once at least, after this; its default of a second would be all of the time. */
    private static final Duration POLL = Duration.ofMillis(1);

    private static final String OWN = "sdk";
    private static final Set<OpenOption> REPLACING = Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);

    private final BlobContainerAsyncClient photos;
    private final BlobContainerClient blocking;
    private final BlobSizes sizes;
    private final TransferFiles files;

    SdkTransfers(Account account, BlobSizes sizes, TransferFiles files) {
        BlobServiceClientBuilder builder = new BlobServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(new StorageSharedKeyCredential(account.name(), account.key()))
                .httpClient(SdkSide.http());
        this.photos = builder.buildAsyncClient().getBlobContainerAsyncClient(Blobs.CONTAINER);
        this.blocking = builder.buildClient().getBlobContainerClient(Blobs.CONTAINER);
        this.sizes = sizes;
        this.files = files;
    }

    Task fileUp(boolean checked) throws IOException {
        Path source = files.source();
        BlobClient blob = blocking.getBlobClient(OWN);
        return new Repetition(() -> {
            if (checked) {
                blob.uploadWithResponse(
                        new BlobParallelUploadOptions(BinaryData.fromFile(source))
                                .setParallelTransferOptions(AS_STOWLINE)
                                .setHeaders(new BlobHttpHeaders().setContentMd5(md5(source)))
                                .setComputeMd5(true),
                        null,
                        Context.NONE);
            } else {
                blob.uploadFromFileWithResponse(
                        new BlobUploadFromFileOptions(source.toString()).setParallelTransferOptions(AS_STOWLINE),
                        null,
                        Context.NONE);
            }
            return (long) sizes.fileMiB();
        });
    }

    private static byte[] md5(Path file) throws IOException {
        MessageDigest digest = md5();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return digest.digest();
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    /** Downloads a file without a check, whatever is stored. */
    Task fileDown(boolean checked) throws IOException {
        Path target = files.target(OWN);
        BlobClient blob = blocking.getBlobClient(Blobs.longName(sizes.fileMiB(), checked));
        com.azure.storage.common.ParallelTransferOptions ranges = new com.azure.storage.common.ParallelTransferOptions()
                .setBlockSizeLong(AS_STOWLINE.getBlockSizeLong())
                .setMaxConcurrency(AS_STOWLINE.getMaxConcurrency());
        return new Repetition(() -> {
            blob.downloadToFileWithResponse(
                    new BlobDownloadToFileOptions(target.toString())
                            .setParallelTransferOptions(ranges)
                            .setOpenOptions(REPLACING),
                    null,
                    Context.NONE);
            return (long) sizes.fileMiB();
        });
    }

    /** Returns a loop over the files, with a fixed number at once. */
    Task directoryUp(boolean checked) throws IOException {
        Path sources = files.sources();
        return new Repetition(() -> count(Flux.fromIterable(files.names())
                .flatMap(
                        name -> Mono.fromCallable(() -> Files.readAllBytes(sources.resolve(name)))
                                .subscribeOn(Schedulers.boundedElastic())
                                .flatMap(content -> up(photos.getBlobAsyncClient(OWN + "/" + name), content, checked)),
                        WIDTH)));
    }

    private static Mono<?> up(BlobAsyncClient blob, byte[] content, boolean checked) {
        return checked
                ? blob.uploadWithResponse(
                        new BlobParallelUploadOptions(BinaryData.fromBytes(content)).setComputeMd5(true))
                : blob.upload(BinaryData.fromBytes(content), true);
    }

    /** Returns a loop over the listing, with a fixed number at once. */
    Task directoryDown(boolean checked) throws IOException {
        Path targets = files.targets(OWN);
        String folder = Blobs.folder(sizes.blobs(), checked);
        return new Repetition(() -> count(photos.listBlobs(new ListBlobsOptions().setPrefix(folder))
                .map(BlobItem::getName)
                .flatMap(
                        name -> photos.getBlobAsyncClient(name)
                                .downloadToFile(
                                        targets.resolve(name.substring(folder.length()))
                                                .toString(),
                                        true),
                        WIDTH)));
    }

    /** Returns a loop over the listing, with a poller for each copy and a fixed number at once. */
    Task copy() {
        String folder = Blobs.folder(sizes.blobs(), false);
        return new Repetition(() -> count(photos.listBlobs(new ListBlobsOptions().setPrefix(folder))
                .map(BlobItem::getName)
                .flatMap(
                        name -> photos.getBlobAsyncClient(OWN + "/" + name.substring(folder.length()))
                                .beginCopy(photos.getBlobAsyncClient(name).getBlobUrl(), POLL)
                                .last(),
                        WIDTH)));
    }

    private static long count(Flux<?> transfers) {
        Long count = transfers.count().block();
        return count == null ? 0 : count;
    }

    /** Uploads a stream with the same blocks as Stowline. */
    Task stream(boolean checked) {
        return stream(checked, AS_STOWLINE);
    }

    /** Uploads a stream by the default: up to 256 MiB are collected before the first request. */
    Task defaultStream() {
        return stream(true, new ParallelTransferOptions());
    }

    private Task stream(boolean checked, ParallelTransferOptions blocks) {
        BlobClient blob = blocking.getBlobClient(OWN);
        return new Repetition(() -> {
            InputStream content = new ContentStream(sizes.streamMiB());
            MessageDigest blobDigest = md5();
            blob.uploadWithResponse(
                    new BlobParallelUploadOptions(checked ? new DigestInputStream(content, blobDigest) : content)
                            .setParallelTransferOptions(blocks)
                            .setComputeMd5(checked),
                    null,
                    Context.NONE);
            if (checked) {
                blob.setHttpHeaders(new BlobHttpHeaders().setContentMd5(blobDigest.digest()));
            }
            return (long) sizes.streamMiB();
        });
    }

    /** Uploads text of unknown length, which the caller compresses. */
    Task gzipByHand() {
        BlockBlobOutputStreamOptions options = new BlockBlobOutputStreamOptions()
                .setParallelTransferOptions(AS_STOWLINE)
                .setHeaders(new BlobHttpHeaders().setContentEncoding("gzip"));
        BlockBlobClient blob = blocking.getBlobClient(OWN).getBlockBlobClient();
        return new Repetition(() -> {
            try (OutputStream stored = blob.getBlobOutputStream(options);
                    OutputStream gzip = new GZIPOutputStream(stored, GZIP_BUFFER);
                    InputStream content = new ContentStream(Blobs.TEXT, sizes.textMiB())) {
                content.transferTo(gzip);
            }
            return (long) sizes.textMiB();
        });
    }
}
