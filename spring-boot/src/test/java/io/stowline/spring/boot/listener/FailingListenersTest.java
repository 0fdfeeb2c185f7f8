package io.stowline.spring.boot.listener;

import static io.stowline.spring.boot.listener.ListenerAccounts.await;
import static io.stowline.spring.boot.listener.ListenerAccounts.client;
import static io.stowline.spring.boot.listener.ListenerAccounts.listener;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.queue.QueueConsumer.FailureHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Listeners whose failures a handler, classes of exceptions, or neither decide on. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class FailingListenersTest {

    private static final FailureHandler POISON = failure -> FailureAction.POISON;

    private final ListenerAccounts accounts = new ListenerAccounts();
    private final ApplicationContextRunner runner = accounts.runner();

    /** Sends one message, and returns how many of its failures counted when it is poison. */
    private static long retriedUntilPoison(ApplicationContext context, String listener) {
        QueueListenerContainer container = listener(context, listener);
        if (container.account().equals("stowline")) {
            client(context).queue(container.queue()).send("body");
        } else {
            context.getBean("archiveStowline", io.stowline.Stowline.class)
                    .queue(container.queue())
                    .send("body");
        }
        await(() -> container.stats().poisoned() == 1);
        return container.stats().retried();
    }

    private static void fails(ApplicationContextRunner runner, String... messages) {
        runner.run(context -> {
            Throwable failure = context.getStartupFailure();
            List.of(messages).forEach(message -> assertThat(failure).hasStackTraceContaining(message));
        });
    }

    @Test
    void theHandlerOfAListenerIsForThatListenerAlone() {
        runner.withUserConfiguration(TwoListeners.class)
                .withBean("orderFailures", FailureHandler.class, () -> POISON)
                .run(context -> {
                    assertThat(retriedUntilPoison(context, "orders")).isZero();
                    assertThat(retriedUntilPoison(context, "archive-invoices")).isEqualTo(4);
                });
    }

    @Test
    void theHandlerOfAListenerPrecedesThatOfAllListeners() {
        runner.withUserConfiguration(TwoListeners.class)
                .withBean("orderFailures", FailureHandler.class, () -> failure -> FailureAction.RETRY)
                .withBean("failures", FailureHandler.class, () -> POISON)
                .run(context -> {
                    assertThat(retriedUntilPoison(context, "orders")).isEqualTo(4);
                    assertThat(retriedUntilPoison(context, "archive-invoices")).isZero();
                });
    }

    @Test
    @DisplayName("a primary handler is that of all listeners, also where one names it")
    void primary() {
        runner.withUserConfiguration(TwoListeners.class, PrimaryHandler.class)
                .withBean("others", FailureHandler.class, () -> failure -> FailureAction.RETRY)
                .run(context -> {
                    assertThat(retriedUntilPoison(context, "orders")).isZero();
                    assertThat(retriedUntilPoison(context, "archive-invoices")).isZero();
                });
    }

    @Test
    @DisplayName("a handler that is no candidate for injection by its type is not that of all listeners")
    void noDefaultCandidate() {
        runner.withUserConfiguration(OneListener.class, Qualified.class)
                .run(context ->
                        assertThat(retriedUntilPoison(context, "invoices")).isEqualTo(4));
    }

    @Test
    void severalHandlersOfAllListenersAreRefused() {
        fails(
                runner.withUserConfiguration(OneListener.class)
                        .withBean("one", FailureHandler.class, () -> POISON)
                        .withBean("two", FailureHandler.class, () -> POISON),
                "Several beans of type QueueConsumer.FailureHandler are there for all listeners: [one, two]");
    }

    @Test
    void classesOfPropertiesPrecedeThoseOfTheAnnotation() {
        runner.withUserConfiguration(Annotated.class)
                .withPropertyValues(
                        "stowline.consumers.uncounted-on=java.lang.IllegalStateException",
                        "stowline.consumers.as-all.poison-on=" + Fault.class.getName(),
                        "stowline.consumers.as-none.poison-on=")
                .run(context -> {
                    assertThat(retriedUntilPoison(context, "as-annotated")).isZero();
                    assertThat(retriedUntilPoison(context, "as-all")).isZero();
                    assertThat(retriedUntilPoison(context, "as-none")).isEqualTo(4);
                });
    }

    @Test
    void classesPrecedeTheHandlerOfAllListeners() {
        runner.withUserConfiguration(Annotated.class)
                .withBean("failures", FailureHandler.class, () -> failure -> FailureAction.RETRY)
                .run(context ->
                        assertThat(retriedUntilPoison(context, "as-annotated")).isZero());
    }

    @Test
    @DisplayName("of a batch each failed message has the consequence of its cause")
    void batches() {
        runner.withUserConfiguration(Batches.class).run(context -> {
            QueueListenerContainer listener = listener(context, "batches");
            client(context).queue("batches").sendAll(List.of("good", "faulty", "good"));
            await(() -> listener.stats().completed() + listener.stats().poisoned() == 3);

            assertThat(listener.stats().poisoned()).isEqualTo(1);
            assertThat(listener.stats().retried()).isZero();
            assertThat(client(context).queue("batches").poison().peek(3))
                    .singleElement()
                    .satisfies(message -> assertThat(message.body()).isEqualTo("faulty"));
        });
    }

    @Test
    void rulesThatContradictOneAnotherAreRefused() {
        fails(
                runner.withUserConfiguration(Annotated.class)
                        .withPropertyValues("stowline.consumers.uncounted-on=" + Fault.class.getName()),
                "both 'poison-on' and 'uncounted-on' name " + Fault.class.getName()
                        + ": the annotation and the property 'stowline.consumers.uncounted-on'; take it out of one");
        fails(
                runner.withUserConfiguration(Annotated.class)
                        .withPropertyValues(
                                "stowline.consumers.as-all.uncounted-on=" + Fault.class.getName(),
                                "stowline.consumers.as-all.poison-on=" + Fault.class.getName()),
                ": the property 'stowline.consumers.as-all.poison-on' and the property"
                        + " 'stowline.consumers.as-all.uncounted-on'");
        fails(
                runner.withUserConfiguration(Annotated.class)
                        .withPropertyValues("stowline.consumers.as-none.uncounted-on=java.lang.String"),
                "'uncounted-on' names java.lang.String, which is no exception");
        fails(
                runner.withUserConfiguration(Annotated.class)
                        .withPropertyValues("stowline.consumers.as-none.uncounted-on=no.such.Fault"),
                "no.such.Fault",
                "stowline.consumers.as-none.uncounted-on");
        fails(
                runner.withUserConfiguration(TwoListeners.class)
                        .withBean("orderFailures", FailureHandler.class, () -> POISON)
                        .withPropertyValues("stowline.consumers.orders.poison-on=" + Fault.class.getName()),
                "have no effect beside its errorHandler 'orderFailures', which decides alone");
        fails(
                runner.withUserConfiguration(TwoListeners.class)
                        .withBean("failures", FailureHandler.class, () -> POISON)
                        .withBean("orderFailures", String.class, () -> "no handler"),
                "its errorHandler 'orderFailures' is no bean of type QueueConsumer.FailureHandler, only [failures]");
    }

    @Test
    @DisplayName("an unknown setting of a known listener is named")
    void unknownSetting(CapturedOutput output) {
        runner.withUserConfiguration(OneListener.class)
                .withPropertyValues(
                        "stowline.consumers.invoices.posion-on=" + Fault.class.getName(),
                        "stowline.consumers.invoices.poll-delay.max=50ms")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains(
                        "'stowline.consumers.invoices.posion-on' sets nothing: a listener has the settings",
                        "poison-on")
                .doesNotContain("'stowline.consumers.invoices.poll-delay");
    }

    @Test
    @DisplayName("200 messages with failures of three kinds: each is delivered as often as its failures say, and the"
            + " listener lives on")
    void deliveriesAreExact() {
        Map<String, List<RuntimeException>> plans = new HashMap<>();
        Random random = new Random(44);
        for (int i = 0; i < 200; i++) {
            plans.put("m" + i, plan(random));
        }
        runner.withUserConfiguration(Planned.class)
                .withBean(Handled.class, () -> new Handled(plans, new ConcurrentHashMap<>()))
                .withPropertyValues(
                        "stowline.consumers.concurrency=7",
                        "stowline.consumers.poison-on=" + Fault.class.getName(),
                        "stowline.consumers.uncounted-on=" + IOException.class.getName())
                .run(context -> {
                    QueueListenerContainer listener = listener(context, "planned");
                    client(context).queue("planned").sendAll(plans.keySet());
                    long poison = plans.values().stream()
                            .filter(FailingListenersTest::isPoison)
                            .count();
                    await(() -> listener.stats().completed() + listener.stats().poisoned() == plans.size());

                    Handled handled = context.getBean(Handled.class);
                    plans.forEach((body, plan) -> assertThat(handled.deliveries.get(body))
                            .as(body + " " + plan)
                            .isEqualTo(deliveries(plan)));
                    assertThat(poison).isBetween(20L, 180L);
                    assertThat(listener.stats().poisoned()).isEqualTo(poison);
                    assertThat(client(context).queue("planned").poison().count())
                            .isEqualTo(poison);
                    assertThat(listener.stats().released()).isEqualTo(uncounted(plans));

                    client(context).queue("planned").send("afterwards");
                    await(() -> handled.deliveries.getOrDefault("afterwards", 0) == 1
                            && listener.stats().messagesInHand() == 0);
                    assertThat(listener.stats().handlersRunning()).isZero();
                });
    }

    /** Returns up to six failures; the delivery after them would be handled. */
    private static List<RuntimeException> plan(Random random) {
        List<RuntimeException> plan = new ArrayList<>();
        int failures = random.nextInt(7);
        for (int i = 0; i < failures; i++) {
            plan.add(
                    switch (random.nextInt(8)) {
                        case 0 -> new Fault("poison");
                        case 1, 2, 3 -> new UncheckedIOException(new IOException("not counted"));
                        default -> new IllegalStateException("counted");
                    });
        }
        return plan;
    }

    /** Returns the number of deliveries by an independent reading of the rules: the fifth counted failure is poison. */
    private static int deliveries(List<RuntimeException> plan) {
        int counted = 0;
        for (int i = 0; i < plan.size(); i++) {
            counted += plan.get(i) instanceof IllegalStateException ? 1 : 0;
            if (plan.get(i) instanceof Fault || counted == 5) {
                return i + 1;
            }
        }
        return plan.size() + 1;
    }

    private static boolean isPoison(List<RuntimeException> plan) {
        return deliveries(plan) <= plan.size();
    }

    private static long uncounted(Map<String, List<RuntimeException>> plans) {
        return plans.values().stream()
                .flatMap(plan -> plan.subList(0, Math.min(deliveries(plan), plan.size())).stream())
                .filter(UncheckedIOException.class::isInstance)
                .count();
    }

    static final class Fault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Fault(String message) {
            super(message);
        }
    }

    record Handled(Map<String, List<RuntimeException>> plans, Map<String, Integer> deliveries) {}

    @Configuration(proxyBeanMethods = false)
    static class Planned {

        private final Handled handled;

        Planned(Handled handled) {
            this.handled = handled;
        }

        @StowlineQueueListener("planned")
        void handle(String body) {
            int delivery = handled.deliveries.merge(body, 1, Integer::sum);
            List<RuntimeException> plan = handled.plans.getOrDefault(body, List.of());
            if (delivery <= plan.size()) {
                throw plan.get(delivery - 1);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Batches {

        @StowlineQueueListener(queue = "batches", poisonOn = Fault.class)
        void handle(QueueConsumer.Batch<String> batch) {
            batch.messages().stream()
                    .filter(message -> message.body().equals("faulty"))
                    .forEach(message -> batch.fail(message, new Fault("faulty")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoListeners {

        @StowlineQueueListener(queue = "orders", errorHandler = "${order.failures:orderFailures}")
        void order(String body) {
            throw new Fault("order");
        }

        @StowlineQueueListener(queue = "invoices", account = "archive")
        void invoice(String body) {
            throw new Fault("invoice");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneListener {

        @StowlineQueueListener("invoices")
        void invoice(String body) {
            throw new Fault("invoice");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryHandler {

        @Bean
        @Primary
        FailureHandler orderFailures() {
            return POISON;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Qualified {

        @Bean(defaultCandidate = false)
        @Qualifier("orders")
        FailureHandler orderFailures() {
            return POISON;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Annotated {

        @StowlineQueueListener(queue = "as-annotated", poisonOn = Fault.class)
        CompletionStage<Void> annotated(String body) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(new Fault("wrapped")));
        }

        @StowlineQueueListener("as-all")
        void all(String body) {
            throw new Fault("all");
        }

        @StowlineQueueListener(queue = "as-none", poisonOn = Fault.class)
        void none(String body) {
            throw new Fault("none");
        }
    }
}
