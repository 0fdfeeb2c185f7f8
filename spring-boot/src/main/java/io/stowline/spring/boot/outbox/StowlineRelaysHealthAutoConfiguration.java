package io.stowline.spring.boot.outbox;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes the health contributor {@code stowlineRelays} of the outbox relays. {@code management.health.stowline-relays.enabled}
 * switches it off.
 */
@AutoConfiguration(after = StowlineOutboxAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(OutboxRelays.class)
@ConditionalOnEnabledHealthIndicator("stowline-relays")
public final class StowlineRelaysHealthAutoConfiguration {

    /** Made by Spring. */
    StowlineRelaysHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"stowlineRelaysHealthContributor", "stowlineRelaysHealthIndicator"})
    HealthContributor stowlineRelaysHealthContributor(OutboxRelays relays, StowlineProperties properties) {
        return new StowlineRelaysHealthIndicator(
                relays::running, properties.health().pollAge());
    }
}
