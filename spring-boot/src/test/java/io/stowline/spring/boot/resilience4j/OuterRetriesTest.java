package io.stowline.spring.boot.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.core.registry.EntryAddedEvent;
import io.github.resilience4j.core.registry.EntryRemovedEvent;
import io.github.resilience4j.core.registry.EntryReplacedEvent;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.springboot.retry.autoconfigure.RetryAutoConfiguration;
import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.ThrottledException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

@ExtendWith(OutputCaptureExtension.class)
class OuterRetriesTest {

    private final TwoClients accounts = new TwoClients();
    private final ApplicationContextRunner runner = accounts.runner()
            .withConfiguration(AutoConfigurations.of(RetryAutoConfiguration.class))
            .withPropertyValues(
                    "resilience4j.retry.configs.default.max-attempts=3",
                    "resilience4j.retry.configs.default.wait-duration=0ms",
                    "resilience4j.retry.configs.patient.max-attempts=4",
                    "resilience4j.retry.instances.orders.base-config=default");

    /** Returns how many calls a Retry makes of one that always meets a busy service. */
    private int calls(Retry retry, Stowline client) {
        AtomicInteger calls = new AtomicInteger();
        TwoClients.busy(accounts.main, 20);
        assertThatThrownBy(() -> retry.executeRunnable(() -> {
                    calls.incrementAndGet();
                    client.table("runners").exists();
                }))
                .isInstanceOf(ThrottledException.class);
        return calls.get();
    }

    @Test
    @DisplayName("RETRY-6: a configured Retry repeats no call whose retries the client has used up, and says so once")
    void refused(CapturedOutput output) {
        runner.run(context -> {
            Stowline client = context.getBean("stowline", Stowline.class);
            Retry orders = context.getBean(RetryRegistry.class).retry("orders");

            assertThat(calls(orders, client)).isEqualTo(1);
            assertThat(calls(orders, client)).isEqualTo(1);
            assertThat(output)
                    .containsOnlyOnce("The Retry 'orders' of Resilience4j does not repeat a call")
                    .contains("has made 3 attempts itself, and with this Retry there would be up to 9");
        });
    }

    @Test
    @DisplayName("each way to get a Retry from the registry has the rule; its other settings stay")
    void eachWay() {
        runner.run(context -> {
            Stowline client = context.getBean("stowline", Stowline.class);
            RetryRegistry registry = context.getBean(RetryRegistry.class);
            RetryConfig five = RetryConfig.custom().maxAttempts(5).build();
            Retry[] retries = {
                registry.retry("a"),
                registry.retry("b", "patient"),
                registry.retry("c", five),
                registry.retry("d", () -> five),
                registry.retry("e", Map.of("team", "x"))
            };

            for (Retry retry : retries) {
                assertThat(calls(retry, client)).as(retry.getName()).isEqualTo(1);
            }
            assertThat(retries)
                    .extracting(retry -> retry.getRetryConfig().getMaxAttempts())
                    .containsExactly(3, 4, 5, 5, 3);
            assertThat(retries[4].getTags()).containsEntry("team", "x");
            assertThatThrownBy(() -> registry.retry("f", "unknown")).hasMessageContaining("unknown");
        });
    }

    @Test
    @DisplayName("other failures are repeated as configured, ignored ones are not")
    void otherFailures() {
        runner.withPropertyValues(
                        "resilience4j.retry.instances.orders.ignore-exceptions=java.lang.IllegalStateException")
                .run(context -> {
                    Stowline client = context.getBean("stowline", Stowline.class);
                    client.table("runners").create();
                    Retry orders = context.getBean(RetryRegistry.class).retry("orders");
                    AtomicInteger calls = new AtomicInteger();

                    assertThatThrownBy(() -> orders.executeRunnable(() -> {
                                calls.incrementAndGet();
                                client.table("runners").create();
                            }))
                            .isInstanceOf(ConflictException.class);
                    assertThat(calls).hasValue(3);
                    assertThatThrownBy(() -> orders.executeRunnable(() -> {
                                calls.incrementAndGet();
                                throw new IllegalStateException();
                            }))
                            .isInstanceOf(IllegalStateException.class);
                    assertThat(calls).hasValue(4);
                });
    }

    @Test
    @DisplayName("where the client's retries are off, those of Resilience4j are the only ones, and work")
    void onlyOuter() {
        runner.run(context -> {
            Retry orders = context.getBean(RetryRegistry.class).retry("orders");
            Stowline client = context.getBean("stowline", Stowline.class);
            TwoClients.busy(accounts.main, 2);

            assertThat(orders.executeSupplier(() ->
                            client.table("runners").withRetry(r -> r.retries(0)).exists()))
                    .isFalse();
        });
    }

