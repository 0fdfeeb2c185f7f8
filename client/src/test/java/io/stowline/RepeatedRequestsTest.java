package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.PageRange;
import com.azure.storage.blob.models.SequenceNumberActionType;
import com.azure.storage.blob.specialized.BlobLeaseClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.retry.Backoff;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/**
 * The requests that are repeated after a lost response, and those that are not, by the requests that the SDK's clients
 * of queues and blobs really send.
 */
class RepeatedRequestsTest {

    private static final String CONNECTION =
            "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5;EndpointSuffix=example.invalid";
    private static final String BLOCK = Base64.getEncoder().encodeToString(new byte[] {1});
    private static final BinaryData DATA = BinaryData.fromString("data");
    private static final BinaryData PAGE = BinaryData.fromBytes(new byte[512]);
    private static final BlobRequestConditions MATCHING = new BlobRequestConditions().setIfMatch("\"0x1\"");
    private static final String SOURCE = "https://acct.blob.example.invalid/photos/source";

    private final AtomicInteger sent = new AtomicInteger();
    private final HttpClient losing = request -> {
        sent.incrementAndGet();
        return Mono.error(new IOException("connection reset"));
    };

    private static HttpPipelinePolicy policy(boolean repeat) {
        StorageRetryPolicy.Builder builder = StorageRetryPolicy.builder()
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(1));
        return (repeat ? builder.repeatAmbiguous() : builder).build();
    }

    private QueueClient queue(boolean repeat) {
        return new QueueServiceClientBuilder()
                .connectionString(CONNECTION)
                .httpClient(losing)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy(repeat))
                .buildClient()
                .getQueueClient("orders");
    }

    private BlobContainerClient container(boolean repeat) {
        return new BlobServiceClientBuilder()
                .connectionString(CONNECTION)
                .httpClient(losing)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy(repeat))
                .buildClient()
                .getBlobContainerClient("photos");
    }

    private static Arguments queue(String name, Consumer<QueueClient> request) {
        return Arguments.of(name, request);
    }

    private static Arguments container(String name, Consumer<BlobContainerClient> request) {
        return Arguments.of(name, request);
    }

    private static Arguments blob(String name, Consumer<BlobClient> request) {
        return Arguments.of(name, (Consumer<BlobContainerClient>) photos -> request.accept(photos.getBlobClient("a")));
    }

    private static Arguments lease(String name, Consumer<BlobLeaseClient> request) {
        return blob(
                name,
                blob -> request.accept(
                        new BlobLeaseClientBuilder().blobClient(blob).buildClient()));
    }

    static Stream<Arguments> queueRequestsThatAreRepeated() {
        return Stream.of(
                queue("receive", QueueClient::receiveMessage),
                queue("peek", QueueClient::peekMessage),
                queue("properties", QueueClient::getProperties),
                queue("set metadata", queue -> queue.setMetadata(Map.of("a", "b"))),
                queue("set access policy", queue -> queue.setAccessPolicy(List.of())));
    }

    static Stream<Arguments> queueRequestsThatAreNot() {
        return Stream.of(
                queue("send", queue -> queue.sendMessage("hello")),
                queue("update", queue -> queue.updateMessage("id", "receipt", "text", Duration.ZERO)),
                queue("delete message", queue -> queue.deleteMessage("id", "receipt")),
                queue("clear", QueueClient::clearMessages),
                queue("create", QueueClient::create),
                queue("delete queue", QueueClient::delete));
    }

    static Stream<Arguments> blobRequestsThatAreRepeated() {
        return Stream.of(
                container("list", photos -> photos.listBlobs().forEach(item -> {})),
                container("exists", BlobContainerClient::exists),
                container("set container metadata", photos -> photos.setMetadata(Map.of("a", "b"))),
                container("set container access policy", photos -> photos.setAccessPolicy(null, List.of())),
                blob("download", BlobClient::downloadContent),
                blob("exists", BlobClient::exists),
                blob("upload", blob -> blob.upload(DATA, true)),
                blob("upload if it exists", blob -> blob.getBlockBlobClient()
                        .uploadWithResponse(
                                new ByteArrayInputStream(new byte[4]),
                                4,
                                null,
                                null,
                                null,
                                null,
                                new BlobRequestConditions().setIfMatch("*"),
                                null,
                                null)),
                blob("upload from address", blob -> blob.getBlockBlobClient().uploadFromUrl(SOURCE, true)),
                blob("put block", blob -> blob.getBlockBlobClient().stageBlock(BLOCK, DATA)),
                blob("put block from address", blob -> blob.getBlockBlobClient()
                        .stageBlockFromUrl(BLOCK, SOURCE, null)),
                blob("put block list", blob -> blob.getBlockBlobClient().commitBlockList(List.of(BLOCK), true)),
                blob("put page", blob -> blob.getPageBlobClient().uploadPages(page(), PAGE.toStream())),
                blob("clear page", blob -> blob.getPageBlobClient().clearPages(page())),
                blob("put page from address", blob -> blob.getPageBlobClient().uploadPagesFromUrl(page(), SOURCE, 0L)),
                blob("resize", blob -> blob.getPageBlobClient().resize(1024)),
                blob("create page blob", blob -> blob.getPageBlobClient().create(1024, true)),
                blob("create append blob", blob -> blob.getAppendBlobClient().create(true)),
                blob("set sequence number", blob -> blob.getPageBlobClient()
                        .updateSequenceNumber(SequenceNumberActionType.UPDATE, 7L)),
                blob("set metadata", blob -> blob.setMetadata(Map.of("a", "b"))),
                blob("set headers", blob -> blob.setHttpHeaders(new BlobHttpHeaders().setContentType("text/plain"))),
                blob("set tags", blob -> blob.setTags(Map.of("a", "b"))),
                blob("set tier", blob -> blob.setAccessTier(AccessTier.COOL)),
                lease("renew lease", BlobLeaseClient::renewLease));
    }

    static Stream<Arguments> blobRequestsThatAreNot() {
        return Stream.of(
                container("create container", BlobContainerClient::create),
                container("delete container", BlobContainerClient::delete),
                blob("upload a new one", blob -> blob.upload(DATA, false)),
                blob("upload over a known one", blob -> blob.getBlockBlobClient()
                        .uploadWithResponse(
                                new ByteArrayInputStream(new byte[4]),
                                4,
                                null,
                                null,
                                null,
                                null,
                                MATCHING,
                                null,
                                null)),
                blob("put block list of a new one", blob -> blob.getBlockBlobClient()
                        .commitBlockList(List.of(BLOCK), false)),
                blob("create append blob if missing", blob -> blob.getAppendBlobClient()
                        .createIfNotExists()),
                blob("append", blob -> blob.getAppendBlobClient().appendBlock(DATA.toStream(), 4)),
                blob("append at a position", blob -> blob.getAppendBlobClient()
                        .appendBlockWithResponse(
                                DATA.toStream(),
                                4,
                                null,
                                new AppendBlobRequestConditions().setAppendPosition(100L),
                                null,
                                Context.NONE)),
                blob("append from address", blob -> blob.getAppendBlobClient().appendBlockFromUrl(SOURCE, null)),
                blob("seal", blob -> blob.getAppendBlobClient().seal()),
                blob("increment sequence number", blob -> blob.getPageBlobClient()
                        .updateSequenceNumber(SequenceNumberActionType.INCREMENT, null)),
                blob(
                        "set metadata of a known one",
                        blob -> blob.setMetadataWithResponse(Map.of("a", "b"), MATCHING, null, Context.NONE)),
                blob("start copy", blob -> blob.beginCopy(SOURCE, null).poll()),
                blob("copy", blob -> blob.copyFromUrl(SOURCE)),
                blob("abort copy", blob -> blob.abortCopyFromUrl("id")),
                blob("snapshot", BlobClient::createSnapshot),
                blob("undelete", BlobClient::undelete),
                blob("delete", BlobClient::delete),
                blob("delete if there", BlobClient::deleteIfExists),
                lease("acquire lease", lease -> lease.acquireLease(15)),
                lease("change lease", lease -> lease.changeLease("other")),
                lease("break lease", BlobLeaseClient::breakLease),
                lease("release lease", BlobLeaseClient::releaseLease));
    }

    private static PageRange page() {
        return new PageRange().setStart(0).setEnd(511);
    }

    private <C> int sends(C client, Consumer<C> request) {
        sent.set(0);
        assertThat(catchThrowable(() -> request.accept(client))).hasRootCauseInstanceOf(IOException.class);
        return sent.get();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("RETRY-11: reads of a queue, and writes that set something whole, are repeated after a lost response")
    @MethodSource("queueRequestsThatAreRepeated")
    void repeatedOfQueues(String name, Consumer<QueueClient> request) {
        assertThat(sends(queue(false), request)).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName(
            "RETRY-11: what changes a queue by each time it is done is not repeated, unless the application says so")
    @MethodSource("queueRequestsThatAreNot")
    void notRepeatedOfQueues(String name, Consumer<QueueClient> request) {
        assertThat(sends(queue(false), request)).isEqualTo(1);
        assertThat(sends(queue(true), request)).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("RETRY-11: reads of blobs, and writes that set something whole, are repeated after a lost response")
    @MethodSource("blobRequestsThatAreRepeated")
    void repeatedOfBlobs(String name, Consumer<BlobContainerClient> request) {
        assertThat(sends(container(false), request)).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("RETRY-11: appends, copies, leases, deletes and conditional writes are not repeated, unless the"
            + " application says so")
    @MethodSource("blobRequestsThatAreNot")
    void notRepeatedOfBlobs(String name, Consumer<BlobContainerClient> request) {
        assertThat(sends(container(false), request)).isEqualTo(1);
        assertThat(sends(container(true), request)).isEqualTo(2);
    }
}
