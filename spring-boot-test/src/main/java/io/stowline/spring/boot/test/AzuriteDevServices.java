package io.stowline.spring.boot.test;

import io.stowline.spring.boot.autoconfigure.StowlineAccountConnections;
import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import io.stowline.testkit.Azurite;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * An Azurite for development, which starts and ends with the application. The main client and those of all further accounts use it, each with an
 * account of the emulator; the connection properties of the application have no effect. A second main class among the tests adds it, and {@code mvn
 * spring-boot:test-run} runs that:
 *
 * <pre>{@code
 * public class TestMarathonApplication {
 *     public static void main(String[] args) {
 *         SpringApplication.from(MarathonApplication::main).with(AzuriteDevServices.class).run(args);
 *     }
 * }
 * }</pre>
 */
@TestConfiguration(proxyBeanMethods = false)
public class AzuriteDevServices {

    /** Made by Spring. */
    public AzuriteDevServices() {}

    @Bean
    Azurite stowlineDevelopmentAzurite() {
        return EmulatorAccounts.start();
    }

    @Bean
    StowlineConnectionDetails stowlineDevelopmentConnectionDetails(Azurite stowlineDevelopmentAzurite) {
        return new EmulatorConnectionDetails(stowlineDevelopmentAzurite.connectionString());
    }

    @Bean
    @Order
    StowlineAccountConnections stowlineDevelopmentAccountConnections(Azurite stowlineDevelopmentAzurite) {
        EmulatorAccounts accounts = new EmulatorAccounts();
        return account ->
                new EmulatorConnectionDetails(stowlineDevelopmentAzurite.connectionString(accounts.of(account)));
    }
}
