package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.ring.PartitionMovingException;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

class StowlineWebAutoConfigurationTest {

    @Test
    @DisplayName("an application without a client has the advice and the arguments, and sends nothing")
    void defaults() {
        WebApplication.runner().run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(ProblemAdvice.class)
                .hasSingleBean(RingProblemAdvice.class)
                .hasSingleBean(WebArguments.class));
    }

    @Test
    void problemDetailsCanBeOff() {
        WebApplication.runner()
                .withPropertyValues("stowline.web.problem-details.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ProblemAdvice.class)
                        .doesNotHaveBean(RingProblemAdvice.class)
                        .hasSingleBean(WebArguments.class));
    }

    @Test
    void anApplicationWithoutTheWebHasNone() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineWebAutoConfiguration.class));
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(WebArguments.class));
        runner.withClassLoader(new FilteredClassLoader(WebMvcConfigurer.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ProblemAdvice.class));
        WebApplication.runner()
                .withClassLoader(new FilteredClassLoader(PartitionMovingException.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ProblemAdvice.class)
                        .doesNotHaveBean(RingProblemAdvice.class));
    }

    @ParameterizedTest
    @CsvSource({
        "page.max-size, 0",
        "page.max-size, 1001",
        "page.default-size, 0",
        "page.default-size, 1001",
        "page.token-parameter, size",
        "page.token-parameter, ' '",
        "page.size-parameter, ' '",
        "problem-details.type-prefix, 'http://x y/'"
    })
    void propertiesOutOfRangeAreNamed(String name, String value) {
        WebApplication.runner()
                .withPropertyValues("stowline.web." + name + "=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(StowlineConfigurationException.class.getName())
                        .hasStackTraceContaining(
                                "'stowline.web." + name + "' is '" + value.strip() + "', which is refused"));
    }
}
