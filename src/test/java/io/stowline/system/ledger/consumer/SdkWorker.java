package io.stowline.system.ledger.consumer;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import io.stowline.system.ledger.consumer.SdkConsumerLoop.Ending;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A loop by hand on the SDK's client, which repeats each request four times. */
final class SdkWorker implements AutoCloseable {

    private static final int RETRIES = 4;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int FIRST_SERVER_ERROR = 500;

    private final int number;
    private final HandlerScript script;
    private final HandlingEvents events;
    private final ExecutorService handlers = Executors.newFixedThreadPool(ConsumerSeed.HANDLERS);
    private final ScheduledExecutorService background = Executors.newScheduledThreadPool(2);
    private final SdkConsumerLoop loop;

    SdkWorker(
            int number,
            String connectionString,
            String queue,
            HttpClient http,
            HandlerScript script,
            HandlingEvents events) {
        this.number = number;
        this.script = script;
        this.events = events;
        this.loop = SdkConsumerLoop.start(
                client(connectionString, queue, http),
                client(connectionString, ConsumerSeed.poison(queue), http),
                new SdkConsumerLoop.Settings(HandlerScript.LEASE, ConsumerSeed.MAX_PAUSE),
                new SdkConsumerLoop.Threads(handlers, background),
                this::handle,
                this::ended);
    }

    private static QueueClient client(String connectionString, String queue, HttpClient http) {
        return new QueueClientBuilder()
                .connectionString(connectionString)
                .queueName(queue)
                .messageEncoding(QueueMessageEncoding.BASE64)
                .httpClient(http)
                .retryOptions(new RetryOptions(new FixedDelayOptions(RETRIES, Duration.ofMillis(1))))
                .buildClient();
    }

    private void handle(QueueMessageItem message) throws InterruptedException {
        events.begins(number, message.getMessageId(), message.getDequeueCount());
        try {
            script.handle(message.getBody().toString(), message.getDequeueCount());
        } catch (InterruptedException e) {
            events.interrupted();
            throw e;
        }
        events.handles(message.getMessageId());
    }

    private void ended(QueueMessageItem message, Ending ending, @Nullable RuntimeException error) {
        Claim claim =
                switch (ending) {
                    case DELETED -> Claim.DELETED;
                    case HIDDEN -> Claim.SHOWN_AGAIN;
                    case POISONED -> Claim.POISONED;
                    case LOST -> Claim.LOST;
                };
        events.reports(DeliveryReport.now(
                number,
                message.getMessageId(),
                message.getDequeueCount(),
                claim,
                ending == Ending.LOST ? Certainty.CONFIRMED : certainty(error),
                ending + ", " + error));
    }

    /** A response of the service is certain; a server error or a missing response is not. */
    private static Certainty certainty(@Nullable RuntimeException error) {
        if (error == null) {
            return Certainty.CONFIRMED;
        }
        boolean responded = error instanceof HttpResponseException http
                && http.getResponse() != null
                && http.getResponse().getStatusCode() < FIRST_SERVER_ERROR
                && http.getResponse().getStatusCode() != REQUEST_TIMEOUT;
        return responded ? Certainty.REFUSED : Certainty.UNKNOWN;
    }

    @Override
    public void close() {
        try {
            loop.close();
        } finally {
            handlers.shutdown();
            background.shutdown();
        }
    }
}
