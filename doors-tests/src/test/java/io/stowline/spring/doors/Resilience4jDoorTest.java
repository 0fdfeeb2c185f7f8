package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetricsPublisher;
import io.github.resilience4j.retry.Retry;
import io.stowline.Stowline;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Resilience4j's own starter and the Actuator over HTTP, with two accounts. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class Resilience4jDoorTest {

    private final MemoryStorage main = MemoryStorage.create();
    private final MemoryStorage archive = MemoryStorage.create();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Application {}

    private StowlineBuilderCustomizer inMemory() {
        Map<String, MemoryStorage> accounts = Map.of("stowline", main, "archive", archive);
        return new StowlineBuilderCustomizer() {
            @Override
            public void customize(Stowline.Builder builder) {}

            @Override
            public void customize(String account, Stowline.Builder builder) {
                builder.httpClient(accounts.get(account).httpClient())
                        .retry(r -> r.backoff(Backoff.fixed(Duration.ZERO)).retries(1));
            }
        };
    }

    private ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("accountsInMemory", inMemory()))
                .properties(
                        "server.port=0",
                        "stowline.connection-string=" + main.connectionString(),
                        "stowline.accounts.archive.connection-string=" + archive.connectionString(),
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always",
                        "management.health.circuitbreakers.enabled=true")
                .properties(properties)
                .run();
    }

    private static String get(ConfigurableApplicationContext context, String path) {
        return new RunningApplication(context)
                .send("GET", "/actuator/" + path, "")
                .body();
    }

    private static void busy(MemoryStorage storage, int requests) {
        for (int i = 0; i < requests; i++) {
            storage.refuseNext("GET", "", 503, "ServerBusy");
        }
    }

    @Test
    @DisplayName("the first application of the document runs as it is printed")
    void documented(Azurite azurite, @TempDir Path folder, CapturedOutput output) throws Exception {
        DocumentedApplication.of("spring-resilience4j.md", "guarded.GuardedApplication")
                .with("resilience4j.circuitbreaker.instances.stowline-table.sliding-window-size=50")
                .with("resilience4j.circuitbreaker.instances.stowline-table.minimum-number-of-calls=20")
                .with("resilience4j.circuitbreaker.instances.stowline-table.register-health-indicator=true")
                .with("management.health.circuitbreakers.enabled=true")
                .run(azurite, folder, context -> assertThat(output)
                        .containsPattern("breaker CLOSED, [1-9]")
                        .contains("at most 5 attempts, 0 failed"));
    }

    @Test
    @DisplayName("the Actuator shows breakers in its health, and retries of both accounts as meters and events")
    void actuator() throws Exception {
        try (ConfigurableApplicationContext context = run(
                "resilience4j.circuitbreaker.instances.stowline-table.register-health-indicator=true",
                "resilience4j.circuitbreaker.instances.stowline-table.sliding-window-size=4",
                "resilience4j.circuitbreaker.instances.stowline-table.minimum-number-of-calls=4")) {
            Stowline client = context.getBean("stowline", Stowline.class);
            Stowline further = context.getBean("archiveStowline", Stowline.class);
            busy(archive, 3);
            assertThatThrownBy(() -> further.queue("orders").exists()).isInstanceOf(ThrottledException.class);
            assertThat(further.queue("orders").exists()).isFalse();
            busy(main, 4);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.table("runners").exists()).isInstanceOf(ThrottledException.class);
            }

            assertThatThrownBy(() -> client.table("runners").exists()).isInstanceOf(CircuitOpenException.class);
            assertThat(get(context, "health")).contains("\"stowline-table\"", "\"state\":\"OPEN\"");
            assertThat(get(context, "circuitbreakerevents/stowline-table")).contains("STATE_TRANSITION");
            assertThat(get(context, "retries")).contains("stowline-table", "stowline-archive-queue");
            assertThat(get(context, "retryevents/stowline-archive-queue")).contains("RETRY", "ERROR", "SUCCESS");
            assertThat(
                            get(
                                    context,
                                    "metrics/resilience4j.retry.calls?tag=name:stowline-archive-queue&tag=kind:failed_with_retry"))
                    .contains("\"value\":1.0");
            assertThat(
                            get(
                                    context,
                                    "metrics/resilience4j.retry.calls?tag=name:stowline-archive-queue&tag=kind:successful_with_retry"))
                    .contains("\"value\":1.0");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {CircuitBreaker.class, Retry.class, TaggedRetryMetricsPublisher.class})
    @DisplayName("each module of Resilience4j absent in turn: the clients start and work")
    void absent(Class<?> marker) {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean("accountsInMemory", StowlineBuilderCustomizer.class, this::inMemory)
                .withClassLoader(new FilteredClassLoader(marker))
                .withPropertyValues(
                        "stowline.connection-string=" + main.connectionString(),
                        "stowline.accounts.archive.connection-string=" + archive.connectionString(),
                        "resilience4j.circuitbreaker.instances."
                                + (marker == CircuitBreaker.class ? "orders" : "stowline-archive-table")
                                + ".sliding-window-size=4")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    for (String client : new String[] {"stowline", "archiveStowline"}) {
                        assertThat(context.getBean(client, Stowline.class)
                                        .table("runners")
                                        .exists())
                                .isFalse();
                    }
                    if (marker != CircuitBreaker.class) {
                        assertThat(context.getBean(CircuitBreakerRegistry.class)
                                        .circuitBreaker("stowline-archive-table")
                                        .getMetrics()
                                        .getNumberOfSuccessfulCalls())
                                .isEqualTo(1);
                    }
                });
    }
}
