package io.stowline.system.ledger.subject;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableTransactionFailedException;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The SDK's own clients with their own retry, which is given as many tries and as short times as Stowline. */
final class SdkSubject implements Subject {

    private static final int RETRIES = 4;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final RetryOptions RETRY = new RetryOptions(new FixedDelayOptions(RETRIES, Duration.ofMillis(1)));
    /** Keyed by the time for an attempt; shared by all seeds. */
    private static final Map<Duration, HttpClient> HTTP = new ConcurrentHashMap<>();

    private final SdkTables tables;
    private final QueueClient queue;
    private final BlobContainerClient container;
    private final Map<String, String> receipts = new HashMap<>();

    SdkSubject(String connectionString, String name, Duration attempt) {
        HttpClient http = HTTP.computeIfAbsent(attempt, time -> new NettyAsyncHttpClientBuilder()
                .responseTimeout(time)
                .readTimeout(time)
                .build());
        this.tables = new SdkTables(new TableClientBuilder()
                .connectionString(connectionString)
                .tableName(name)
                .httpClient(http)
                .retryOptions(RETRY)
                .buildClient());
        this.queue = new QueueClientBuilder()
                .connectionString(connectionString)
                .queueName(name)
                .messageEncoding(QueueMessageEncoding.BASE64)
                .httpClient(http)
                .retryOptions(RETRY)
                .buildClient();
        this.container = new BlobContainerClientBuilder()
                .connectionString(connectionString)
                .containerName(name)
                .httpClient(http)
                .retryOptions(RETRY)
                .buildClient();
    }

    @Override
    public ReportedResult perform(Op op) {
        try {
            return switch (op.kind()) {
                case SEND -> {
                    queue.sendMessage(op.payload());
                    yield ReportedResult.done(false, "");
                }
                case DELETE_MESSAGE -> {
                    queue.deleteMessage(op.target(), receipts.get(op.target()));
                    yield ReportedResult.done(false, "");
                }
                case APPEND, APPEND_SHARED -> append(op);
                case CREATE_BLOB -> {
                    container.getBlobClient(op.target()).upload(BinaryData.fromString(op.payload()), false);
                    yield ReportedResult.done(false, "");
                }
                case DELETE_BLOB ->
                    ReportedResult.of(
                            container.getBlobClient(op.target()).deleteIfExists()
                                    ? ReportedResult.Sort.DONE
                                    : ReportedResult.Sort.ABSENT,
                            "");
                case INDEXED -> ReportedResult.of(ReportedResult.Sort.REFUSED, "the SDK has no index rows");
                default -> tables.perform(op);
            };
        } catch (RuntimeException e) {
            return reported(e);
        }
    }

    private ReportedResult append(Op op) {
        byte[] block = op.payload().getBytes(StandardCharsets.UTF_8);
        AppendBlobItem item = container
                .getBlobClient(op.target())
                .getAppendBlobClient()
                .appendBlock(new ByteArrayInputStream(block), block.length);
        return new ReportedResult(
                ReportedResult.Sort.DONE, false, "", Long.parseLong(item.getBlobAppendOffset()), "appended");
    }

    /**
     * Returns the result of an error: a response of the service is certain; a server error or a missing response is
     * not.
     */
    static ReportedResult reported(RuntimeException error) {
        boolean responded = error instanceof TableTransactionFailedException
                || (error instanceof HttpResponseException http
                        && http.getResponse() != null
                        && http.getResponse().getStatusCode() < FIRST_SERVER_ERROR
                        && http.getResponse().getStatusCode() != REQUEST_TIMEOUT);
        return ReportedResult.of(
                responded ? ReportedResult.Sort.REFUSED : ReportedResult.Sort.UNKNOWN,
                error.getClass().getSimpleName() + ": " + error.getMessage());
    }

    @Override
    public List<CompletableFuture<ReportedResult>> performAll(List<Op> ops) {
        Map<Op, ReportedResult> reported = new HashMap<>();
        tables.perform(ops, reported);
        return ops.stream()
                .map(op -> CompletableFuture.completedFuture(reported.get(op)))
                .toList();
    }

    @Override
    public List<Message> receive(int max) {
        try {
            List<Message> messages = new ArrayList<>();
            for (QueueMessageItem item : queue.receiveMessages(max, LEASE, null, null)) {
                receipts.put(item.getMessageId(), item.getPopReceipt());
                messages.add(new Message(item.getMessageId(), item.getBody().toString()));
            }
            return messages;
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        // The HTTP client is shared, and there is nothing else to close.
    }
}
