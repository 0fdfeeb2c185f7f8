package io.stowline.spring.boot.lock;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.util.List;
import java.util.function.Function;
import net.javacrumbs.shedlock.core.LockProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
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
    private static final String MAIN = "stowline";
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

        @Bean(defaultCandidate = false)
        BlobContainer stowlineLockContainer(LockProperties properties, BeanFactory beans) {
            Stowline client = client(beans, LockProperties.PREFIX, properties.account());
            return accepted(LOCKS, properties.container(), client::container);
        }

        @Bean
        DeclaredResources stowlineLockResources(LockProperties properties) {
            return declared(properties.account(), Kind.CONTAINER, properties.container(), "stowlineLockContainer");
        }

        @Bean
        BlobLeaseLockRegistry stowlineLockRegistry(
                LockProperties properties, @Qualifier("stowlineLockContainer") BlobContainer container) {
            return new BlobLeaseLockRegistry(
                    container,
                    accepted(LockProperties.PREFIX + ".lease", properties.lease(), BlobLeaseLockRegistry::checkedLease),
                    accepted(
                            LockProperties.PREFIX + ".poll-every",
                            properties.pollEvery(),
                            BlobLeaseLockRegistry::checkedPoll));
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

        @Bean(defaultCandidate = false)
        Table<Entity> stowlineTaskLockTable(SchedulerLockProperties properties, BeanFactory beans) {
            Stowline client = client(beans, SchedulerLockProperties.PREFIX, properties.account());
            return accepted(TASKS, properties.table(), client::table);
        }

        @Bean
        DeclaredResources stowlineTaskLockResources(SchedulerLockProperties properties) {
            return declared(properties.account(), Kind.TABLE, properties.table(), "stowlineTaskLockTable");
        }

        @Bean
        TableLockProvider stowlineLockProvider(@Qualifier("stowlineTaskLockTable") Table<Entity> table) {
            return new TableLockProvider(table);
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

        @Bean(defaultCandidate = false)
        Table<Entity> stowlineMetadataTable(MetadataProperties properties, BeanFactory beans) {
            Stowline client = client(beans, MetadataProperties.PREFIX, properties.account());
            return accepted(METADATA, properties.table(), client::table);
        }

        @Bean
        DeclaredResources stowlineMetadataResources(MetadataProperties properties) {
            return declared(properties.account(), Kind.TABLE, properties.table(), "stowlineMetadataTable");
        }

        @Bean({"stowlineMetadataStore", "metadataStore"})
        TableMetadataStore stowlineMetadataStore(@Qualifier("stowlineMetadataTable") Table<Entity> table) {
            return new TableMetadataStore(table);
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

    private static Stowline client(BeanFactory beans, String prefix, @Nullable String account) {
        if (account == null || account.equals(MAIN)) {
            return beans.getBean(Stowline.class);
        }
        String bean = account + "Stowline";
        if (!beans.containsBean(bean)) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix + ".account",
                    account,
                    "No account has this name. Set its connection under 'stowline.accounts." + account
                            + "', or remove the property for the default account.");
        }
        return beans.getBean(bean, Stowline.class);
    }

    private static DeclaredResources declared(@Nullable String account, Kind kind, String name, String bean) {
        return new DeclaredResources(List.of(new DeclaredResource(account == null ? MAIN : account, kind, name, bean)));
    }

    private static <V, R> R accepted(String property, V value, Function<V, R> use) {
        try {
            return use.apply(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage() + ".", e);
        }
    }
}
