package io.stowline.spring.boot.test;

import io.stowline.spring.boot.autoconfigure.StowlineAccountConnections;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import io.stowline.spring.boot.test.StowlineTest.StorageMode;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * An auto-configuration that connects the clients of a {@link StowlineTest} to the shared emulator, directly or through a fault proxy, or to accounts in
 * memory.
 */
@AutoConfiguration(before = StowlineAutoConfiguration.class)
final class StowlineTestAutoConfiguration {

    /** Made by Spring. */
    StowlineTestAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @OnStorageMode(StorageMode.MEMORY)
    @Import(MemoryDevServices.class)
    static final class InMemory {

        InMemory(Environment environment) {
            if (environment.getProperty(StowlineTestContextBootstrapper.FAULT_PROXY, Boolean.class, false)) {
                throw new IllegalStateException(
                        "@StowlineTest has 'faultProxy = true' and its storage in memory, which a proxy cannot stand"
                                + " in front of; plan faults by the bean of type MemoryStorage (refuseNext,"
                                + " loseNextResponse), or remove 'storage = MEMORY'");
            }
        }
    }

    /** Provides the shared emulator, which outlives each context. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    @OnStorageMode(value = StorageMode.AZURITE, runsEmulator = true)
    Azurite azurite() {
        return SharedEmulator.azurite();
    }

    @Bean
    @ConditionalOnMissingBean
    @OnStorageMode(StorageMode.AZURITE)
    @ConditionalOnBooleanProperty(StowlineTestContextBootstrapper.FAULT_PROXY)
    FaultProxy faultProxy(ObjectProvider<Azurite> azurite) {
        Azurite emulator = azurite.getIfAvailable();
        if (emulator == null) {
            throw new IllegalStateException(
                    "@StowlineTest(faultProxy = true) needs the emulator, but the environment names an account");
        }
        return FaultProxy.builder().inFrontOf(emulator).start();
    }

    @Bean
    @ConditionalOnMissingBean
    @OnStorageMode(StorageMode.AZURITE)
    StowlineConnectionDetails stowlineTestConnectionDetails(ObjectProvider<FaultProxy> proxy) {
        FaultProxy inFront = proxy.getIfAvailable();
        String connectionString = inFront == null
                ? SharedEmulator.connectionString()
                : inFront.storage().connectionString();
        return new EmulatorConnectionDetails(connectionString);
    }

    /**
     * Makes connections beside those of the application or the test, which go first: no client of a slice is left to
     * the properties of its account.
     */
    @Bean
    @Order
    @OnStorageMode(StorageMode.AZURITE)
    StowlineAccountConnections stowlineTestAccountConnections(ObjectProvider<FaultProxy> proxy) {
        return account ->
                new EmulatorConnectionDetails(SharedEmulator.connectionString(account, proxy.getIfAvailable()));
    }
}
