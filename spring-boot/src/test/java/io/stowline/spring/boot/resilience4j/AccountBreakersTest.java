package io.stowline.spring.boot.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.core.registry.EntryAddedEvent;
import io.github.resilience4j.core.registry.EntryRemovedEvent;
import io.github.resilience4j.core.registry.EntryReplacedEvent;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import io.github.resilience4j.springboot.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration;
import io.stowline.CircuitBreakers;
import io.stowline.Stowline;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.RetrySettings;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class AccountBreakersTest {

    private static final UnaryOperator<RetrySettings.Builder> ONCE = r -> r.retries(0);
    private static final String[] SMALL = {
        "resilience4j.circuitbreaker.configs.default.sliding-window-size=4",
        "resilience4j.circuitbreaker.configs.default.minimum-number-of-calls=4"
    };

    private final TwoClients accounts = new TwoClients();
    private final ApplicationContextRunner runner =
            accounts.runner().withConfiguration(AutoConfigurations.of(CircuitBreakerAutoConfiguration.class));

    private static void fail(Stowline client, int calls) {
        for (int i = 0; i < calls; i++) {
            assertThatThrownBy(() -> client.table("runners").withRetry(ONCE).exists())
                    .isInstanceOf(ThrottledException.class);
        }
    }

    @Test
    @DisplayName("an instance with the name of a service is its breaker; it inherits from the default configuration")
    void instanceOfBoot() {
        runner.withPropertyValues(SMALL)
                .withPropertyValues("resilience4j.circuitbreaker.instances.stowline-table.failure-rate-threshold=60")
                .run(context -> {
                    CircuitBreaker breaker =
                            context.getBean(CircuitBreakerRegistry.class).circuitBreaker("stowline-table");
                    assertThat(breaker.getCircuitBreakerConfig().getMinimumNumberOfCalls())
                            .isEqualTo(4);
                    Stowline client = context.getBean("stowline", Stowline.class);
                    TwoClients.busy(accounts.main, 4);
                    fail(client, 4);

                    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);
                    assertThatThrownBy(() -> client.table("runners").exists()).isInstanceOf(CircuitOpenException.class);
                    assertThat(client.queue("orders").exists()).isFalse();
                    assertThat(context.getBean("archiveStowline", Stowline.class)
                                    .table("runners")
                                    .exists())
                            .isFalse();
                });
    }

    @Test
    @DisplayName("a further account has its name in the names of its instances, and opens none of the default account")
    void furtherAccount() {
        runner.withPropertyValues(SMALL)
                .withPropertyValues("resilience4j.circuitbreaker.instances.stowline-archive-table.base-config=default")
                .run(context -> {
                    Stowline archive = context.getBean("archiveStowline", Stowline.class);
                    TwoClients.busy(accounts.archive, 4);
                    fail(archive, 4);

                    assertThatThrownBy(() -> archive.table("runners").exists())
                            .isInstanceOf(CircuitOpenException.class);
                    Stowline main = context.getBean("stowline", Stowline.class);
                    TwoClients.busy(accounts.main, 8);
                    fail(main, 8);
                    assertThat(main.table("runners").exists()).isFalse();
                });
    }

    @Test
    @DisplayName("without an instance of its name a service has no breaker, whatever the registry has")
    void noneWithoutAnInstance() {
        runner.withPropertyValues(SMALL)
                .withPropertyValues("resilience4j.circuitbreaker.instances.orders.base-config=default")
                .run(context -> {
                    Stowline client = context.getBean("stowline", Stowline.class);
                    TwoClients.busy(accounts.main, 8);
                    fail(client, 8);

                    assertThat(client.table("runners").exists()).isFalse();
                    assertThat(context.getBean(CircuitBreakerRegistry.class).getAllCircuitBreakers())
                            .extracting(CircuitBreaker::getName)
                            .containsExactly("orders");
                });
    }

    @Test
    @DisplayName("RETRY-3: no configuration makes a 404 or a conflict a failure, or throttling a success")
    void countsByTheRuleOfTheClient() {
        List<String> events = new CopyOnWriteArrayList<>();
        runner.withBean(RegistryEventConsumer.class, () -> new RegistryEventConsumer<CircuitBreaker>() {
                    @Override
                    public void onEntryAddedEvent(EntryAddedEvent<CircuitBreaker> event) {
                        event.getAddedEntry()
                                .getEventPublisher()
                                .onEvent(each -> events.add(each.getEventType().name()));
                    }

                    @Override
                    public void onEntryRemovedEvent(EntryRemovedEvent<CircuitBreaker> event) {}

                    @Override
                    public void onEntryReplacedEvent(EntryReplacedEvent<CircuitBreaker> event) {}
                })
                .withPropertyValues(SMALL)
                .withPropertyValues(
                        "resilience4j.circuitbreaker.configs.default.record-exceptions=java.lang.IllegalStateException",
                        "resilience4j.circuitbreaker.configs.default.ignore-exceptions=java.io.IOException",
                        "resilience4j.circuitbreaker.instances.stowline-table.sliding-window-size=8",
                        "resilience4j.circuitbreaker.instances.stowline-table.minimum-number-of-calls=8")
                .run(context -> {
                    Stowline client = context.getBean("stowline", Stowline.class);
                    assertThat(client.table("others").exists()).isFalse();
                    assertThat(events).contains("SUCCESS");
                    client.table("runners").create();
                    CircuitBreaker breaker =
                            context.getBean(CircuitBreakerRegistry.class).circuitBreaker("stowline-table");
                    assertThat(breaker.getCircuitBreakerConfig().getSlidingWindowSize())
                            .isEqualTo(8);
                    assertThatThrownBy(() -> client.table("runners").create());
                    assertThat(breaker.getMetrics().getNumberOfSuccessfulCalls())
                            .isEqualTo(3);
                    TwoClients.busy(accounts.main, 5);
                    fail(client, 5);

                    assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(5);
                    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);
                });
    }

    @Test
    @DisplayName("a registry of the application without Resilience4j's starter serves, too, and a customizer of the"
            + " application has the last word")
    void registryOfTheApplication() {
        CircuitBreakerRegistry registry = CircuitBreakerRegistry.of(CircuitBreakerConfig.ofDefaults());
        registry.circuitBreaker("stowline-table").transitionToForcedOpenState();
        ApplicationContextRunner bare = accounts.runner().withBean(CircuitBreakerRegistry.class, () -> registry);
        bare.run(context -> assertThatThrownBy(() -> context.getBean("stowline", Stowline.class)
                        .table("runners")
                        .exists())
                .isInstanceOf(CircuitOpenException.class));
        bare.withBean(
                        StowlineBuilderCustomizer.class,
                        () -> builder -> builder.circuitBreakers(CircuitBreakers.byService(service -> null)))
                .run(context -> assertThat(context.getBean("stowline", Stowline.class)
                                .table("runners")
                                .exists())
                        .isFalse());
    }

    @Test
    @DisplayName("clients start without the circuit breakers of Resilience4j on the class path")
    void withoutTheLibrary() {
        accounts.runner()
                .withClassLoader(new FilteredClassLoader(CircuitBreaker.class))
                .run(context -> assertThat(context.getBean("stowline", Stowline.class)
                                .table("runners")
                                .exists())
                        .isFalse());
    }

    @Test
    @DisplayName("properties of a breaker without Resilience4j's starter stop the start, and the library is named")
    void withoutARegistry() {
        ApplicationContextRunner configured = accounts.runner()
                .withPropertyValues(
                        "resilience4j.circuitbreaker.instances.stowline-archive-blob.sliding-window-size=4");
        for (ApplicationContextRunner each : List.of(
                configured,
                configured.withClassLoader(
                        new FilteredClassLoader(CircuitBreaker.class, CircuitBreakerRegistry.class)))) {
            each.run(context -> {
                assertThat(context).hasFailed();
                FailureAnalysis analysis = FailureAnalyses.first(context.getStartupFailure());
                assertThat(analysis.getDescription()).contains("instances.stowline-archive-blob'");
                assertThat(analysis.getAction()).contains("resilience4j-spring-boot4");
            });
        }
    }

    @Test
    @DisplayName("a breaker whose name is that of no service has a line in the log")
    void unknownName(CapturedOutput output) {
        runner.withPropertyValues(
                        "resilience4j.circuitbreaker.instances.stowline-tables.sliding-window-size=4",
                        "resilience4j.circuitbreaker.instances.stowline-archive-queue.sliding-window-size=4")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains(
                                    "'resilience4j.circuitbreaker.instances.stowline-tables' is the circuit breaker of"
                                            + " no service")
                            .doesNotContain("stowline-archive-queue' is");
                });
    }
}
