package io.stowline.examples.registrations;

import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** An Azurite with a fault proxy in front of it. */
@TestConfiguration(proxyBeanMethods = false)
class StorageUnderTest {

    @Bean
    Azurite azurite() {
        return Azurite.start();
    }

    @Bean
    FaultProxy faultProxy(Azurite azurite) {
        return FaultProxy.builder().inFrontOf(azurite).start();
    }

    @Bean
    StowlineConnectionDetails connectionDetails(FaultProxy proxy) {
        return new StowlineConnectionDetails() {
            @Override
            public String getConnectionString() {
                return proxy.storage().connectionString();
            }
        };
    }
}
