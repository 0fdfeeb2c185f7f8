package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import io.stowline.spring.boot.listener.QueueListenerStart.ListenerEnvironment;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.validation.Validator;

/**
 * An auto-configuration that finds the methods with {@link StowlineQueueListener} and runs them. {@code stowline.consumers.enabled=false} starts none of them.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
@EnableConfigurationProperties(ConsumerProperties.class)
public final class StowlineQueueListenerAutoConfiguration {

    /** Made by Spring. */
    StowlineQueueListenerAutoConfiguration() {}

    @Bean
    static ClientClosing stowlineClientClosing() {
        return new ClientClosing();
    }

    @Bean
    StowlineQueueListenerRegistry stowlineQueueListenerRegistry(Environment environment) {
        return new StowlineQueueListenerRegistry(
                environment.getProperty(ConsumerProperties.PREFIX + ".enabled", Boolean.class, true));
    }

    @Bean
    ListenerMethodScanner stowlineListenerMethodScanner(
            ConfigurableListableBeanFactory beans,
            StowlineQueueListenerRegistry registry,
            ConsumerProperties general,
            StowlineProperties properties,
            Environment environment,
            ConfigurableApplicationContext context,
            ObjectProvider<Validator> validator,
            AccountClients clients) {
        return new ListenerMethodScanner(
                beans,
                registry,
                general,
                Binder.get(environment),
                new ListenerEnvironment(
                        properties.createMissing(),
                        Threading.VIRTUAL.isActive(environment),
                        validator.getIfUnique(),
                        context::isClosed,
                        new ListenerKeepAlive(),
                        clients));
    }
}
