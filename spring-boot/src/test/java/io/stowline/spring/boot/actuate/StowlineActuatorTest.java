package io.stowline.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.ring.StowlineRingAutoConfiguration;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

@AzuriteTest
class StowlineActuatorTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=stowline";
    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineEndpointAutoConfiguration.class,
                    StowlineInfoAutoConfiguration.class))
            .withPropertyValues(EXPOSED);

    @Test
    void showsTheStateOfUsedServicesAndNoSecret(Azurite azurite) {
        runner.withPropertyValues(
                        "stowline.connection-string=" + azurite.connectionString(),
                        "stowline.accounts.archive.connection-string=" + azurite.connectionString())
                .run(context -> {
                    Stowline client = context.getBean(Stowline.class);
                    client.table("actuated").createIfMissing();
                    client.table("actuated")
                            .cached(Freshness.fresh(Duration.ofMinutes(1)))
                            .find("p", "r");

                    StowlineEndpoint.ClientsDescriptor shown =
                            context.getBean(StowlineEndpoint.class).clients();
                    Info.Builder info = new Info.Builder();
                    context.getBean(StowlineInfoContributor.class).contribute(info);
                    String json = JsonMapper.shared().writeValueAsString(shown)
                            + JsonMapper.shared()
                                    .writeValueAsString(info.build().getDetails());

                    assertThat(shown.services())
                            .filteredOn(state -> state.service().equals("table"))
                            .anySatisfy(state -> {
                                assertThat(state.account()).isEqualTo(azurite.accountName());
                                assertThat(state.permits().limit()).isPositive();
                                assertThat(state.quota().available()).isPositive();
                                assertThat(state.circuitBreaker()).isEqualTo("off");
                            });
                    assertThat(shown.caches()).singleElement().satisfies(cache -> assertThat(cache.reads())
                            .containsEntry("miss", 1L));
                    assertThat(json)
                            .contains("\"permits\"", "\"archiveStowline\"", azurite.accountName())
                            .doesNotContain(azurite.accountKey())
                            .doesNotContain("AccountKey");
                });
    }

    private static StowlineEndpoint.Consumers consumers(StowlineEndpoint endpoint) {
        return endpoint.clients().services().stream()
                .filter(service -> service.service().equals("queue"))
                .findFirst()
                .orElseThrow()
                .consumers();
    }

    @Test
    @Timeout(60)
    void consumersAreShownWhileTheyHandle(Azurite azurite) {
        runner.withPropertyValues("stowline.connection-string=" + azurite.connectionString())
                .run(context -> {
                    MessageQueue<String> queue = context.getBean(Stowline.class).queue("handled", String.class);
                    queue.createIfMissing();
                    queue.send("one");
                    CountDownLatch begun = new CountDownLatch(1);
                    CountDownLatch shown = new CountDownLatch(1);
                    try (QueueConsumer consumer = queue.consume(m -> {
                                begun.countDown();
                                shown.await();
                            })
                            .start()) {
                        begun.await();

                        StowlineEndpoint endpoint = context.getBean(StowlineEndpoint.class);
                        while (consumers(endpoint).handlers() == 0) {
                            ShortPause.park();
                        }
                        assertThat(consumers(endpoint).messages())
                                .isEqualTo(consumer.stats().messagesInHand())
                                .isEqualTo(1);
                        shown.countDown();
                    }
                });
    }

    @Test
    void closedClientsAreNotShown(Azurite azurite) {
        runner.withPropertyValues("stowline.connection-string=" + azurite.connectionString())
                .run(context -> {
                    Stowline client = context.getBean(Stowline.class);
                    client.queue("actuated").exists();
                    StowlineEndpoint endpoint = context.getBean(StowlineEndpoint.class);
                    assertThat(endpoint.clients().services()).isNotEmpty();

                    client.close();

                    assertThat(endpoint.clients().services()).isEmpty();
                });
    }

    @Test
    void theAccountsOfARingAreShown() {
        String first = "AccountName=one;AccountKey=a2V5;EndpointSuffix=core.windows.net";
        ApplicationContextRunner ring = runner.withConfiguration(
                        AutoConfigurations.of(StowlineRingAutoConfiguration.class))
                .withPropertyValues(
                        EMULATOR,
                        "stowline.accounts.eu1.connection-string=" + first,
                        "stowline.ring.weights.eu1=4",
                        "stowline.ring.regions.eu1=eu",
                        "stowline.ring.region=eu",
                        "stowline.ring.accounts=eu1");

        ring.run(context -> assertThat(
                        context.getBean(StowlineEndpoint.class).clients().ring())
                .containsExactly(new StowlineEndpoint.RingAccountDescriptor("eu1", "one", "eu", 4, "staying")));
        ring.withClassLoader(new FilteredClassLoader("io.stowline.ring")).run(context -> assertThat(
                        context.getBean(StowlineEndpoint.class).clients().ring())
                .isEmpty());
    }

    @Test
    void theEndpointIsThereOnlyWhenItIsExposedAndAClientExists() {
        runner.withPropertyValues(EMULATOR).run(context -> assertThat(context).hasSingleBean(StowlineEndpoint.class));
        runner.run(context -> assertThat(context).doesNotHaveBean(StowlineEndpoint.class));
        runner.withPropertyValues(EMULATOR, "management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineEndpoint.class));
        runner.withPropertyValues(EMULATOR, "management.endpoint.stowline.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineEndpoint.class));
    }

    @Test
    void theInfoCanBeSwitchedOff() {
        runner.withPropertyValues(EMULATOR)
                .run(context -> assertThat(context).hasSingleBean(StowlineInfoContributor.class));
        runner.withPropertyValues(EMULATOR, "management.info.stowline.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineInfoContributor.class));
    }

    @Test
    void bothBackOffWithoutTheActuator() {
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class, InfoContributor.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(Stowline.class)
                        .doesNotHaveBean("stowlineEndpoint")
                        .doesNotHaveBean("stowlineInfoContributor"));
    }
}
