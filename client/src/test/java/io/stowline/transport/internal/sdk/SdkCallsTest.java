package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueStorageException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.retry.RetrySettings;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SDK's asynchronous clients over our pipeline. */
@AzuriteTest
class SdkCallsTest {

    private static final RetrySettings RETRY = RetrySettings.defaults();

    private final String name = "n" + UUID.randomUUID();
    private ClientRuntime runtime;
    private SdkCalls queueCalls;
    private SdkCalls blobCalls;
    private QueueAsyncClient queue;
    private BlobContainerAsyncClient container;

    @BeforeEach
    void connect(TestStorage storage) {
        StorageAccount account = ConnectionString.parse(storage.connectionString());
        runtime = ClientRuntime.open(account, Bench.settings(4, RETRY));
        queueCalls = Bench.calls(Service.QUEUE, runtime.to(Service.QUEUE));
        blobCalls = Bench.calls(Service.BLOB, runtime.to(Service.BLOB));
        queue = new QueueServiceClientBuilder()
                .endpoint(account.endpoint(Service.QUEUE).toString())
                .pipeline(queueCalls.pipeline())
                .buildAsyncClient()
                .getQueueAsyncClient(name);
        container = new BlobServiceClientBuilder()
                .endpoint(account.endpoint(Service.BLOB).toString())
                .pipeline(blobCalls.pipeline())
                .buildAsyncClient()
                .getBlobContainerAsyncClient(name);
    }

    @AfterEach
    void close() {
        runtime.close(Duration.ofSeconds(20)).block();
    }

    private static Operation operation(String verb, OperationType effect) {
        return Operation.of(verb, "thing", effect, RETRY);
    }

    @Test
    void sendsAndReceivesMessages() {
        queueCalls.one(operation("create", OperationType.CREATE), queue::create).block();
        queueCalls
                .one(operation("send", OperationType.WRITE), () -> queue.sendMessage("hello"))
                .block();

        assertThat(queueCalls
                        .one(operation("receive", OperationType.READ), () -> queue.receiveMessages(32)
                                .map(message -> message.getBody().toString())
                                .collectList())
                        .block())
                .containsExactly("hello");
    }

    @Test
    void failsWithOurErrors() {
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> queueCalls
                        .one(operation("send", OperationType.WRITE), () -> queue.sendMessage("hello"))
                        .block())
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("QueueNotFound"))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("send"))
                .satisfies(e -> assertThat(e.failure().requestId()).isNotBlank());
    }

    @Test
    void streamsBlobs() {
        blobCalls
                .one(operation("create", OperationType.CREATE), container::create)
                .block();
        BinaryData data = BinaryData.fromBytes(new byte[3_000_000]);
        var blob = container.getBlobAsyncClient("b").getBlockBlobAsyncClient();
        blobCalls
                .one(operation("upload", OperationType.WRITE), () -> blob.upload(data))
                .block();

        assertThat(blobCalls
                        .one(operation("download", OperationType.READ), () -> blob.downloadStream()
                                .reduce(0, (sum, bytes) -> sum + bytes.remaining()))
                        .block())
                .isEqualTo(3_000_000);
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> blobCalls
                .one(operation("upload", OperationType.WRITE), () -> blob.upload(data, false))
                .block());
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> blobCalls
                        .one(operation("download", OperationType.READ), () -> container
                                .getBlobAsyncClient("none")
                                .downloadStream()
                                .then())
                        .block())
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("BlobNotFound"));
    }

    @Test
    void whatTheApplicationDrivesItselfFailsInTheSdksWay() {
        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> queue.sendMessage("hello").block())
                .satisfies(e -> assertThat(e.getErrorCode()).hasToString("QueueNotFound"));
    }
}
