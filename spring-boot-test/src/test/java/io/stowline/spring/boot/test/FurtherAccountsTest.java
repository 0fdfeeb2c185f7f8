package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class FurtherAccountsTest {

    static class TwoAccounts extends StowlineBeans {
        @Override
        protected void declare() {
            account("archive").table("registrations", Runner.class);
            account("archive").queue("orders", Order.class);
            account("archive").container("photos");
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    @Import(TwoAccounts.class)
    static class WithTwoAccounts {}

    @DynamicPropertySource
    static void production(DynamicPropertyRegistry properties) {
        properties.add("stowline.connection-string", () -> ConfiguredHosts.connectionString("main"));
        properties.add(
                "stowline.accounts.archive.connection-string", () -> ConfiguredHosts.connectionString("archive"));
    }

    @Nested
    @StowlineTest
    @ContextConfiguration(classes = MarathonApplication.class)
    @Import(TwoAccounts.class)
    class Slice {

        @Autowired
        Table<Runner> runners;

        @Autowired
        @Qualifier("archiveRegistrations")
        Table<Runner> archived;

        @Autowired
        @Qualifier("archiveOrders")
        MessageQueue<Order> orders;

        @Autowired
        @Qualifier("archivePhotos")
        BlobContainer photos;

        @Test
        @DisplayName("every account is one of the emulator's: no request leaves for a configured host")
        void noRequestLeaves() {
            archived.insert(new Runner("further", "1", "Ann"));
            orders.send(new Order("o1", 2));

            assertThat(archived.find("further", "1")).isPresent();
            assertThat(runners.find("further", "1")).isEmpty();
            assertThat(orders.receive()).isPresent();
            assertThat(photos.exists()).isTrue();
            assertThat(ConfiguredHosts.requests()).isEmpty();
        }
    }

    @Nested
    @StowlineTest(faultProxy = true)
    @ContextConfiguration(classes = MarathonApplication.class)
    @Import(TwoAccounts.class)
    class SliceThroughAProxy {

        @Autowired
        FaultProxy proxy;

        @Autowired
        @Qualifier("archive")
        Stowline archive;

        @Test
        void theProxyStandsInFrontOfEveryAccount() {
            archive.table("registrations", Runner.class).insertOrReplace(new Runner("further", "2", "Bob"));

            assertThat(proxy.recorded(RequestMatch.requests().path("**registrations**")))
                    .hasSize(1);
            assertThat(ConfiguredHosts.requests()).isEmpty();
        }
    }

    @Test
    void developmentServicesReplaceEveryAccount() {
        try (ConfigurableApplicationContext context = SpringApplication.from(MarathonApplication::main)
                .with(AzuriteDevServices.class, WithTwoAccounts.class)
                .run(
                        "--stowline.create-missing=true",
                        "--stowline.connection-string=" + ConfiguredHosts.connectionString("main"),
                        "--stowline.accounts.archive.connection-string=" + ConfiguredHosts.connectionString("archive"))
                .getApplicationContext()) {
            Table<?> archived = context.getBean("archiveRegistrationsTable", Table.class);

            assertThat(archived.exists()).isTrue();
            assertThat(ConfiguredHosts.requests()).isEmpty();
        }
    }

    @Test
    void anAccountKeepsItsAccountOfTheEmulator() {
        EmulatorAccounts accounts = new EmulatorAccounts();

        assertThat(accounts.of("archive")).isEqualTo(accounts.of("archive")).isNotEqualTo(accounts.of("other"));
    }

    @Test
    void anAccountWithoutOneOfTheEmulatorIsRefused() {
        EmulatorAccounts accounts = new EmulatorAccounts();
        IntStream.range(0, EmulatorAccounts.FURTHER).forEach(i -> accounts.of("account" + i));

        assertThatThrownBy(() -> accounts.of("archive"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'stowline.accounts.archive'")
                .hasMessageContaining("StowlineAccountConnections");
    }
}
