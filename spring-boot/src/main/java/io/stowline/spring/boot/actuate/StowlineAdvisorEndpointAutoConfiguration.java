package io.stowline.spring.boot.actuate;

import io.stowline.advisor.Advisor;
import io.stowline.spring.boot.autoconfigure.StowlineAdvisorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that makes the Actuator endpoint {@code stowlineadvisor} if it is exposed and there is an advisor. */
@AutoConfiguration(after = StowlineAdvisorAutoConfiguration.class)
@ConditionalOnClass({Advisor.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Advisor.class)
@ConditionalOnAvailableEndpoint(StowlineAdvisorEndpoint.class)
public final class StowlineAdvisorEndpointAutoConfiguration {

    /** Made by Spring. */
    StowlineAdvisorEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StowlineAdvisorEndpoint stowlineAdvisorEndpoint(Advisor advisor) {
        return new StowlineAdvisorEndpoint(advisor);
    }
}
