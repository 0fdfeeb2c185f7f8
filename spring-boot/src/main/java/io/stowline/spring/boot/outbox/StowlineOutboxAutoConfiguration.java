package io.stowline.spring.boot.outbox;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** An auto-configuration that runs a relay of the outbox in each client if {@code stowline.outbox.relay=true}. It stops before the beans are destroyed. */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
@ConditionalOnProperty(name = "stowline.outbox.relay", havingValue = "true")
public final class StowlineOutboxAutoConfiguration {

    /** Made by Spring. */
    StowlineOutboxAutoConfiguration() {}

    @Bean
    OutboxRelays stowlineOutboxRelays(ObjectProvider<Stowline> clients) {
        return new OutboxRelays(clients);
    }
}
