package io.stowline.spring.boot.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.Practice;
import io.stowline.projection.filter.Filter;
import io.stowline.spring.boot.MovedClock;
import io.stowline.spring.boot.autoconfigure.StowlineAdvisorAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@AzuriteTest
class StowlineAdviceMetersAutoConfigurationTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineAdvisorAutoConfiguration.class,
                    StowlineAdviceMetersAutoConfiguration.class));

    private static double value(MeterRegistry meters, Practice practice, String severity) {
        return meters.get("stowline.advice")
                .tag("practice", practice.name())
                .tag("severity", severity)
                .gauge()
                .value();
    }

    @Test
    void anOpenFindingIsOne(TestStorage storage) {
        runner.withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class))
                .withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    Table<?> table = context.getBean(Stowline.class).table("gauged");
                    table.createIfMissing();
                    for (int i = 0; i < 10; i++) {
                        table.query()
                                .partition("p")
                                .where(Filter.rowKey().equalTo("r"))
                                .list();
                    }
                    MeterRegistry meters = context.getBean(MeterRegistry.class);

                    assertThat(value(meters, Practice.T7, "advice")).isEqualTo(1);
                    assertThat(value(meters, Practice.T7, "warning")).isZero();
                    assertThat(value(meters, Practice.T5, "warning")).isZero();
                });
    }

    @Test
    void oneExportMakesOneReportAndALaterOneAnother() {
        MovedClock clock = MovedClock.standing();
        try (Advisor advisor = Advisor.of(with -> with.clock(clock))) {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            new AdviceMeters(advisor).bindTo(meters);

            assertThat(meters.find("stowline.advice").gauges()).hasSize(45 * 3);
            assertThat(meters.find("stowline.advice").tag("practice", "T4").gauges())
                    .isEmpty();
            int before = clock.readings();
            meters.find("stowline.advice").gauges().forEach(Gauge::value);
            int first = clock.readings() - before;
            clock.pass(Duration.ofSeconds(10));
            meters.find("stowline.advice").gauges().forEach(Gauge::value);

            assertThat(first)
                    .as("a reading for each gauge, and those of one report")
                    .isLessThan(45 * 3 + 60);
            assertThat(clock.readings() - before - first).isEqualTo(first);
        }
    }

    @Test
    void thereAreNoneWithoutAnAdvisorOrWithoutMicrometer() {
        runner.withPropertyValues(EMULATOR).run(context -> assertThat(context).hasSingleBean(AdviceMeters.class));
        runner.withPropertyValues(EMULATOR, "stowline.advisor.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(AdviceMeters.class));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(MeterBinder.class))
                .run(context ->
                        assertThat(context).hasSingleBean(Advisor.class).doesNotHaveBean("stowlineAdviceMeters"));
    }
}
