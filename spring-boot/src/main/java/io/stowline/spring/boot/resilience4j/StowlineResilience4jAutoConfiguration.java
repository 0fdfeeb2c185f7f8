package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * An auto-configuration that gives the clients the circuit breakers of the application's registry that have their names, shows their retries in
 * its registry of retries, and keeps retries around them from repeating what they have repeated.
 */
@AutoConfiguration(before = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
@EnableConfigurationProperties(Resilience4jProperties.class)
public final class StowlineResilience4jAutoConfiguration {

    /** Made by Spring. */
    StowlineResilience4jAutoConfiguration() {}

    @Bean
    BreakerNames stowlineBreakerNames(Environment environment, ConfigurableListableBeanFactory beans) {
        return BreakerNames.checked(environment, beans);
    }

    @Bean
    RetryableWarning stowlineRetryableWarning() {
        return new RetryableWarning();
    }

    /** The circuit breakers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(CircuitBreaker.class)
    static final class BreakerConfiguration {

        /** Made by Spring. */
        BreakerConfiguration() {}

        @Bean
        AccountBreakers stowlineAccountBreakers(ObjectProvider<CircuitBreakerRegistry> registries) {
            return new AccountBreakers(registries);
        }
    }

    /** The retries of the clients in a registry, and those around the clients. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Retry.class)
    static final class RetryConfiguration {

        /** Made by Spring. */
        RetryConfiguration() {}

        @Bean
        @ConditionalOnBooleanProperty(name = "stowline.resilience4j.show-retries", matchIfMissing = true)
        AccountRetries stowlineAccountRetries(ObjectProvider<RetryRegistry> registries) {
            return new AccountRetries(registries);
        }

        @Bean
        static GuardedRetryRegistry.Guard stowlineOuterRetryGuard(Environment environment) {
            return new GuardedRetryRegistry.Guard(
                    environment.getProperty("stowline.resilience4j.allow-outer-retries", Boolean.class, false));
        }
    }
}
