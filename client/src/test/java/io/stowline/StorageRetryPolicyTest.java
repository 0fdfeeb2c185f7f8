package io.stowline;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueStorageException;
import com.github.tomakehurst.wiremock.http.Fault;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy in real queue clients, blocking and asynchronous, before a stubbed service. */
@Timeout(120)
class StorageRetryPolicyTest extends StubbedService {

    private final List<RequestEnd> facts = new ArrayList<>();
    private final Context observing = StorageRetryPolicy.observing(facts::add);

    private static QueueClient blocking(UnaryOperator<StorageRetryPolicy.Builder> settings) {
        return queue(policy(settings)).buildClient();
    }

    private static QueueAsyncClient asynchronous(UnaryOperator<StorageRetryPolicy.Builder> settings) {
        return queue(policy(settings)).buildAsyncClient();
    }

    private void send(QueueClient queue) {
        queue.sendMessageWithResponse("hello", null, null, null, observing);
    }

    private void send(QueueAsyncClient queue) {
        queue.sendMessage("hello")
                .contextWrite(FluxUtil.toReactorContext(observing))
                .block();
    }

    @Test
    @DisplayName("RETRY-2, RETRY-11: a throttled message is sent again, and the facts tell it, in a blocking client")
    void retriesInBlockingClients() {
        responds(busy(), busy(), enqueued());

        send(blocking(settings -> settings));

        assertThat(requests()).hasSize(3);
        assertThat(facts).hasSize(1);
        assertThat(facts.get(0).name()).isEqualTo("enqueueSync");
        assertThat(facts.get(0).resource()).isEqualTo("/acct/orders/messages");
        assertThat(facts.get(0).stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(facts.get(0).attempts())
                .extracting(AttemptEnd::reason)
                .containsExactly("503 ServerBusy", "503 ServerBusy", "success");
    }

    @Test
    @DisplayName(
            "RETRY-2, RETRY-7, RETRY-11: the same in an asynchronous client; all attempts carry one client request id")
    void retriesInAsynchronousClients() {
        responds(busy(), busy(), enqueued());

        send(asynchronous(settings -> settings));

        assertThat(requests()).hasSize(3);
        assertThat(facts).extracting(RequestEnd::stop).containsExactly(StopReason.SUCCEEDED);
        assertThat(requests())
                .extracting(request -> request.getHeader("x-ms-client-request-id"))
                .containsOnly(facts.get(0).clientRequestId());
    }

    @Test
    @DisplayName("RETRY-5: an attempt asks for its limit at the service, under the signature")
    void requestsItsLimit() {
        responds(enqueued());

        send(blocking(settings -> settings));

        var request = requests().get(0);
        assertThat(request.getUrl()).isEqualTo("/acct/orders/messages?timeout=30");
        assertThat(request.getHeader("Authorization")).startsWith("SharedKey acct:");
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: a read is sent again after every passing failure")
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void readsAreRepeated(int status) {
        responds(aResponse().withStatus(status), properties());

        assertThat(blocking(settings -> settings).getProperties()).isNotNull();
        assertThat(requests()).hasSize(2);
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: what a retry cannot help is the SDK's own exception at once")
    @ValueSource(ints = {400, 403, 404, 409, 412, 501})
    void refusalsAreTheSdksOwn(int status) {
        responds(aResponse()
                .withStatus(status)
                .withHeader("x-ms-error-code", "Some")
                .withHeader("Content-Type", "application/xml")
                .withBody("<Error><Code>Some</Code><Message>text</Message></Error>"));

        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> send(blocking(settings -> settings)))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(status))
                .satisfies(e -> assertThat(e.getServiceMessage()).contains("text"));
        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> send(asynchronous(settings -> settings)))
                .satisfies(e -> assertThat(e.getErrorCode()).hasToString("Some"));
        assertThat(facts)
                .extracting(RequestEnd::stop)
                .containsExactly(StopReason.NOT_RETRYABLE, StopReason.NOT_RETRYABLE);
    }

