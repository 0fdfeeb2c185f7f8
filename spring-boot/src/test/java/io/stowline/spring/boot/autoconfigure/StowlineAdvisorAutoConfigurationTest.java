package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.AdvisorSettings;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Suppression;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@AzuriteTest
class StowlineAdvisorAutoConfigurationTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineAdvisorAutoConfiguration.class));

    @Test
    void oneAdvisorListensToAllClients(TestStorage storage) {
        runner.withPropertyValues(
                        "stowline.connection-string=" + storage.connectionString(),
                        "stowline.accounts.archive.connection-string=" + storage.connectionString())
                .run(context -> {
                    context.getBean("stowline", Stowline.class).table("advised").exists();
                    context.getBean("archiveStowline", Stowline.class)
                            .table("advised")
                            .exists();

                    Advisor advisor = context.getBean(Advisor.class);
                    assertThat(advisor.report().totals().attempts()).isEqualTo(2);
                    assertThat(advisor.report().totals().clients()).isEqualTo(2);
                });
    }

    @Test
    void propertiesAreSettings() {
        runner.withPropertyValues(
                        EMULATOR,
                        "stowline.advisor.window=10m",
                        "stowline.advisor.min-samples=7",
                        "stowline.advisor.show-keys=true",
                        "stowline.advisor.suppress.T5.reason=an archive",
                        "stowline.advisor.suppress.T5.until=2027-03-01",
                        "stowline.advisor.suppress.a5.reason=far away")
                .run(context -> {
                    AdvisorSettings settings = context.getBean(Advisor.class).settings();
                    assertThat(settings.window()).isEqualTo(Duration.ofMinutes(10));
                    assertThat(settings.minSamples()).isEqualTo(7);
                    assertThat(settings.showKeys()).isTrue();
                    assertThat(settings.suppressions())
                            .isEqualTo(Map.of(
                                    Practice.T5,
                                    new Suppression("an archive", LocalDate.of(2027, 3, 1)),
                                    Practice.A5,
                                    new Suppression("far away", null)));
                });
    }

    @Test
    void theDefaultsAreThoseOfTheLibrary() {
        AdvisorSettings defaults = AdvisorSettings.builder().build();
        runner.withPropertyValues(EMULATOR).run(context -> {
            AdvisorSettings settings = context.getBean(Advisor.class).settings();
            assertThat(settings.window()).isEqualTo(defaults.window());
            assertThat(settings.minSamples()).isEqualTo(defaults.minSamples());
            assertThat(settings.showKeys()).isFalse();
            assertThat(settings.suppressions()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "window=1s | 'stowline.advisor.window' is 'PT1S'",
                "min-samples=0 | 'stowline.advisor.min-samples' is '0'",
                "suppress.T5.until=2027-03-01 | 'stowline.advisor.suppress.T5.reason' is ''",
            })
    void refusesWhatIsOutOfRange(String property, String message) {
        runner.withPropertyValues(EMULATOR, "stowline.advisor." + property).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining(StowlineConfigurationException.class.getName())
                .hasStackTraceContaining(message));
    }

    @Test
    void refusesAPracticeThatDoesNotExist() {
        runner.withPropertyValues(EMULATOR, "stowline.advisor.suppress.T99.reason=none")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("T99"));
    }

    @Test
    void itCanBeSwitchedOffReplacedAndLeftOut() {
        runner.withPropertyValues(EMULATOR, "stowline.advisor.enabled=false").run(context -> assertThat(context)
                .hasSingleBean(Stowline.class)
                .doesNotHaveBean(Advisor.class)
                .doesNotHaveBean("stowlineAdvisorListener"));
        Advisor own = Advisor.create();
        runner.withPropertyValues(EMULATOR).withBean(Advisor.class, () -> own).run(context -> {
            assertThat(context.getBean(Advisor.class)).isSameAs(own);
            assertThat(context.getBean("stowlineAdvisorListener")).isSameAs(own.listener());
        });
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader("io.stowline.advisor"))
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean("stowlineAdvisor"));
    }
}
