package io.stowline;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.queue.QueueClientBuilder;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A service that responds by a script, and the SDK's clients before it. */
abstract class StubbedService {

    private static final WireMockServer SERVER =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    private static final String ENQUEUED = "<QueueMessagesList><QueueMessage><MessageId>" + UUID.randomUUID()
            + "</MessageId><InsertionTime>Fri, 09 Oct 2026 21:04:30 GMT</InsertionTime>"
            + "<ExpirationTime>Fri, 16 Oct 2026 21:04:30 GMT</ExpirationTime><PopReceipt>p</PopReceipt>"
            + "<TimeNextVisible>Fri, 09 Oct 2026 23:29:20 GMT</TimeNextVisible></QueueMessage></QueueMessagesList>";

    @BeforeAll
    static void startServer() {
        SERVER.start();
    }

    @AfterAll
    static void stopServer() {
        SERVER.stop();
    }

    @BeforeEach
    void forgetTheScript() {
        SERVER.resetAll();
    }

    /** Gives one response for each attempt; the last one stays. */
    static void responds(ResponseDefinitionBuilder... responses) {
        int last = responses.length - 1;
        String state = Scenario.STARTED;
        for (int i = 0; i < last; i++) {
            String next = "after " + i;
            SERVER.stubFor(any(anyUrl())
                    .inScenario("answers")
                    .whenScenarioStateIs(state)
                    .willReturn(responses[i])
                    .willSetStateTo(next));
            state = next;
        }
        // In no scenario: of requests that race for a state, one can find its stub in none.
        SERVER.stubFor(any(anyUrl()).atPriority(10).willReturn(responses[last]));
    }

    static ResponseDefinitionBuilder busy() {
        return aResponse().withStatus(503).withHeader("x-ms-error-code", "ServerBusy");
    }

    static ResponseDefinitionBuilder enqueued() {
        return aResponse()
                .withHeader("x-ms-request-id", "r-1")
                .withStatus(201)
                .withHeader("Content-Type", "application/xml")
                .withBody(ENQUEUED);
    }

    static ResponseDefinitionBuilder properties() {
        return aResponse()
                .withHeader("x-ms-request-id", "r-1")
                .withStatus(200)
                .withHeader("x-ms-approximate-messages-count", "7");
    }

    static ResponseDefinitionBuilder written() {
        return aResponse()
                .withHeader("x-ms-request-id", "r-1")
                .withStatus(201)
                .withHeader("ETag", "\"0x1\"")
                .withHeader("Last-Modified", "Fri, 09 Oct 2026 21:04:30 GMT");
    }

    static List<LoggedRequest> requests() {
        return SERVER.findAll(anyRequestedFor(anyUrl()));
    }

    /** Makes a policy with delays that no test waits for. */
    static StorageRetryPolicy policy(UnaryOperator<StorageRetryPolicy.Builder> settings) {
        StorageRetryPolicy.Builder quick = StorageRetryPolicy.builder()
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(2));
        return settings.apply(quick).build();
    }

    static String connectionString(int port) {
        String endpoint = "Endpoint=http://127.0.0.1:" + port + "/acct;";
        return "DefaultEndpointsProtocol=http;AccountName=acct;AccountKey=a2V5;Queue" + endpoint + "Blob" + endpoint;
    }

    static QueueClientBuilder queue(int port, HttpPipelinePolicy... policies) {
        QueueClientBuilder builder = new QueueClientBuilder()
                .connectionString(connectionString(port))
                .queueName("orders")
                .retryOptions(StorageRetryPolicy.sdkRetryOff());
        Stream.of(policies).forEach(builder::addPolicy);
        return builder;
    }

    static QueueClientBuilder queue(HttpPipelinePolicy... policies) {
        return queue(SERVER.port(), policies);
    }

    static BlobClientBuilder blob(int port, HttpPipelinePolicy... policies) {
        BlobClientBuilder builder = new BlobClientBuilder()
                .connectionString(connectionString(port))
                .containerName("photos")
                .blobName("a.jpg")
                .retryOptions(StorageRetryPolicy.sdkRetryOff());
        Stream.of(policies).forEach(builder::addPolicy);
        return builder;
    }

    static BlobClientBuilder blob(HttpPipelinePolicy... policies) {
        return blob(SERVER.port(), policies);
    }
}
