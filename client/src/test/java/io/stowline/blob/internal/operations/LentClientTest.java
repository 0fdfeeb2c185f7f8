package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The SDK's client that {@code unwrap()} gives. */
@Timeout(60)
class LentClientTest {

    private final StubBlobs blobs = new StubBlobs(request -> BlobStubResponse.of(201));

    @AfterEach
    void close() {
        blobs.close();
    }

    @Test
    void signs() {
        BlobContainerAsyncClient applicationClient = blobs.container().unwrap();
        BlobServiceSasSignatureValues values = new BlobServiceSasSignatureValues(
                OffsetDateTime.of(2030, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
                new BlobContainerSasPermission().setReadPermission(true));

        assertThat(applicationClient.generateSas(values)).contains("sig=").contains("sp=r");
        assertThat(StorageSharedKeyCredential.getSharedKeyCredentialFromPipeline(applicationClient.getHttpPipeline()))
                .isNotNull();
    }

    @Test
    void sends() {
        blobs.container().unwrap().create().block(Duration.ofSeconds(30));

        assertThat(blobs.requested()).hasSize(1);
        assertThat(blobs.requested().get(0).header("Authorization")).startsWith("SharedKey ");
        assertThat(blobs.requested().get(0).query()).contains("timeout=");
    }
}
