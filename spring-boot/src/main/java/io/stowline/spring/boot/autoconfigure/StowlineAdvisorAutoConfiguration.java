package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.AdvisorSettings;
import io.stowline.observe.StowlineListener;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes one {@link Advisor} and has it listen to all clients, if {@code stowline-advisor} is on the class path.
 * {@code stowline.advisor.enabled=false} switches it off, and an advisor of the application takes its place.
 */
@AutoConfiguration(before = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, Advisor.class})
@ConditionalOnProperty(name = "stowline.advisor.enabled", matchIfMissing = true)
@EnableConfigurationProperties(AdvisorProperties.class)
public final class StowlineAdvisorAutoConfiguration {

    /** Made by Spring. */
    StowlineAdvisorAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    Advisor stowlineAdvisor(AdvisorProperties properties) {
        AdvisorSettings.Builder settings = AdvisorSettings.builder();
        PropertyCheck.check("advisor.window", properties.window(), settings::window);
        PropertyCheck.check("advisor.min-samples", properties.minSamples(), settings::minSamples);
        if (properties.showKeys()) {
            settings.showKeys();
        }
        properties.suppress().forEach((practice, suppressed) -> {
            String reason = Objects.requireNonNullElse(suppressed.reason(), "");
            PropertyCheck.check(
                    "advisor.suppress." + practice + ".reason",
                    reason,
                    text -> settings.suppress(practice, text, suppressed.until()));
        });
        return Advisor.of(settings.build());
    }

    @Bean
    StowlineListener stowlineAdvisorListener(Advisor stowlineAdvisor) {
        return stowlineAdvisor.listener();
    }
}
