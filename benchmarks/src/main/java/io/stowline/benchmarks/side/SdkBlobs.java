package io.stowline.benchmarks.side;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Task;

/** The workloads of small blobs as one would write them with azure-storage-blob. */
final class SdkBlobs {

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

    Task puts(int inFlight, boolean checked) {
        return new Pump(inFlight, 1, n -> photos.getBlobAsyncClient(Blobs.name(n))
                .uploadWithResponse(
                        new BlobParallelUploadOptions(BinaryData.fromBytes(Blobs.CONTENT)).setComputeMd5(checked)));
    }
}
