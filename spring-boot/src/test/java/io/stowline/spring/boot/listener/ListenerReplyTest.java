package io.stowline.spring.boot.listener;

import static io.stowline.spring.boot.listener.ListenerAccounts.await;
import static io.stowline.spring.boot.listener.ListenerAccounts.client;
import static io.stowline.spring.boot.listener.ListenerAccounts.listener;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.stowline.Stowline;
import io.stowline.observe.StowlineObservationContext;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.spring.boot.MovedClock;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.micrometer.StowlineMicrometerAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.support.MessageBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Listeners whose results go to another queue. */
@Timeout(60)
class ListenerReplyTest {

    record Order(int number) {}

    record Invoice(int order, int page) {}

    static class Storage extends StowlineBeans {

        @Override
        protected void declare() {
            queue("orders", Order.class, (queue, client) -> queue.withEnvelope(e -> e));
            queue("invoices", Invoice.class, (queue, client) -> queue.withEnvelope(e -> e))
                    .beanName("bills");
            account("archive").queue("invoices", Invoice.class);
        }
    }

    private final ListenerAccounts accounts = new ListenerAccounts();
    private final ApplicationContextRunner runner = accounts.runner();

    private static MessageQueue<Invoice> invoices(ApplicationContext context) {
        return client(context).queue("invoices", Invoice.class).withEnvelope(e -> e);
    }

