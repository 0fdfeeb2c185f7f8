package io.stowline.spring.boot.tracing;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.stowline.Stowline;
import io.stowline.observe.StowlineObservationConvention;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * An auto-configuration that names spans by OpenTelemetry's semantic conventions if the application opts in, and links the handling of
 * messages to their senders if it has a tracer.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration"
        })
@ConditionalOnClass({Stowline.class, ObservationRegistry.class})
public final class StowlineTracingAutoConfiguration {

    /** Made by Spring. */
    StowlineTracingAutoConfiguration() {}

    @Bean
    @Conditional(OnOpenTelemetryNamesCondition.class)
    @ConditionalOnMissingBean
    StowlineObservationConvention stowlineOpenTelemetryConvention() {
        return StowlineObservationConvention.openTelemetry();
    }

    /** The handlers go before those of Spring Boot, which its auto-configuration makes unless there are others: it comes first. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    @ConditionalOnBean({Tracer.class, Propagator.class})
    static class Spans {

        @Bean
        @Order(900)
        HandlingSpans stowlineHandlingSpans(Tracer tracer, Propagator propagator) {
            return new HandlingSpans(tracer, propagator);
        }

        @Bean
        @Order(901)
        OperationSpans stowlineOperationSpans(Tracer tracer, Propagator propagator) {
            return new OperationSpans(tracer, propagator);
        }
    }
}
