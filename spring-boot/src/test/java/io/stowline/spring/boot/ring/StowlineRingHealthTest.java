package io.stowline.spring.boot.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

class StowlineRingHealthTest {

    private static final String NAME = "stowlineRingHealthContributor";

    private final MemoryStorage one = MemoryStorage.create();
    private final MemoryStorage two = MemoryStorage.create();
    private final AtomicBoolean silent = new AtomicBoolean();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineRingAutoConfiguration.class,
                    StowlineRingHealthAutoConfiguration.class))
            .withBean("memoryOne", StowlineBuilderCustomizer.class, () -> new InMemory("eu1"))
            .withBean("memoryTwo", StowlineBuilderCustomizer.class, () -> new InMemory("eu2"))
            .withPropertyValues(
                    "stowline.accounts.eu1.connection-string=" + one.connectionString(),
                    "stowline.accounts.eu2.connection-string=" + two.connectionString(),
                    "stowline.ring.weights.eu2=2",
                    "stowline.ring.accounts=eu1,eu2");

    private final class InMemory implements StowlineBuilderCustomizer {

        private final String account;

        private InMemory(String account) {
            this.account = account;
        }

        @Override
        public void customize(Stowline.Builder builder) {
            boolean first = account.equals("eu1");
            builder.httpClient(request -> first && silent.get()
                    ? Mono.never()
                    : (first ? one : two).httpClient().send(request));
        }

        @Override
        public boolean supports(String name) {
            return account.equals(name);
        }
    }

    private static Health health(ApplicationContext context) {
        return ((HealthIndicator) context.getBean(NAME, HealthContributor.class)).health(true);
    }

    @Test
    void theRingIsUpIfEachAccountResponds() {
        runner.run(context -> {
            Health health = health(context);

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsOnlyKeys("eu1", "eu2");
            assertThat(health.getDetails().get("eu2"))
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                    .containsAllEntriesOf(Map.of(
                            "account",
                            context.getBean("eu2Stowline", Stowline.class).accountName(),
                            "region",
                            "default",
                            "weight",
                            2,
                            "membership",
                            "staying",
                            "status",
                            "UP"))
                    .containsKey("latency");
            assertThat(one.requests()).hasSize(1);
            assertThat(two.requests()).hasSize(1);
        });
    }

    @Test
    void anAccountThatDoesNotRespondIsNamedAfterItsTime() {
        silent.set(true);
        runner.withPropertyValues("stowline.health.timeout=50ms", "stowline.accounts.eu1.close-timeout=1s")
                .run(context -> {
                    Health health = health(context);

                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails().get("eu1").toString())
                            .contains("status=DOWN", "error=io.stowline.error.UnreachableException");
                    assertThat(health.getDetails().get("eu2").toString()).contains("status=UP");
                    silent.set(false);
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                });
    }

    @Test
    void anAccountWithoutTablesIsReadByItsQueues() {
        String withoutTables = one.connectionString().replaceFirst("TableEndpoint=[^;]+;", "");
        runner.withPropertyValues("stowline.accounts.eu1.connection-string=" + withoutTables)
                .run(context -> {
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                    assertThat(one.requests()).singleElement().asString().contains("stowlinering");
                });
    }

    @Test
    void itCanBeSwitchedOffReplacedAndLeftOut() {
        runner.withPropertyValues("management.health.stowline-ring.enabled=false")
                .run(context ->
                        assertThat(context).hasSingleBean(StowlineRing.class).doesNotHaveBean(NAME));
        HealthIndicator own = () -> Health.up().build();
        runner.withBean(NAME, HealthIndicator.class, () -> own)
                .run(context -> assertThat(context.getBean(NAME)).isSameAs(own));
        runner.withClassLoader(new FilteredClassLoader("io.stowline.ring"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(NAME));
        runner.withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context ->
                        assertThat(context).hasSingleBean(StowlineRing.class).doesNotHaveBean(NAME));
    }
}
