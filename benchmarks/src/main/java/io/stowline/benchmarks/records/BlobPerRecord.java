package io.stowline.benchmarks.records;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import reactor.core.publisher.Flux;
import reactor.netty.resources.LoopResources;

/** A blob for each record by the SDK's asynchronous client, with 32 requests in flight. */
final class BlobPerRecord implements RecordContender {

    private static final int IN_FLIGHT = 32;

    private final LoopResources loops =
            LoopResources.create("sdk", Runtime.getRuntime().availableProcessors(), true);
    private final BlobContainerAsyncClient container;

    BlobPerRecord(Account account) {
        this.container = new BlobServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(new StorageSharedKeyCredential(account.name(), account.key()))
                .httpClient(new NettyAsyncHttpClientBuilder()
                        .eventLoopGroup(loops.onClient(true))
                        .build())
                .buildAsyncClient()
                .getBlobContainerAsyncClient(Blobs.CONTAINER);
    }

    @Override
    public long store(int records) {
        Flux.range(0, records)
                .flatMap(
                        n -> container
                                .getBlobAsyncClient(Blobs.ABSENT + "/" + n)
                                .upload(BinaryData.fromString(RecordTexts.text(n) + "\n"), true),
                        IN_FLIGHT)
                .blockLast();
        return records;
    }

    @Override
    public void close() {
        loops.dispose();
    }
}
