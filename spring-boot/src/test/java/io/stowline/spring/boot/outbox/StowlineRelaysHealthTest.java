package io.stowline.spring.boot.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.outbox.OutboxRelays.AccountRelay;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@AzuriteTest
class StowlineRelaysHealthTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";
    private static final String BEAN = "stowlineRelaysHealthContributor";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineOutboxAutoConfiguration.class,
                    StowlineRelaysHealthAutoConfiguration.class))
            .withPropertyValues("stowline.outbox.relay=true");

    private static QueueConsumer relay(Duration pollAge, @Nullable String failure, boolean paused) {
        QueueConsumer.Stats stats =
                new QueueConsumer.Stats(0, 0, 9, 0, 2, 0, 1, 0, 7, pollAge, Duration.ofMinutes(5), failure);
        return (QueueConsumer) Proxy.newProxyInstance(
                QueueConsumer.class.getClassLoader(),
                new Class<?>[] {QueueConsumer.class},
                (proxy, method, arguments) -> method.getName().equals("stats") ? stats : paused);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "60, none, false, UP, running",
                "69, refused, false, UP, running",
                "70, none, false, DOWN, unanswered",
                "70, refused, false, DOWN, failing",
                "70, refused, true, UP, paused"
            })
    void aRelayWithoutResponsesIsDown(
            long seconds, @Nullable String failure, boolean paused, String status, String state) {
        AccountRelay relay = new AccountRelay("acct", relay(Duration.ofSeconds(seconds), failure, paused));
        Health health = new StowlineRelaysHealthIndicator(() -> List.of(relay), Duration.ofMinutes(1)).health(true);

        assertThat(health.getStatus()).isEqualTo(new Status(status));
        assertThat(health.getDetails().get("acct"))
                .asString()
                .contains("state=" + state, "hints=7", "oldestHintAge=300 s", "poisoned=2")
                .contains("unansweredFor=" + seconds + " s")
                .contains(failure == null ? "state" : "reason=refused");
    }

    @Test
    void relaysOfTheApplicationAreUpAndGoneAfterTheirStop(Azurite azurite) {
        runner.withPropertyValues("stowline.connection-string=" + azurite.connectionString())
                .run(context -> {
                    HealthIndicator indicator = context.getBean(BEAN, HealthIndicator.class);
                    assertThat(indicator.health(true).getStatus()).isEqualTo(Status.UP);
                    assertThat(indicator.health(true).getDetails().toString())
                            .contains("devstoreaccount1={state=running");
                    context.getBean(OutboxRelays.class).stop();
                    assertThat(indicator.health(true).getDetails()).isEmpty();
                });
    }

    @Test
    void isOffWithoutARelayWhenItIsSwitchedOffAndWithoutTheLibrary() {
        runner.withPropertyValues(EMULATOR, "stowline.outbox.relay=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        runner.withPropertyValues(EMULATOR, "management.health.stowline-relays.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
    }
}
