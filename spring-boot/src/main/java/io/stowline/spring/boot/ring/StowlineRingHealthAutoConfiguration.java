package io.stowline.spring.boot.ring;

import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes the health contributor {@code stowlineRing} of a ring. {@code management.health.stowline-ring.enabled}
 * switches it off.
 */
@AutoConfiguration(after = StowlineRingAutoConfiguration.class)
@ConditionalOnClass({StowlineRing.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({StowlineRing.class, StowlineProperties.class})
@ConditionalOnEnabledHealthIndicator("stowline-ring")
public final class StowlineRingHealthAutoConfiguration {

    /** Made by Spring. */
    StowlineRingHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"stowlineRingHealthContributor", "stowlineRingHealthIndicator"})
    HealthContributor stowlineRingHealthContributor(StowlineRing ring, StowlineProperties properties) {
        return new StowlineRingHealthIndicator(ring, properties.health().timeout());
    }
}
