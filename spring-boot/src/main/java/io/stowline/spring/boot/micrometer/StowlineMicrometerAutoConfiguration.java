package io.stowline.spring.boot.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.Stowline;
import io.stowline.observe.MicrometerListener;
import io.stowline.observe.StowlineObservationConvention;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * An auto-configuration that reports each operation as an observation and the state of the clients as meters, if the application has a registry for observations or
 * meters. A bean of type {@link StowlineObservationConvention} names and tags the observations.
 */
@AutoConfiguration(
        before = StowlineAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({Stowline.class, MeterRegistry.class, ObservationRegistry.class})
@Conditional(StowlineMicrometerAutoConfiguration.AnyRegistry.class)
public final class StowlineMicrometerAutoConfiguration {

    /** Made by Spring. */
    StowlineMicrometerAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    MicrometerListener stowlineMicrometerListener(
            ObjectProvider<ObservationRegistry> observations,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<StowlineObservationConvention> conventions) {
        MicrometerListener listener = MicrometerListener.of(
                observations.getIfUnique(() -> ObservationRegistry.NOOP),
                meters.getIfUnique(CompositeMeterRegistry::new));
        StowlineObservationConvention convention = conventions.getIfUnique();
        return convention == null ? listener : listener.withConvention(convention);
    }

    static final class AnyRegistry extends AnyNestedCondition {

        AnyRegistry() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(MeterRegistry.class)
        static final class HasMeters {}

        @ConditionalOnBean(ObservationRegistry.class)
        static final class HasObservations {}
    }
}
