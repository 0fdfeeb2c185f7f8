package io.stowline.spring.boot.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.listener.QueueListenerContainer;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.listener.StowlineQueueListenerAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

@AzuriteTest
class StowlineListenersHealthTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineQueueListenerAutoConfiguration.class,
                    StowlineListenersHealthAutoConfiguration.class))
            .withPropertyValues(
                    "stowline.consumers.poll-delay.min=10ms",
                    "stowline.consumers.poll-delay.max=10ms",
                    "stowline.create-missing=true");

    private static Health health(ApplicationContext context) {
        return context.getBean("stowlineListenersHealthContributor", HealthIndicator.class)
                .health(true);
    }

    @Test
    void aListenerWithoutResponsesIsDownUntilItIsPausedOrStopped(Azurite azurite) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            runner.withUserConfiguration(Listener.class)
                    .withPropertyValues(
                            "stowline.health.poll-age=200ms",
                            "stowline.connection-string=" + proxy.storage().connectionString())
                    .run(context -> {
                        QueueListenerContainer listener = context.getBean(StowlineQueueListenerRegistry.class)
                                .listener("watched");
                        proxy.when(RequestMatch.requests()).reset();
                        await(() -> health(context).getStatus().equals(Status.DOWN));
                        assertThat(health(context).getDetails().get("watched"))
                                .asString()
                                .contains("state=failing", "reason=io.stowline.error.UnreachableException");

                        listener.pause();
                        await(listener::isPaused);
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        assertThat(health(context).getDetails().get("watched"))
                                .asString()
                                .contains("state=paused");
                        listener.stop();
                        assertThat(health(context).getDetails().get("watched"))
                                .asString()
                                .contains("state=stopped");
                    });
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds over the time")
                    .isNegative();
            ShortPause.park();
        }
    }

    @Test
    void aListenerThatIsRespondedIsUp(Azurite azurite) {
        runner.withUserConfiguration(Listener.class)
                .withPropertyValues("stowline.connection-string=" + azurite.connectionString())
                .run(context -> {
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                    assertThat(health(context).getDetails().get("watched"))
                            .asString()
                            .contains("state=running");
                });
    }

    @Test
    void isOffWhenItIsSwitchedOffWithoutAClientAndWithoutTheLibrary() {
        String bean = "stowlineListenersHealthContributor";
        runner.withPropertyValues(EMULATOR).run(context -> assertThat(context).hasBean(bean));
        runner.withPropertyValues(EMULATOR, "management.health.stowline-listeners.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(bean));
        runner.run(context -> assertThat(context).doesNotHaveBean(bean));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(bean));
    }

    static class Listener {
        @StowlineQueueListener("watched")
        void handle(String body) {}
    }
}
