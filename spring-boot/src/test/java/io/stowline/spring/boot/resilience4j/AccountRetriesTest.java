package io.stowline.spring.boot.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.event.RetryEvent;
import io.github.resilience4j.retry.event.RetryOnErrorEvent;
import io.github.resilience4j.retry.event.RetryOnIgnoredErrorEvent;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import io.github.resilience4j.retry.event.RetryOnSuccessEvent;
import io.github.resilience4j.springboot.retry.autoconfigure.RetryAutoConfiguration;
import io.github.resilience4j.springboot.retry.autoconfigure.RetryMetricsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.ThrottledException;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.spring.boot.FailureAnalyses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class AccountRetriesTest {

    private final TwoClients accounts = new TwoClients();
    private final ApplicationContextRunner runner = accounts.runner()
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withConfiguration(
                    AutoConfigurations.of(RetryAutoConfiguration.class, RetryMetricsAutoConfiguration.class));

    private static double calls(MeterRegistry meters, String name, String kind) {
        return meters.get("resilience4j.retry.calls")
                .tag("name", name)
                .tag("kind", kind)
                .functionCounter()
                .count();
    }

    @Test
    @DisplayName("requests of each account are calls of its Retry, in events and in the meters of Resilience4j")
    void countsAndEvents() {
        runner.run(context -> {
            RetryRegistry registry = context.getBean(RetryRegistry.class);
            Stowline client = context.getBean("stowline", Stowline.class);
            client.table("runners").create();
            List<RetryEvent> events = new ArrayList<>();
            registry.retry("stowline-table").getEventPublisher().onEvent(events::add);
            TwoClients.busy(accounts.main, 2);
            client.table("runners").exists();
            TwoClients.busy(accounts.main, 3);
            assertThatThrownBy(() -> client.table("runners").exists()).isInstanceOf(ThrottledException.class);
            assertThatThrownBy(() -> client.table("runners").create()).isInstanceOf(ConflictException.class);
            context.getBean("archiveStowline", Stowline.class).queue("orders").exists();

            assertThat(events)
                    .extracting(event -> event.getEventType().name())
                    .containsExactly("RETRY", "RETRY", "SUCCESS", "RETRY", "RETRY", "ERROR", "IGNORED_ERROR");
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(calls(meters, "stowline-table", "successful_without_retry"))
                    .isEqualTo(1);
            assertThat(calls(meters, "stowline-table", "successful_with_retry")).isEqualTo(1);
            assertThat(calls(meters, "stowline-table", "failed_with_retry")).isEqualTo(1);
            assertThat(calls(meters, "stowline-table", "failed_without_retry")).isEqualTo(1);
            assertThat(calls(meters, "stowline-archive-queue", "successful_without_retry"))
                    .isEqualTo(1);
            assertThat(registry.getAllRetries())
                    .extracting(Retry::getName)
                    .containsExactlyInAnyOrder("stowline-table", "stowline-archive-queue");
            client.close();
            assertThat(registry.find("stowline-table")).isEmpty();
        });
    }

    @Test
    @DisplayName("the configuration is that of the client: its attempts, and its back-off as interval function")
    void showsTheConfiguration() {
        RetrySettings settings = RetrySettings.defaults();

        Retry retry = new ServiceRetry("stowline-table", settings, Map.of("team", "a"));

        assertThat(retry.getRetryConfig().getMaxAttempts()).isEqualTo(5);
        assertThat(retry.getTags()).containsExactly(Map.entry("team", "a"));
        long third = retry.getRetryConfig().getIntervalBiFunction().apply(3, null);
        assertThat(third).isBetween(Duration.ofSeconds(2).multipliedBy(7).toMillis() * 8 / 10, 16_800L);
        assertThat(new ServiceRetry(
                                "stowline-table",
                                RetrySettings.builder().backoff(Backoff.none()).build(),
                                Map.of())
                        .getRetryConfig()
                        .getMaxAttempts())
                .isEqualTo(1);
    }

    private static AttemptEnd attempt(int number, String reason, Duration waited) {
        return new AttemptEnd(
                number,
                reason,
                number == 1 && reason.startsWith("500"),
                false,
                AttemptEnd.ThrottleScope.NONE,
                null,
                Duration.ofMillis(20),
                waited);
    }

    private static List<RetryEvent> events(StopReason stop, AttemptEnd... attempts) {
        ServiceRetry retry = new ServiceRetry("stowline-table", RetrySettings.defaults(), Map.of());
        List<RetryEvent> events = new ArrayList<>();
        retry.getEventPublisher()
                .onRetry(events::add)
                .onSuccess(events::add)
                .onError(events::add)
                .onIgnoredError(events::add);
        retry.onRequestEnd(new RequestEnd(
                "insert", "runners(secret, key)", "id-1", null, List.of(attempts), Duration.ofSeconds(9), stop, false));
        return events;
    }

    @Test
    @DisplayName("events have the waits, the numbers and the reasons of the attempts, and neither keys nor names")
    void factsOfEvents() {
        List<RetryEvent> events = events(
                StopReason.SUCCEEDED,
                attempt(1, "500 InternalError", Duration.ZERO),
                attempt(2, "success", Duration.ofMillis(2_100)));

        assertThat(events).hasSize(2);
        RetryOnRetryEvent retried = (RetryOnRetryEvent) events.get(0);
        assertThat(retried.getWaitInterval()).isEqualTo(Duration.ofMillis(2_100));
        assertThat(retried.getNumberOfRetryAttempts()).isEqualTo(1);
        assertThat(retried.getLastThrowable())
                .hasMessage("insert: 500 InternalError [attempt 1, perhaps applied; client-request-id id-1]");
        assertThat(events.get(1)).isInstanceOf(RetryOnSuccessEvent.class);
        assertThat(events.get(1).getNumberOfRetryAttempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-6: a request that ends for its deadline or retries is an error, one that the quota refuses is"
            + " ignored")
    void endsOfRequests() {
        AttemptEnd failed = attempt(1, "500 InternalError", Duration.ZERO);
        for (StopReason stop :
                List.of(StopReason.RETRIES_EXHAUSTED, StopReason.DEADLINE, StopReason.HINT_BEYOND_DEADLINE)) {
            assertThat(events(stop, failed)).singleElement().isInstanceOf(RetryOnErrorEvent.class);
        }
        assertThat(events(StopReason.QUOTA_EMPTY, failed))
                .singleElement()
                .isInstanceOfSatisfying(RetryOnIgnoredErrorEvent.class, event -> assertThat(event.getLastThrowable())
                        .hasMessageContaining("quota empty"));
        assertThat(events(StopReason.NOT_RETRYABLE, attempt(1, "409 EntityAlreadyExists", Duration.ZERO)))
                .singleElement()
                .isInstanceOf(RetryOnIgnoredErrorEvent.class);
        assertThat(events(StopReason.NOT_RETRYABLE, attempt(1, "404 ResourceNotFound", Duration.ZERO)))
                .isEmpty();
    }

    @Test
    @DisplayName("a call through the view is refused, in blocking and in asynchronous form")
    void repeatsNothing() {
        Retry retry = new ServiceRetry("stowline-table", RetrySettings.defaults(), Map.of());

        assertThatThrownBy(() -> retry.executeSupplier(() -> "done"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'stowline-table'")
                .hasMessageContaining("'stowline.retry'");
        assertThatThrownBy(retry::asyncContext).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("a Retry with the name of a view stops the start: its settings would have no effect")
    void nameIsTaken() {
        runner.withPropertyValues("resilience4j.retry.instances.stowline-archive-blob.max-attempts=9")
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = FailureAnalyses.first(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("'stowline-archive-blob'");
                    assertThat(analysis.getAction()).contains("'stowline.retry'", "show-retries");
                });
        runner.withPropertyValues(
                        "resilience4j.retry.instances.stowline-archive-blob.max-attempts=9",
                        "stowline.resilience4j.show-retries=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("clients start without the retries of Resilience4j on the class path, and without Micrometer")
    void withoutTheLibrary() {
        accounts.runner().withClassLoader(new FilteredClassLoader(Retry.class)).run(context -> assertThat(
                        context.getBean("stowline", Stowline.class)
                                .table("runners")
                                .exists())
                .isFalse());
        accounts.runner()
                .withConfiguration(
                        AutoConfigurations.of(RetryAutoConfiguration.class, RetryMetricsAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context.getBean("stowline", Stowline.class)
                                .table("runners")
                                .exists())
                        .isFalse());
    }
}
