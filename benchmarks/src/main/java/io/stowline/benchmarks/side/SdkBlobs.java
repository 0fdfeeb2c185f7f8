package io.stowline.benchmarks.side;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Task;

/** The workloads of blobs as one would write them with azure-storage-blob. */
final class SdkBlobs {

    private static final ParallelTransferOptions AS_STOWLINE = new ParallelTransferOptions()
            .setBlockSizeLong(8L << 20)
            .setMaxSingleUploadSizeLong(8L << 20)
            .setMaxConcurrency(4);

    private final BlobContainerAsyncClient photos;

    SdkBlobs(Account account) {
        this.photos = new BlobServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(new StorageSharedKeyCredential(account.name(), account.key()))
                .httpClient(SdkSide.http())
                .buildAsyncClient()
                .getBlobContainerAsyncClient(Blobs.CONTAINER);
    }

    Task gets(int inFlight) {
        return new Pump(
                inFlight, 1, n -> photos.getBlobAsyncClient(Blobs.name(n)).downloadContent());
    }

    Task puts(int inFlight) {
        return new Pump(inFlight, 1, n -> photos.getBlobAsyncClient(Blobs.name(n))
                .upload(BinaryData.fromBytes(Blobs.CONTENT), true));
    }

    /** The same blocks, as many at once. */
    Task streams() {
        return new Pump(1, Blobs.LONG, n -> photos.getBlobAsyncClient(Blobs.name(n))
                .upload(Blobs.content(), AS_STOWLINE, true));
    }
}
