package io.stowline.spring.boot.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.stowline.Stowline;
import io.stowline.observe.MicrometerListener;
import io.stowline.observe.StowlineObservationConvention;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.util.context.Context;

@AzuriteTest
class StowlineMicrometerAutoConfigurationTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineMicrometerAutoConfiguration.class));

    @Test
    void reportsToTheRegistriesOfSpringBoot(TestStorage storage) {
        runner.withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class))
                .withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    context.getBean(Stowline.class).table("measured").exists();

                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertThat(meters.get("stowline.operation").timers()).isNotEmpty();
                    assertThat(meters.get("stowline.permits.limit")
                                    .tag("service", "table")
                                    .gauge()
                                    .value())
                            .isPositive();
                });
    }

    @Test
    void theParentIsTheCurrentObservationInBothUses(TestStorage storage) {
        TestObservationRegistry observations = TestObservationRegistry.create();
        runner.withBean(ObservationRegistry.class, () -> observations)
                .withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    Stowline client = context.getBean(Stowline.class);
                    Observation blocking = Observation.start("blocking", observations);
                    try (Observation.Scope scope = blocking.openScope()) {
                        assertThat(scope.getCurrentObservation()).isSameAs(blocking);
                        client.queue("observed").exists();
                    }
                    blocking.stop();
                    Observation reactive = Observation.start("reactive", observations);
                    client.reactive()
                            .container("observed")
                            .exists()
                            .contextWrite(Context.of("micrometer.observation", reactive))
                            .block();
                    reactive.stop();

                    TestObservationRegistryAssert.assertThat(observations)
                            .hasNumberOfObservationsWithNameEqualTo("stowline.operation", 2)
                            .hasAnObservation(operation -> operation
                                    .hasLowCardinalityKeyValue("service", "queue")
                                    .hasParentObservationEqualTo(blocking))
                            .hasAnObservation(operation -> operation
                                    .hasLowCardinalityKeyValue("service", "blob")
                                    .hasParentObservationEqualTo(reactive));
                });
    }

    @Test
    void aConventionOfTheApplicationNamesTheOperations(TestStorage storage) {
        TestObservationRegistry observations = TestObservationRegistry.create();
        runner.withBean(ObservationRegistry.class, () -> observations)
                .withBean(StowlineObservationConvention.class, () -> new StowlineObservationConvention() {
                    @Override
                    public String getName() {
                        return "storage.call";
                    }
                })
                .withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    context.getBean(Stowline.class).queue("named").exists();

                    TestObservationRegistryAssert.assertThat(observations)
                            .hasObservationWithNameEqualTo("storage.call");
                });
    }

    @Test
    void oneRegistryIsEnough() {
        runner.withPropertyValues(EMULATOR).withBean(SimpleMeterRegistry.class).run(context -> assertThat(context)
                .hasSingleBean(MicrometerListener.class));
        runner.withPropertyValues(EMULATOR)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context).hasSingleBean(MicrometerListener.class));
    }

    @Test
    void nothingIsReportedWithoutARegistryOrWithoutMicrometer() {
        runner.withPropertyValues(EMULATOR)
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean(MicrometerListener.class));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(Stowline.class)
                        .doesNotHaveBean("stowlineMicrometerListener"));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(Stowline.class)
                        .doesNotHaveBean("stowlineMicrometerListener"));
    }

    @Test
    void aListenerOfTheApplicationReplacesIt() {
        MicrometerListener own = MicrometerListener.of(ObservationRegistry.NOOP, new SimpleMeterRegistry());
        runner.withPropertyValues(EMULATOR)
                .withBean(SimpleMeterRegistry.class)
                .withBean(MicrometerListener.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(MicrometerListener.class)).isSameAs(own));
    }
}
