package io.stowline.spring.boot.health;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import io.stowline.spring.boot.listener.StowlineQueueListenerAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes the health contributor {@code stowlineListeners} of the queue listeners. {@code management.health.stowline-listeners.enabled} switches it
 * off.
 */
@AutoConfiguration(after = StowlineQueueListenerAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Stowline.class, StowlineQueueListenerRegistry.class})
@ConditionalOnEnabledHealthIndicator("stowline-listeners")
public final class StowlineListenersHealthAutoConfiguration {

    /** Made by Spring. */
    StowlineListenersHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"stowlineListenersHealthContributor", "stowlineListenersHealthIndicator"})
    HealthContributor stowlineListenersHealthContributor(
            StowlineQueueListenerRegistry registry, StowlineProperties properties) {
        return new StowlineListenersHealthIndicator(
                registry, properties.health().pollAge());
    }
}
