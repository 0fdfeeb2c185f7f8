package io.stowline.spring.boot.micrometer;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.advisor.Advisor;
import io.stowline.spring.boot.autoconfigure.StowlineAdvisorAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that makes the gauges {@code stowline.advice} if there is an advisor. Spring Boot registers them. */
@AutoConfiguration(after = StowlineAdvisorAutoConfiguration.class)
@ConditionalOnClass({Advisor.class, MeterBinder.class})
@ConditionalOnBean(Advisor.class)
public final class StowlineAdviceMetersAutoConfiguration {

    /** Made by Spring. */
    StowlineAdviceMetersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    AdviceMeters stowlineAdviceMeters(Advisor advisor) {
        return new AdviceMeters(advisor);
    }
}
