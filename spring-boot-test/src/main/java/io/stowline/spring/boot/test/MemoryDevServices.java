package io.stowline.spring.boot.test;

import io.stowline.spring.boot.autoconfigure.StowlineAccountConnections;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;
import io.stowline.testkit.memory.MemoryStorage;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Accounts in the memory of an application context, in place of all accounts of the application: no process starts, and no request leaves. Properties
 * and beans of connections have no effect. The main client has the {@link MemoryStorage} that an injection by its type finds. Each further account
 * has another one, qualified by its name below {@code stowline.accounts}. A test of the whole application imports it:
 *
 * <pre>{@code
 * @SpringBootTest(properties = "stowline.create-missing=true")
 * @Import(MemoryDevServices.class)
 * class RegistrationTest {
 *
 *     @Autowired
 *     MemoryStorage memory;
 * }
 * }</pre>
 *
 * <p>The accounts are empty when the context starts, and keep what they get until it is closed; {@link MemoryStorage#empty} empties one. A bean of
 * type {@link MemoryStorage} of the test, such as one with a clock that the test moves, takes the place of the main account.
 */
@TestConfiguration(proxyBeanMethods = false)
@Import(MemoryAccounts.Registrar.class)
public class MemoryDevServices {

    /** Made by Spring. */
    public MemoryDevServices() {}

    @Bean
    @Fallback
    MemoryStorage stowlineMemoryStorage() {
        return MemoryStorage.create();
    }

    @Bean
    MemoryAccounts stowlineMemoryAccounts(MemoryStorage main) {
        return new MemoryAccounts(main);
    }

    @Bean
    @Primary
    StowlineConnectionDetails stowlineMemoryConnectionDetails(MemoryStorage main) {
        return new EmulatorConnectionDetails(main.connectionString());
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    StowlineAccountConnections stowlineMemoryAccountConnections(MemoryAccounts accounts) {
        return account -> new EmulatorConnectionDetails(accounts.of(account).connectionString());
    }

    /** Goes last, so that no HTTP client of the application takes a request elsewhere. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    StowlineBuilderCustomizer stowlineMemoryHttpClient(MemoryAccounts accounts) {
        return accounts::connect;
    }
}
