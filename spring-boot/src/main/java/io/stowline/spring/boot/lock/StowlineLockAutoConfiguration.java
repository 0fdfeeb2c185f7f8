package io.stowline.spring.boot.lock;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.integration.metadata.MetadataStore;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * An auto-configuration that makes the lock registry and the metadata store of Spring Integration and the lock provider of ShedLock, each if a property names
 * its container or table. With {@code stowline.create-missing} these are created at the start.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
public final class StowlineLockAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(StowlineLockAutoConfiguration.class);
    private static final String LOCKS = LockProperties.PREFIX + ".container";
    private static final String TASKS = SchedulerLockProperties.PREFIX + ".table";
    private static final String METADATA = MetadataProperties.PREFIX + ".table";
    private static final String INTEGRATION = "org.springframework.integration:spring-integration-core";
    private static final String SHEDLOCK = "net.javacrumbs.shedlock:shedlock-spring";

    /** Made by Spring. */
    StowlineLockAutoConfiguration() {}

    /** Makes the lock registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockRegistry.class)
    @ConditionalOnProperty(LOCKS)
    @ConditionalOnMissingBean(LockRegistry.class)
    @EnableConfigurationProperties(LockProperties.class)
    static class Locks {

        /** Made by Spring. */
        Locks() {}

        @Bean
        DeclaredResources stowlineLockResources(LockProperties properties) {
            return DeclaredResources.of(
                    properties.account(), Kind.CONTAINER, properties.container(), "stowlineLockRegistry");
        }

        @Bean
        BlobLeaseLockRegistry stowlineLockRegistry(LockProperties properties, AccountClients accounts) {
            Stowline client = accounts.client("'" + LockProperties.PREFIX + ".account'", properties.account());
            return new BlobLeaseLockRegistry(
                    new PropertyValue<>(LOCKS, properties.container()).into(client::container),
                    new PropertyValue<>(LockProperties.PREFIX + ".lease", properties.lease())
                            .into(BlobLeaseLockRegistry::checkedLease),
                    new PropertyValue<>(LockProperties.PREFIX + ".poll-every", properties.pollEvery())
                            .into(BlobLeaseLockRegistry::checkedPoll));
        }
    }

    /** Makes the lock provider of scheduled tasks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockProvider.class)
    @ConditionalOnProperty(TASKS)
    @ConditionalOnMissingBean(LockProvider.class)
    @EnableConfigurationProperties(SchedulerLockProperties.class)
    static class TaskLocks {

        /** Made by Spring. */
        TaskLocks() {}

        @Bean
        DeclaredResources stowlineTaskLockResources(SchedulerLockProperties properties) {
            return DeclaredResources.of(properties.account(), Kind.TABLE, properties.table(), "stowlineLockProvider");
        }

        @Bean
        TableLockProvider stowlineLockProvider(SchedulerLockProperties properties, AccountClients accounts) {
            Stowline client = accounts.client("'" + SchedulerLockProperties.PREFIX + ".account'", properties.account());
            return new TableLockProvider(new PropertyValue<>(TASKS, properties.table()).into(client::table));
        }
    }

    /** Makes the metadata store, also under the name by which adapters of Spring Integration find one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MetadataStore.class)
    @ConditionalOnProperty(METADATA)
    @ConditionalOnMissingBean(MetadataStore.class)
    @EnableConfigurationProperties(MetadataProperties.class)
    static class Metadata {

        /** Made by Spring. */
        Metadata() {}

        @Bean
        DeclaredResources stowlineMetadataResources(MetadataProperties properties) {
            return DeclaredResources.of(properties.account(), Kind.TABLE, properties.table(), "stowlineMetadataStore");
        }

        @Bean({"stowlineMetadataStore", "metadataStore"})
        TableMetadataStore stowlineMetadataStore(MetadataProperties properties, AccountClients accounts) {
            Stowline client = accounts.client("'" + MetadataProperties.PREFIX + ".account'", properties.account());
            return new TableMetadataStore(new PropertyValue<>(METADATA, properties.table()).into(client::table));
        }
    }

    /** Names the library that properties need and the class path lacks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.integration.support.locks.LockRegistry")
    static class WithoutIntegration {

        WithoutIntegration(Environment environment) {
            warn(environment, LOCKS, INTEGRATION);
            warn(environment, METADATA, INTEGRATION);
        }
    }

    /** Names the library that a property needs and the class path lacks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("net.javacrumbs.shedlock.core.LockProvider")
    static class WithoutShedLock {

        WithoutShedLock(Environment environment) {
            warn(environment, TASKS, SHEDLOCK);
        }
    }

    private static void warn(Environment environment, String property, String library) {
        if (environment.containsProperty(property)) {
            LOG.warn("The property '{}' has no effect: {} is not on the class path", property, library);
        }
    }
}
