package io.stowline.spring.boot.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.TestStorage;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

@AzuriteTest
class StowlineHealthAutoConfigurationTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineHealthAutoConfiguration.class));

    private static Health health(ApplicationContext context, String... path) {
        HealthContributor contributor = context.getBean("stowlineHealthContributor", HealthContributor.class);
        for (String name : path) {
            contributor = ((CompositeHealthContributor) contributor).getContributor(name);
            assertThat(contributor).as(name).isNotNull();
        }
        return ((HealthIndicator) contributor).health(true);
    }

    @Test
    void eachServiceOfTheEmulatorIsUp(TestStorage storage) {
        runner.withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    for (String service : new String[] {"tables", "queues", "blobs"}) {
                        Health health = health(context, service);
                        assertThat(health.getStatus()).isEqualTo(Status.UP);
                        assertThat(health.getDetails()).containsOnlyKeys("account", "endpoint", "latency");
                    }
                });
    }

    @Test
    void asksOnceAndOnlyReads(Azurite azurite) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            runner.withUserConfiguration(Storage.class)
                    .withPropertyValues(
                            "stowline.connection-string=" + proxy.storage().connectionString())
                    .run(context -> {
                        health(context, "tables");
                        health(context, "queues");
                        health(context, "blobs");

                        assertThat(proxy.recorded())
                                .extracting(exchange -> exchange.request())
                                .extracting(SentRequest::method)
                                .hasSize(3)
                                .allSatisfy(method -> assertThat(method).isIn("GET", "HEAD"));
                        assertThat(proxy.recorded(RequestMatch.requests().path("**registrations**")))
                                .as("the declared table is what the application may read")
                                .hasSize(1);
                    });
        }
    }

    @Test
    void aServiceThatFailsIsDownAfterOneAttemptAndTheOthersAreUp(Azurite azurite) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            proxy.when(RequestMatch.requests().service(io.stowline.testkit.StorageService.QUEUE))
                    .reset();
            runner.withPropertyValues(
                            "stowline.connection-string=" + proxy.storage().connectionString())
                    .run(context -> {
                        Health queues = health(context, "queues");

                        assertThat(queues.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(queues.getDetails())
                                .containsKeys("account", "endpoint", "error")
                                .satisfies(details ->
                                        assertThat(details.toString()).doesNotContain(azurite.accountKey()));
                        assertThat(proxy.recorded()).hasSize(1);
                        assertThat(health(context, "tables").getStatus()).isEqualTo(Status.UP);
                    });
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anOutageHasOneLineInTheLogAndItsEndAnother(Azurite azurite, CapturedOutput output) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            runner.withPropertyValues(
                            "stowline.connection-string=" + proxy.storage().connectionString())
                    .run(context -> {
                        proxy.when(RequestMatch.requests()).reset();
                        health(context, "tables");
                        health(context, "tables");
                        proxy.clear();
                        health(context, "tables");
                        health(context, "tables");
                    });
        }
        assertThat(output.toString().lines().filter(line -> line.contains("The table service of account")))
                .hasSize(2)
                .first(InstanceOfAssertFactories.STRING)
                .contains("is down");
        assertThat(output).contains("works again").doesNotContain("\tat ");
    }

    @Test
    void aServiceThatDoesNotRespondIsDownAfterTheTimeout(Azurite azurite) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            proxy.when(RequestMatch.requests()).delayBefore(java.time.Duration.ofMinutes(1));
            runner.withPropertyValues(
                            "stowline.connection-string=" + proxy.storage().connectionString(),
                            "stowline.close-timeout=1s",
                            "stowline.health.timeout=200ms")
                    .run(context ->
                            assertThat(health(context, "tables").getStatus()).isEqualTo(Status.DOWN));
        }
    }

    @Test
    void servicesWithoutAnEndpointHaveNoIndicator() {
        runner.withPropertyValues(
                        "stowline.table.endpoint=http://127.0.0.1:1/acct",
                        "stowline.account-name=acct",
                        "stowline.account-key=a2V5")
                .run(context -> assertThat(
                                context.getBean("stowlineHealthContributor", CompositeHealthContributor.class).stream()
                                        .map(entry -> entry.name()))
                        .containsExactly("tables"));
    }

    @Test
    void severalClientsStandBelowTheNamesOfTheirBeans() {
        runner.withPropertyValues(EMULATOR, "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true")
                .run(context -> assertThat(
                                context.getBean("stowlineHealthContributor", CompositeHealthContributor.class).stream()
                                        .map(entry -> entry.name()))
                        .containsExactlyInAnyOrder("stowline", "archiveStowline"));
    }

    @Test
    void isOffWhenItIsSwitchedOffWithoutAClientAndWithoutTheLibrary() {
        runner.withPropertyValues(EMULATOR, "management.health.stowline.enabled=false")
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean("stowlineHealthContributor"));
        runner.run(context -> assertThat(context).doesNotHaveBean("stowlineHealthContributor"));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean("stowlineHealthContributor"));
    }

    @Test
    void aContributorOfTheApplicationReplacesIt() {
        HealthIndicator own = () -> Health.up().withDetails(Map.of("own", true)).build();
        runner.withPropertyValues(EMULATOR)
                .withBean("stowlineHealthContributor", HealthIndicator.class, () -> own)
                .run(context ->
                        assertThat(context.getBean("stowlineHealthContributor")).isSameAs(own));
    }

    static class Registrar extends StowlineBeans {
        @Override
        protected void declare() {
            table("registrations", StowlineHealthAutoConfigurationTest.Row.class);
        }
    }

    record Row(
            @io.stowline.projection.PartitionKey String race,
            @io.stowline.projection.RowKey String bib) {}

    @org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
    @org.springframework.context.annotation.Import(Registrar.class)
    static class Storage {}
}
