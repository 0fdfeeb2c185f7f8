package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.ComputeThreads;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.util.context.Context;

@Timeout(60)
class GzipWriterTest {

    private static final int SLICE = BlockWriter.SLICE;

    @Test
    @DisplayName("A1: compression goes on while the threads for hashes are busy with the blocks of other uploads")
    void doesNotWaitForHashes() {
        CountDownLatch hashed = new CountDownLatch(1);
        UploadSettings settings = UploadSettings.builder().gzip().build();
        try (StubBlobs blobs = new StubBlobs(request -> BlobStubResponse.of(201))) {
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                ComputeThreads.SHARED.schedule(() -> StubBlobs.await(hashed));
            }
            BlockOperations requests = new BlockOperations(blobs.scope(), "a", settings);
            BlockWriter blocks =
                    new BlockWriter(requests, blobs.memory(), ByteBuffer::allocate, 8 << 20, 2, Context.empty());
            try (GzipWriter writer = GzipWriter.choosing(requests, blocks, settings)) {
                for (int i = 0; i < 10; i++) {
                    writer.append(ByteBuffer.allocate(SLICE)).block(Duration.ofSeconds(20));
                }
                hashed.countDown();
                assertThat(writer.commit().block(Duration.ofSeconds(20)).size()).isLessThan(SLICE);
            } finally {
                hashed.countDown();
            }
        }
    }
}