    @Test
    @DisplayName("allowed outer retries multiply the attempts, and a line says to how many")
    void allowed(CapturedOutput output) {
        runner.withPropertyValues("stowline.resilience4j.allow-outer-retries=true")
                .run(context -> {
                    Stowline client = context.getBean("stowline", Stowline.class);
                    Retry orders = context.getBean(RetryRegistry.class).retry("orders");

                    assertThat(calls(orders, client)).isEqualTo(3);
                    assertThat(output)
                            .containsOnlyOnce("The Retry 'orders' of Resilience4j repeats a call")
                            .contains("after 3 attempts of the client of Stowline: it may make 9 attempts in all");
                });
    }

    @Test
    @DisplayName("a wrapped failure is recognised, and one of no client may be repeated")
    void causes() {
        runner.run(context -> {
            Stowline client = context.getBean("stowline", Stowline.class);
            TwoClients.busy(accounts.main, 3);

            assertThatThrownBy(() -> client.table("runners").exists()).satisfies(failure -> assertThat(
                            OuterRetries.mayHelp(new IllegalStateException("order", new CompletionException(failure))))
                    .isFalse());
            assertThat(OuterRetries.mayHelp(new IllegalStateException())).isTrue();
        });
    }

    /** Methods that Spring repeats. */
    static class Shipping {

        private final Stowline client;
        final AtomicInteger calls = new AtomicInteger();

        Shipping(Stowline client) {
            this.client = client;
        }

        @Retryable(maxRetries = 2, delay = 0)
        public boolean blindly() {
            calls.incrementAndGet();
            return client.table("runners").exists();
        }

        @Retryable(maxRetries = 2, delay = 0, predicate = OuterRetries.class)
        public boolean byTheRule() {
            calls.incrementAndGet();
            return client.table("runners").exists();
        }

        public AtomicInteger calls() {
            return calls;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(proxyTargetClass = true)
    static class ShippingConfiguration {

        @Bean
        Shipping shipping(Stowline client) {
            return new Shipping(client);
        }
    }

    @Test
    @DisplayName(
            "a method with @Retryable that repeats used-up retries has one line; with the predicate it repeats none")
    void retryable(CapturedOutput output) {
        accounts.runner().withUserConfiguration(ShippingConfiguration.class).run(context -> {
            Shipping shipping = context.getBean(Shipping.class);
            TwoClients.busy(accounts.main, 9);
            assertThatThrownBy(shipping::blindly).isInstanceOf(ThrottledException.class);
            assertThat(shipping.calls()).hasValue(3);
            TwoClients.busy(accounts.main, 3);
            assertThatThrownBy(shipping::byTheRule).isInstanceOf(ThrottledException.class);
            assertThat(shipping.calls()).hasValue(4);

            assertThat(output)
                    .containsOnlyOnce("@Retryable of Shipping.blindly repeats calls")
                    .doesNotContain("Shipping.byTheRule");
        });
    }

    @Test
    @DisplayName("a RetryTemplate of Spring takes the rule as its predicate")
    void retryTemplate() {
        runner.run(context -> {
            Stowline client = context.getBean("stowline", Stowline.class);
            RetryTemplate template = new RetryTemplate(RetryPolicy.builder()
                    .maxRetries(2)
                    .delay(Duration.ZERO)
                    .predicate(OuterRetries::mayHelp)
                    .build());
            AtomicInteger calls = new AtomicInteger();
            TwoClients.busy(accounts.main, 3);

            assertThatThrownBy(() -> template.execute(() -> {
                        calls.incrementAndGet();
                        return client.table("runners").exists();
                    }))
                    .isInstanceOf(RetryException.class)
                    .hasCauseInstanceOf(ThrottledException.class);
            assertThat(calls).hasValue(1);
        });
    }

    @Test
    @DisplayName("consumers that were added to a Retry of the properties get the events of the one in its place")
    void consumersStay() {
        List<String> events = new CopyOnWriteArrayList<>();
        runner.withBean(RegistryEventConsumer.class, () -> new RegistryEventConsumer<Retry>() {
                    @Override
                    public void onEntryAddedEvent(EntryAddedEvent<Retry> event) {
                        event.getAddedEntry()
                                .getEventPublisher()
                                .onEvent(each -> events.add(each.getName() + " " + each.getEventType()));
                    }

                    @Override
                    public void onEntryRemovedEvent(EntryRemovedEvent<Retry> event) {}

                    @Override
                    public void onEntryReplacedEvent(EntryReplacedEvent<Retry> event) {}
                })
                .run(context -> {
                    Retry orders = context.getBean(RetryRegistry.class).retry("orders");
                    assertThatThrownBy(() -> orders.executeRunnable(() -> {
                                throw new IllegalStateException();
                            }))
                            .isInstanceOf(IllegalStateException.class);

                    assertThat(events).containsExactly("orders RETRY", "orders RETRY", "orders ERROR");
                });
    }
}
