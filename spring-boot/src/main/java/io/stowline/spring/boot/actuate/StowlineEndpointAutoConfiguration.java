package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that makes the Actuator endpoint {@code stowline} if it is exposed and a client exists. */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Stowline.class)
@ConditionalOnAvailableEndpoint(StowlineEndpoint.class)
public final class StowlineEndpointAutoConfiguration {

    /** Made by Spring. */
    StowlineEndpointAutoConfiguration() {}

    @Bean
    OpenServices stowlineOpenServices() {
        return new OpenServices();
    }

    @Bean
    @ConditionalOnMissingBean
    StowlineEndpoint stowlineEndpoint(
            OpenServices stowlineOpenServices, ObjectProvider<StowlineQueueListenerRegistry> listeners) {
        return new StowlineEndpoint(stowlineOpenServices, () -> {
            StowlineQueueListenerRegistry registry = listeners.getIfAvailable();
            return registry == null ? List.of() : registry.listeners();
        });
    }
}