    @Test
    @DisplayName("RETRY-11: when the retries are used up, the last response is the SDK's exception")
    void lastResponse() {
        responds(busy());

        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> send(blocking(settings -> settings)))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(503));
        assertThat(requests()).hasSize(3);
        assertThat(facts.get(0).stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-11: a message whose response is lost is not sent again; the error comes out and the facts tell it")
    @EnumSource(Fault.class)
    void lostResponseOfAMessage(Fault fault) {
        responds(aResponse().withFault(fault));

        assertThat(catchThrowable(() -> send(blocking(settings -> settings))))
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(requests()).hasSize(1);
        assertThat(catchThrowable(() -> send(asynchronous(settings -> settings))))
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(requests()).hasSize(2);
        assertThat(facts).allSatisfy(known -> {
            assertThat(known.anyAmbiguous()).isTrue();
            assertThat(known.stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        });
    }

    @Test
    @DisplayName("RETRY-11: a message is sent again after a lost response if the application says so")
    void repeatAmbiguous() {
        responds(aResponse().withFault(Fault.EMPTY_RESPONSE), enqueued());

        send(blocking(StorageRetryPolicy.Builder::repeatAmbiguous));

        assertThat(requests()).hasSize(2);
        assertThat(facts.get(0).anyAmbiguous()).isTrue();
        assertThat(facts.get(0).stop()).isEqualTo(StopReason.SUCCEEDED);
    }

    @Test
    @DisplayName("RETRY-2: a port where nobody listens is tried again, and is not ambiguous")
    void refusedConnection() {
        StorageRetryPolicy policy = policy(settings -> settings);

        try (RefusingPort port = new RefusingPort()) {
            assertThat(catchThrowable(() -> send(queue(port.number(), policy).buildClient())))
                    .isNotNull();
            assertThat(catchThrowable(() -> send(queue(port.number(), policy).buildAsyncClient())))
                    .isNotNull();
        }

        assertThat(facts).hasSize(2).allSatisfy(known -> {
            assertThat(known.attempts()).hasSize(3);
            assertThat(known.anyAmbiguous()).isFalse();
        });
    }

    @Test
    @DisplayName("RETRY-4: a hint of the service is a floor for the wait")
    void hint() {
        responds(aResponse().withStatus(503).withHeader("retry-after-ms", "300"), properties());

        blocking(settings -> settings).getPropertiesWithResponse(null, observing);

        assertThat(facts.get(0).attempts().get(1).waitedBefore()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    @DisplayName("RETRY-4: a hint beyond the deadline ends it now, with the service's response")
    void hintBeyondTheDeadline() {
        responds(aResponse().withStatus(503).withHeader("Retry-After", "3600"));

        assertThatExceptionOfType(QueueStorageException.class)
                .isThrownBy(() -> blocking(settings -> settings).getPropertiesWithResponse(null, observing))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(503));
        assertThat(facts).extracting(RequestEnd::stop).containsExactly(StopReason.HINT_BEYOND_DEADLINE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void failingObserverHarmsNothing(boolean fatal) {
        responds(enqueued());
        Context failing = StorageRetryPolicy.observing(known -> {
            if (fatal) {
                throw new NoClassDefFoundError("observer");
            }
            throw new IllegalStateException("observer");
        });

        assertThat(blocking(settings -> settings)
                        .sendMessageWithResponse("hello", null, null, null, failing)
                        .getStatusCode())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("RETRY-11: the facts are in the context of the call, for the policies around")
    void factsInTheCallsContext() {
        responds(busy(), enqueued());
        List<Object> seen = new ArrayList<>();

        queue(new Watching(seen), policy(settings -> settings)).buildClient().sendMessage("hello");

        assertThat(seen).hasSize(1);
        assertThat(((RequestEnd) seen.get(0)).attempts()).hasSize(2);
    }

    @Test
    void standsAroundTheSdksRetry() {
        assertThat(policy(settings -> settings).getPipelinePosition()).isEqualTo(HttpPipelinePosition.PER_CALL);
    }

    @Test
    void observerJoinsWhatTheContextHolds() {
        Context context = StorageRetryPolicy.observing(new Context("key", "value"), facts::add);

        assertThat(context.getData("key")).contains("value");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_001})
    void wrongParallelismIsNamed(int wrong) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorageRetryPolicy.builder().parallelism(wrong))
                .withMessage("parallelism is 1 to 1000, not " + wrong);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 268_435_457})
    void wrongSizeOfHeldBodiesIsNamed(int wrong) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StorageRetryPolicy.builder().holdBodies(wrong))
                .withMessage("holdBodies is 0 to 268435456, not " + wrong);
    }
}
