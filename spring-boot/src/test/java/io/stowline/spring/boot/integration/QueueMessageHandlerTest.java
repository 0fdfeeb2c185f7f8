package io.stowline.spring.boot.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.stowline.Stowline;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.ReceivedMessage;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListenerAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.integration.handler.advice.RequestHandlerRetryAdvice;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.support.GenericMessage;

/** The handler that sends to a queue: what is on the wire, and how a failure ends a flow. */
@Timeout(120)
class QueueMessageHandlerTest {

    private final QueueFlows flows = new QueueFlows();

    @AfterEach
    void close() {
        flows.close();
    }

    private <T> MessageChannel channel(QueueOutboundSpec<T> outbound) {
        flows.start("outbound", IntegrationFlow.from("input").handle(outbound).get());
        return flows.context.getBean("input", MessageChannel.class);
    }

    private static boolean send(MessageChannel channel, Object payload, Map<String, Object> headers) {
        return channel.send(new GenericMessage<>(payload, headers));
    }

    @Test
    void sendsToTheQueuesOfBothAccounts() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageQueue<String> further = flows.furtherQueue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(orders));
        flows.start(
                "further",
                IntegrationFlow.from("furtherInput")
                        .handle(StowlineQueues.outbound(further))
                        .get());
        send(channel, "for both", Map.of());
        send(flows.context.getBean("furtherInput", MessageChannel.class), "for both", Map.of());

        assertThat(orders.receive()).map(ReceivedMessage::body).contains("for both");
        assertThat(further.receive()).map(ReceivedMessage::body).contains("for both");
    }

    @Test
    void takesDelayAndTimeToLiveFromTheMessage() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(orders)
                .delayExpression("headers['delay']")
                .timeToLiveFunction(message ->
                        message.getPayload().startsWith("short") ? Duration.ofMinutes(1) : Duration.ofSeconds(-1)));
        send(channel, "short", Map.of("delay", Duration.ofSeconds(7)));
        send(channel, "at once", Map.of());

        assertThat(flows.requests("POST", "visibilitytimeout=7")).isEqualTo(1);
        assertThat(flows.requests("POST", "messagettl=60")).isEqualTo(1);
        assertThat(flows.requests("POST", "messagettl=-1")).isEqualTo(1);
        assertThat(orders.peek(32)).extracting(PeekedMessage::body).containsExactly("at once");

        assertThatExceptionOfType(MessageHandlingException.class)
                .isThrownBy(() -> send(channel, "wrong", Map.of("delay", 7)))
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class)
                .withMessage("the delay of a message is a Duration, and 'headers['delay']' gives a java.lang.Integer");
        assertThat(flows.requests("POST", "/orders/messages")).isEqualTo(2);
    }

    @Test
    void takesDelayFromAFunctionAndTimeToLiveFromAnExpression() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(orders)
                .delayFunction(message -> message.getHeaders().get("delay", Duration.class))
                .timeToLiveExpression("headers['keep']"));
        send(channel, "short", Map.of("delay", Duration.ofSeconds(7), "keep", Duration.ofMinutes(1)));
        send(channel, "at once", Map.of());

        assertThat(flows.requests("POST", "visibilitytimeout=7")).isEqualTo(1);
        assertThat(flows.requests("POST", "messagettl=60")).isEqualTo(1);
        assertThat(flows.requests("POST", "/orders/messages")).isEqualTo(2);
        assertThat(orders.peek(32)).extracting(PeekedMessage::body).containsExactly("at once");
    }

    @Test
    void refusesFixedTimesThatNoMessageCanHave() {
        QueueOutboundSpec<String> outbound = StowlineQueues.outbound(flows.queue("orders"));
        for (Duration wrong : List.of(Duration.ofDays(8), Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> outbound.delay(wrong));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> outbound.timeToLive(Duration.ZERO));
        assertThat(outbound.delay(Duration.ofDays(7)).timeToLive(Duration.ofSeconds(-1)))
                .isSameAs(outbound);
    }

    @Test
    void refusesAFixedDelayThatIsNoLessThanTheFixedTimeToLive() {
        MessageQueue<String> orders = flows.queue("orders");
        for (QueueOutboundSpec<String> wrong : List.of(
                StowlineQueues.outbound(orders).delay(Duration.ofMinutes(1)).timeToLive(Duration.ofMinutes(1)),
                StowlineQueues.outbound(orders).delay(Duration.ofDays(7)))) {
            QueueMessageHandler<String> handler = wrong.getObject();
            handler.setBeanFactory(flows.context);
            assertThatIllegalArgumentException()
                    .isThrownBy(handler::afterPropertiesSet)
                    .withMessageMatching(
                            "the delay of the handler for queue 'orders' is PT\\S+ and must be less than its"
                                    + " time to live, which is PT\\S+( by default)?");
        }
        MessageChannel channel = channel(
                StowlineQueues.outbound(orders).delay(Duration.ofDays(7)).timeToLive(Duration.ofSeconds(-1)));
        send(channel, "late", Map.of());
        assertThat(flows.requests("POST", "messagettl=-1")).isEqualTo(1);
    }

    @Test
    void takesFixedTimes() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(
                StowlineQueues.outbound(orders).delay(Duration.ofSeconds(5)).timeToLive(Duration.ofHours(1)));
        send(channel, "later", Map.of());

        assertThat(flows.storage.requests())
                .filteredOn(request -> request.startsWith("POST"))
                .singleElement()
                .asString()
                .contains("visibilitytimeout=5", "messagettl=3600");
    }

    @Test
    void aFailureOfTheServiceEndsTheFlowAndTheNextMessageIsSent() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(orders).sendTimeout(Duration.ofSeconds(30)));
        orders.drop();
        assertThatExceptionOfType(MessageHandlingException.class)
                .isThrownBy(() -> send(channel, "nowhere", Map.of()))
                .withCauseInstanceOf(NotFoundException.class)
                .satisfies(failure ->
                        assertThat(failure.getFailedMessage().getPayload()).isEqualTo("nowhere"));

        orders.create();
        send(channel, "somewhere", Map.of());
        assertThat(orders.receive()).map(ReceivedMessage::body).contains("somewhere");
    }

    @Test
    void waitsNoLongerThanItsTimeout() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(orders).sendTimeout(Duration.ofSeconds(1)));
        for (int i = 0; i < 100; i++) {
            flows.storage.refuseNext("POST", "/orders/messages", 503, "ServerBusy");
        }
        long before = System.nanoTime();

        assertThatExceptionOfType(MessageHandlingException.class)
                .isThrownBy(() -> send(channel, "busy", Map.of()))
                .withCauseInstanceOf(StorageException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void theAdviceOfAnEndpointRepeatsASend() {
        MessageQueue<String> orders = flows.queue("orders");
        flows.start(
                "advised",
                IntegrationFlow.from("input")
                        .handle(
                                StowlineQueues.outbound(orders.withRetry(retry -> retry.retries(0))),
                                endpoint -> endpoint.advice(new RequestHandlerRetryAdvice()))
                        .get());
        flows.storage.refuseNext("POST", "/orders/messages", 503, "ServerBusy");
        send(flows.context.getBean("input", MessageChannel.class), "advised", Map.of());

        assertThat(orders.receive()).map(ReceivedMessage::body).contains("advised");
        assertThat(flows.requests("POST", "/orders/messages")).isEqualTo(2);
    }

    @Test
    void aLostResponseSendsAgain() {
        MessageQueue<String> orders = flows.queue("orders");
        MessageChannel channel = channel(StowlineQueues.outbound(
                orders.withRetry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10))))));
        flows.storage.loseNextResponse("POST", "/orders/messages");
        send(channel, "twice", Map.of());

        assertThat(orders.receive(32)).extracting(ReceivedMessage::body).containsExactly("twice", "twice");
    }

    @Test
    void aPayloadOfAnotherTypeIsNotSent() {
        record Order(String item) {}
        MessageQueue<Order> orders = flows.queue("orders", Order.class);
        MessageChannel channel = channel(StowlineQueues.outbound(orders));

        for (Object wrong : List.of(42, new TreeMap<>(Map.of("secret", "s")))) {
            assertThatExceptionOfType(MessageHandlingException.class)
                    .isThrownBy(() -> send(channel, wrong, Map.of()))
                    .havingCause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .withMessage("the bodies are of type " + Order.class.getName() + ", not "
                            + wrong.getClass().getName());
        }
        assertThat(orders.approximateCount()).isZero();
        assertThat(flows.requests("POST", "/orders/messages")).isZero();

        send(channel, new Order("shirt"), Map.of());
        assertThat(orders.receive()).map(ReceivedMessage::body).contains(new Order("shirt"));
    }

    @Test
    void needsToBeInitializedForExpressions() {
        QueueMessageHandler<String> handler = new QueueMessageHandler<>(flows.queue("orders"));
        handler.setDelayExpression(new LiteralExpression("PT1S"));

        assertThatExceptionOfType(MessageHandlingException.class)
                .isThrownBy(() -> handler.handleMessage(new GenericMessage<>("early")))
                .havingCause()
                .withMessage("the handler is not initialized: make a bean of it");
        assertThatNullPointerException().isThrownBy(() -> handler.setTimeToLiveExpression(null));
    }

    @Test
    void anApplicationWithoutSpringIntegrationStarts() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(MessageProducerSupport.class, AbstractMessageHandler.class))
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class))
                .withPropertyValues("stowline.connection-string=" + flows.storage.connectionString())
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Stowline.class));
    }

    @Test
    void namesItsType() {
        MessageQueue<String> orders = flows.queue("orders");

        assertThat(new QueueMessageHandler<>(orders).getComponentType())
                .isEqualTo("stowline:queue-outbound-channel-adapter");
        assertThat(new QueueInboundChannelAdapter<>(orders).getComponentType())
                .isEqualTo("stowline:queue-inbound-channel-adapter");
    }
}
