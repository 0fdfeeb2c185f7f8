package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.actuate.StowlineEndpoint.RingAccountDescriptor;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import io.stowline.spring.boot.ring.StowlineRingAutoConfiguration;
import java.util.List;
import java.util.Locale;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An auto-configuration that makes the Actuator endpoint {@code stowline} if it is exposed and a client exists. */
@AutoConfiguration(after = {StowlineAutoConfiguration.class, StowlineRingAutoConfiguration.class})
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
            OpenServices stowlineOpenServices,
            ObjectProvider<StowlineQueueListenerRegistry> listeners,
            ObjectProvider<RingAccounts> ring) {
        return new StowlineEndpoint(
                stowlineOpenServices,
                () -> {
                    StowlineQueueListenerRegistry registry = listeners.getIfAvailable();
                    return registry == null ? List.of() : registry.listeners();
                },
                () -> {
                    RingAccounts accounts = ring.getIfAvailable();
                    return accounts == null ? List.of() : accounts.shown();
                });
    }

    /** The accounts of the ring, if its module is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StowlineRing.class)
    @ConditionalOnBean(StowlineRing.class)
    static final class RingConfiguration {

        /** Made by Spring. */
        RingConfiguration() {}

        @Bean
        RingAccounts stowlineRingAccounts(StowlineRing ring) {
            List<RingAccountDescriptor> shown = ring.accounts().stream()
                    .map(account -> new RingAccountDescriptor(
                            account.name(),
                            ring.client(account.name()).accountName(),
                            account.region(),
                            account.weight(),
                            account.membership().name().toLowerCase(Locale.ROOT)))
                    .toList();
            return new RingAccounts(shown);
        }
    }

    /**
     * The accounts of the ring.
     *
     * @param shown what the endpoint shows of each
     */
    record RingAccounts(List<RingAccountDescriptor> shown) {}
}