    /** Sends an order to a queue, and returns the replies when the listener has completed it. */
    private static List<ReceivedMessage<Invoice>> replies(ApplicationContext context, String queue) {
        client(context).queue(queue, Order.class).send(new Order(17));
        await(() -> listener(context, queue).stats().completed() == 1);
        return invoices(context).receive(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "stream", "flux", "mono-of-list", "list-in-future", "messages"})
    void eachBodyOfAResultIsSentInItsOrder(String queue) {
        runner.withUserConfiguration(Kinds.class).run(context -> {
            List<ReceivedMessage<Invoice>> replies = replies(context, queue);

            assertThat(replies)
                    .extracting(ReceivedMessage::body)
                    .containsExactly(new Invoice(17, 1), new Invoice(17, 2));
            assertThat(replies).extracting(ReceivedMessage::eventId).doesNotHaveDuplicates();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "mono", "future", "message"})
    void oneBodyIsSent(String queue) {
        runner.withUserConfiguration(Kinds.class).run(context -> assertThat(replies(context, queue))
                .extracting(ReceivedMessage::body)
                .containsExactly(new Invoice(17, 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "empty-mono", "future-of-null", "empty-list"})
    void nothingIsSentWhereThereIsNothing(String queue) {
        runner.withUserConfiguration(Kinds.class)
                .run(context -> assertThat(replies(context, queue)).isEmpty());
    }

    @Test
    void aStreamIsClosed() {
        runner.withUserConfiguration(Kinds.class).run(context -> {
            replies(context, "stream");

            assertThat(context.getBean(Kinds.class).closed).hasValue(1);
        });
    }

    @Test
    @DisplayName("the destination is a bean, a queue of the listener's account, or one of a named account")
    void destinations() {
        runner.withUserConfiguration(Destinations.class)
                .withPropertyValues("invoices.queue=invoices")
                .run(context -> {
                    Stowline archive = context.getBean("archiveStowline", Stowline.class);
                    client(context).queue("to-archive", Order.class).send(new Order(1));
                    client(context).queue("by-placeholder", Order.class).send(new Order(2));
                    archive.queue("in-archive", Order.class).send(new Order(3));
                    archive.queue("from-archive", Order.class).send(new Order(4));
                    await(() -> context.getBean(StowlineQueueListenerRegistry.class).listeners().stream()
                            .allMatch(each -> each.stats().completed() == 1));

                    assertThat(invoices(context).receive(32))
                            .extracting(ReceivedMessage::body)
                            .containsExactlyInAnyOrder(new Invoice(2, 0), new Invoice(4, 0));
                    assertThat(archive.queue("invoices", Invoice.class).receive(32))
                            .extracting(ReceivedMessage::body)
                            .containsExactlyInAnyOrder(new Invoice(1, 0), new Invoice(3, 0));
                });
    }

    @Test
    @DisplayName("a lost response of the send: at least one reply, and both have one event id")
    void lostResponse() {
        runner.withUserConfiguration(Kinds.class).run(context -> {
            accounts.main.loseNextResponse("POST", "/invoices/messages");

            List<ReceivedMessage<Invoice>> replies = replies(context, "one");

            assertThat(replies).hasSize(2).extracting(ReceivedMessage::body).containsOnly(new Invoice(17, 1));
            assertThat(replies.get(0).eventId()).isEqualTo(replies.get(1).eventId());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "mono"})
    @DisplayName("a refused send fails the handling: the message comes again, and the listener lives on")
    void refusedSend(String queue) {
        runner.withUserConfiguration(Kinds.class).run(context -> {
            accounts.main.refuseNext("POST", "/invoices/messages", 403, "AuthorizationFailure");

            assertThat(replies(context, queue)).hasSize(1);
            assertThat(listener(context, queue).stats().retried()).isEqualTo(1);

            client(context).queue(queue, Order.class).send(new Order(18));
            await(() -> listener(context, queue).stats().completed() == 2);
            await(() -> listener(context, queue).stats().messagesInHand() == 0);
        });
    }

    @Test
    @DisplayName("an outage of the replies' queue makes no message poison where it does not count")
    void outage() {
        runner.withUserConfiguration(Kinds.class)
                .withPropertyValues("stowline.consumers.uncounted-on=io.stowline.error.StorageException")
                .run(context -> {
                    for (int refusal = 0; refusal < 8; refusal++) {
                        accounts.main.refuseNext("POST", "/invoices/messages", 403, "AuthorizationFailure");
                    }

                    assertThat(replies(context, "one")).hasSize(1);
                    assertThat(listener(context, "one").stats().released()).isEqualTo(8);
                    assertThat(listener(context, "one").stats().poisoned()).isZero();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "list", "flux"})
    @DisplayName(
            "a crash between send and completion: the reply comes again with its event id, and a consumer handles it"
                    + " once")
    void crash(String queue) {
        MovedClock time = MovedClock.running();
        ListenerAccounts crashed = new ListenerAccounts(time);
        ApplicationContextRunner application = crashed.runner().withUserConfiguration(Kinds.class);
        application
                .withBean(
                        "crash",
                        StowlineBuilderCustomizer.class,
                        () -> builder -> builder.closeTimeout(Duration.ofMillis(10))
                                .httpClient(request ->
                                        request.getHttpMethod().toString().equals("DELETE")
                                                ? Mono.never()
                                                : crashed.main.httpClient().send(request)))
                .withPropertyValues("stowline.consumers.stop-timeout=10ms")
                .run(context -> {
                    client(context).queue(queue, Order.class).send(new Order(17));
                    await(() -> context.getBean(Kinds.class).handled.get() == 1
                            && invoices(context).approximateCount() > 0
                            && listener(context, queue).stats().handlersRunning() == 0);
                });
        time.pass(Duration.ofMinutes(1));

        application.run(context -> {
            await(() -> listener(context, queue).stats().completed() == 1);
            List<ReceivedMessage<Invoice>> replies = invoices(context).receive(32);
            int bodies = replies.size() / 2;
            assertThat(replies).isNotEmpty().hasSize(2 * bodies);
            assertThat(replies.stream().map(ReceivedMessage::eventId).distinct())
                    .hasSize(bodies);

            time.pass(Duration.ofMinutes(1));
            AtomicInteger handled = new AtomicInteger();
            try (QueueConsumer consumer =
                    invoices(context).consume(m -> handled.incrementAndGet()).start()) {
                await(() -> invoices(context).approximateCount() == 0);
                assertThat(consumer.stats().retried()).isZero();
            }
            assertThat(handled).hasValue(bodies);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "mono", "future"})
    @DisplayName("the send of a reply is a part of the handling's observation")
    void trace(String queue) {
        ObservationRegistry observations = ObservationRegistry.create();
        Queue<Observation.ContextView> parents = new ConcurrentLinkedQueue<>();
        observations.observationConfig().observationHandler(new ObservationHandler<StowlineObservationContext>() {
            @Override
            public void onStart(StowlineObservationContext started) {
                if (started.operation().name().equals("send")
                        && started.operation().resource().equals("invoices")
                        && started.getParentObservation() != null) {
                    parents.add(started.getParentObservation().getContextView());
                }
            }

            @Override
            public boolean supportsContext(Observation.Context other) {
                return other instanceof StowlineObservationContext;
            }
        });
        runner.withUserConfiguration(Kinds.class)
                .withConfiguration(AutoConfigurations.of(StowlineMicrometerAutoConfiguration.class))
                .withBean(ObservationRegistry.class, () -> observations)
                .run(context -> replies(context, queue));

        assertThat(parents).hasSize(1).allMatch(ReceiverContext.class::isInstance);
    }

    @Test
    void aMissingQueueOfRepliesStopsTheStart() {
        Stowline client = ListenerAccounts.client(accounts.main);
        client.queue("source").create();
        client.close();
        accounts.runner()
                .withUserConfiguration(Undeclared.class)
                .withPropertyValues("stowline.create-missing=false")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Undeclared.handle")
                        .hasStackTraceContaining("the queue 'nowhere' of account")
                        .hasStackTraceContaining("does not exist"));
    }

    @Test
    void whatCannotReplyIsRefusedWithTheReason() {
        refused(WrongType.class, "it returns java.lang.String, but the messages of the bean 'bills'");
        refused(Generic.class, "has type arguments: that needs a bean of the queue with a codec");
        refused(TwoQueues.class, "@SendTo names [a, b], but a listener replies to one queue");
        refused(NoQueue.class, "@SendTo names [], but a listener replies to one queue");
        refused(UnknownAccount.class, "it names the account 'nowhere', which is not configured");
        for (Class<?> listener : List.of(NoName.class, NoNameOfItsOwn.class)) {
            runner.withUserConfiguration(listener).run(context -> assertThat(context.getStartupFailure())
                    .hasStackTraceContaining(listener.getSimpleName() + ".handle(")
                    .hasStackTraceContaining(
                            "cannot start: queue name 'Bad_Queue' must be 3 to 63 lower-case letters"));
        }
        refused(OnTheClass.class, "its class has @SendTo, which belongs on the method");
    }

    private void refused(Class<?> listener, String reason) {
        runner.withUserConfiguration(listener).run(context -> assertThat(context.getStartupFailure())
                .hasMessageContaining(listener.getSimpleName() + ".handle")
                .hasMessageContaining(reason));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Storage.class)
    static class Kinds {

        private final AtomicInteger handled = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        private Invoice invoice(Order order, int page) {
            handled.set(1);
            return new Invoice(order.number(), page);
        }

        private List<Invoice> both(Order order) {
            return List.of(invoice(order, 1), invoice(order, 2));
        }

        @StowlineQueueListener("one")
        @SendTo("invoices")
        Invoice one(Order order) {
            return invoice(order, 1);
        }

        @StowlineQueueListener("list")
        @SendTo("bills")
        List<Invoice> list(Order order) {
            return both(order);
        }

        @StowlineQueueListener("stream")
        @SendTo("invoices")
        Stream<Invoice> stream(Order order) {
            return both(order).stream().onClose(closed::incrementAndGet);
        }

        @StowlineQueueListener("flux")
        @SendTo("invoices")
        Flux<Invoice> flux(Order order) {
            return Flux.fromIterable(both(order));
        }

        @StowlineQueueListener("mono-of-list")
        @SendTo("invoices")
        Mono<List<Invoice>> monoOfList(Order order) {
            return Mono.fromCallable(() -> both(order));
        }

        @StowlineQueueListener("list-in-future")
        @SendTo("invoices")
        CompletionStage<List<Invoice>> listInFuture(Order order) {
            return CompletableFuture.supplyAsync(() -> both(order));
        }

        @StowlineQueueListener("messages")
        @SendTo("invoices")
        List<Message<Invoice>> messages(Order order) {
            return both(order).stream()
                    .map(each -> MessageBuilder.withPayload(each).build())
                    .toList();
        }

        @StowlineQueueListener("message")
        @SendTo("invoices")
        Message<Invoice> message(Order order) {
            return MessageBuilder.withPayload(invoice(order, 1))
                    .setHeader("lost", 1)
                    .build();
        }

        @StowlineQueueListener("mono")
        @SendTo("invoices")
        Mono<Invoice> mono(Order order) {
            return Mono.fromSupplier(() -> invoice(order, 1));
        }

        @StowlineQueueListener("future")
        @SendTo("invoices")
        CompletableFuture<Invoice> future(Order order) {
            return CompletableFuture.supplyAsync(() -> invoice(order, 1));
        }

        @StowlineQueueListener("null")
        @SendTo("invoices")
        @Nullable
        Invoice nothing(Order order) {
            return null;
        }

        @StowlineQueueListener("empty-mono")
        @SendTo("invoices")
        Mono<Invoice> emptyMono(Order order) {
            return Mono.empty();
        }

        @StowlineQueueListener("future-of-null")
        @SendTo("invoices")
        CompletableFuture<Invoice> futureOfNull(Order order) {
            return CompletableFuture.completedFuture(null);
        }

        @StowlineQueueListener("empty-list")
        @SendTo("invoices")
        List<Invoice> emptyList(Order order) {
            return List.of();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Storage.class)
    static class Destinations {

        @StowlineQueueListener("to-archive")
        @SendTo("archive:invoices")
        Invoice toArchive(Order order) {
            return new Invoice(order.number(), 0);
        }

        @StowlineQueueListener("by-placeholder")
        @SendTo("${invoices.queue}")
        Invoice byPlaceholder(Order order) {
            return new Invoice(order.number(), 0);
        }

        @StowlineQueueListener(queue = "in-archive", account = "archive")
        @SendTo("invoices")
        Invoice inArchive(Order order) {
            return new Invoice(order.number(), 0);
        }

        @StowlineQueueListener(queue = "from-archive", account = "archive")
        @SendTo("stowline:invoices")
        Invoice fromArchive(Order order) {
            return new Invoice(order.number(), 0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Undeclared {

        @StowlineQueueListener("source")
        @SendTo("nowhere")
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Storage.class)
    static class WrongType {

        @StowlineQueueListener("source")
        @SendTo("invoices")
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Generic {

        @StowlineQueueListener("source")
        @SendTo("maps")
        java.util.Map<String, String> handle(String body) {
            return java.util.Map.of();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoQueues {

        @StowlineQueueListener("source")
        @SendTo({"a", "b"})
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoQueue {

        @StowlineQueueListener("source")
        @SendTo
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoNameOfItsOwn {

        @StowlineQueueListener(id = "named", queue = "Bad_Queue")
        void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NoName {

        @StowlineQueueListener("source")
        @SendTo("Bad_Queue")
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownAccount {

        @StowlineQueueListener("source")
        @SendTo("nowhere:replies")
        String handle(String body) {
            return body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @SendTo("replies")
    static class OnTheClass {

        @StowlineQueueListener("source")
        void handle(String body) {}
    }
}
