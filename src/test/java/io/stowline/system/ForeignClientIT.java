package io.stowline.system;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.stowline.StorageRetryPolicy;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.Backoff;
import io.stowline.retry.StopReason;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The conduct of the SDK's clients alone, and with {@link StorageRetryPolicy}. */
@AzuriteTest
@Timeout(180)
class ForeignClientIT {

    private static final WireMockServer SERVER =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    private static final HttpClient NETTY = new NettyAsyncHttpClientBuilder().build();

    /** Equal in patience to the policy under test. */
    private static final RequestRetryOptions SDK = new RequestRetryOptions(
            RetryPolicyType.FIXED, 3, Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMillis(1), null);

    private final String name = "n" + UUID.randomUUID().toString().replace("-", "");
    private final List<RequestEnd> facts = new ArrayList<>();
    private final Context observing = StorageRetryPolicy.observing(facts::add);
    private String azurite;

    private final LosingClient losing = new LosingClient(NETTY);

    @BeforeAll
    static void startServer() {
        SERVER.start();
    }

    @AfterAll
    static void stopServer() {
        SERVER.stop();
    }

    @BeforeEach
    void prepare(TestStorage storage) {
        azurite = storage.connectionString();
        SERVER.resetAll();
    }

    private static StorageRetryPolicy policy(UnaryOperator<StorageRetryPolicy.Builder> settings) {
        return settings.apply(
                        StorageRetryPolicy.builder().retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1)))
                                .retries(2)
                                .serverTimeout(Duration.ofSeconds(1))
                                .grace(Duration.ZERO)))
                .build();
    }

    private static StorageRetryPolicy patient() {
        return policy(settings -> settings.retry(retry -> retry.serverTimeout(Duration.ofSeconds(30))));
    }

    private QueueClientBuilder queue(String connectionString, HttpClient http) {
        return new QueueClientBuilder()
                .connectionString(connectionString)
                .queueName(name)
                .httpClient(http);
    }

    private static String stub() {
        return "DefaultEndpointsProtocol=http;AccountName=acct;AccountKey=a2V5;QueueEndpoint=http://127.0.0.1:"
                + SERVER.port() + "/acct;";
    }

    private QueueClient stubbedAlone() {
        return queue(stub(), NETTY).retryOptions(SDK).buildClient();
    }

    private QueueClient stubbedWithThePolicy() {
        return queue(stub(), NETTY)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy(settings -> settings))
                .buildClient();
    }

    private static void firstThenProperties(ResponseDefinitionBuilder first) {
        SERVER.resetAll();
        SERVER.stubFor(any(anyUrl())
                .inScenario("s")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(first)
                .willSetStateTo("next"));
        SERVER.stubFor(any(anyUrl())
                .inScenario("s")
                .whenScenarioStateIs("next")
                .willReturn(aResponse()
                        .withHeader("x-ms-request-id", "r-1")
                        .withStatus(200)
                        .withHeader("x-ms-approximate-messages-count", "7")));
    }

    private static int requests() {
        return SERVER.findAll(anyRequestedFor(anyUrl())).size();
    }

    private static List<String> texts(QueueClient queue) {
        return queue.receiveMessages(32).stream()
                .map(QueueMessageItem::getBody)
                .map(BinaryData::toString)
                .toList();
    }

    @Test
    @DisplayName("RETRY-11: the SDK alone enqueues a message twice whose response was lost")
    void sdkAloneEnqueuesTwice() {
        QueueClient queue = queue(azurite, losing).retryOptions(SDK).buildClient();
        queue.create();
        losing.loseTheNext();

        queue.sendMessage("order");

        assertThat(texts(queue)).containsExactly("order", "order");
    }

    @Test
    @DisplayName(
            "RETRY-11: with the policy it is enqueued once, the caller sees the error, and the facts say what is open")
    void messageIsEnqueuedOnce() {
        QueueClient queue = queue(azurite, losing)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(patient())
                .buildClient();
        queue.create();
        losing.loseTheNext();

        Throwable thrown = catchThrowable(() -> queue.sendMessageWithResponse("order", null, null, null, observing));

        assertThat(thrown).hasRootCauseInstanceOf(IOException.class);
        assertThat(texts(queue)).containsExactly("order");
        assertThat(facts).hasSize(1);
        assertThat(facts.get(0).anyAmbiguous()).isTrue();
        assertThat(facts.get(0).stop()).isEqualTo(StopReason.NOT_RETRYABLE);
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: 408, 502 and 504 end a call of the SDK alone; with the policy a read is tried again")
    @ValueSource(ints = {408, 502, 504})
    void statusThatPasses(int status) {
        firstThenProperties(aResponse().withStatus(status));
        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> stubbedAlone().getProperties())
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(status));

        firstThenProperties(aResponse().withStatus(status));
        assertThat(stubbedWithThePolicy().getProperties().getApproximateMessagesCountLong())
                .isEqualTo(7L);
    }

    @Test
    @DisplayName(
            "RETRY-4: the SDK alone comes back at once when it is asked to wait an hour; the policy does not come back")
    void retryAfter() {
        firstThenProperties(aResponse().withStatus(503).withHeader("Retry-After", "3600"));
        stubbedAlone().getProperties();
        assertThat(requests()).isEqualTo(2);

        firstThenProperties(aResponse().withStatus(503).withHeader("Retry-After", "3600"));
        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> stubbedWithThePolicy().getPropertiesWithResponse(null, observing));
        assertThat(requests()).isEqualTo(1);
        assertThat(facts).extracting(RequestEnd::stop).containsExactly(StopReason.HINT_BEYOND_DEADLINE);
    }

    @Test
    @DisplayName(
            "RETRY-5: the SDK alone waits for a slow response beyond its limit of one try; the policy cancels and tries"
                    + " again")
    void limitOfAnAttempt() {
        firstThenProperties(aResponse()
                .withHeader("x-ms-request-id", "r-1")
                .withStatus(200)
                .withHeader("x-ms-approximate-messages-count", "1")
                .withFixedDelay(2_500));
        assertThat(stubbedAlone().getProperties().getApproximateMessagesCountLong())
                .isEqualTo(1L);
        assertThat(requests()).isEqualTo(1);

        firstThenProperties(aResponse()
                .withHeader("x-ms-request-id", "r-1")
                .withStatus(200)
                .withHeader("x-ms-approximate-messages-count", "1")
                .withFixedDelay(60_000));
        assertThat(stubbedWithThePolicy()
                        .getPropertiesWithResponse(null, observing)
                        .getValue()
                        .getApproximateMessagesCountLong())
                .isEqualTo(7L);
        assertThat(facts.get(0).attempts().get(0).reason()).isEqualTo("AttemptTimeoutException");
    }

    /** Interrupts the caller of a blocking client at its first response. */
    private static final class Interrupting implements HttpPipelinePolicy {

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            return next.process();
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
            HttpResponse response = next.processSync();
            Thread.currentThread().interrupt();
            return response;
        }
    }

    @Test
    @DisplayName("RETRY-8: the SDK alone loses the interrupt of a caller that waits for the next try")
    void sdkAloneLosesTheInterrupt() {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
        QueueClient queue = queue(stub(), NETTY)
                .retryOptions(SDK)
                .addPolicy(new Interrupting())
                .buildClient();

        assertThat(catchThrowable(queue::getProperties)).hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("RETRY-8: with the policy the flag is set again, and nothing more is sent")
    void interruptIsKept() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        HttpClient silent = request -> Mono.<HttpResponse>never()
                .doOnSubscribe(sent -> requested.countDown())
                .doOnCancel(cancelled::countDown);
        QueueClient queue = queue(stub(), silent)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(patient())
                .buildClient();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Throwable thrown = catchThrowable(queue::getProperties);
            flag.complete(thrown != null && Thread.currentThread().isInterrupted());
        });
        caller.start();
        requested.await();
        caller.interrupt();

        assertThat(flag.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("RETRY-5, RETRY-11: one policy in clients of all three services; the signed requests are understood")
    void everyServiceUnderstands() {
        StorageRetryPolicy policy = patient();
        QueueClient queue = queue(azurite, NETTY)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy)
                .buildClient();
        TableClient table = new TableClientBuilder()
                .connectionString(azurite)
                .tableName(name)
                .httpClient(NETTY)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy)
                .buildClient();
        BlobContainerClient container = new BlobServiceClientBuilder()
                .connectionString(azurite)
                .httpClient(NETTY)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy)
                .buildClient()
                .getBlobContainerClient(name);
        queue.create();
        table.createTable();
        container.create();

        queue.sendMessage("order");
        table.submitTransaction(List.of(new TableTransactionAction(
                TableTransactionActionType.CREATE, new TableEntity("p", "b&c='d'").addProperty("a", 1))));
        container.getBlobClient("a b+c").upload(BinaryData.fromString("text"));

        assertThat(texts(queue)).containsExactly("order");
        assertThat(table.getEntity("p", "b&c='d'").getProperty("a")).isEqualTo(1);
        assertThat(container.listBlobs()).hasSize(1);
        assertThat(container.getBlobClient("a b+c").downloadContent()).hasToString("text");
    }
}
