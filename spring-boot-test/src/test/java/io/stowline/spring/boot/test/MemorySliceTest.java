package io.stowline.spring.boot.test;

import static io.stowline.spring.boot.test.StowlineTest.StorageMode.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.outcome.WriteOutcome;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Accounts in the memory of a context, in slices and in whole applications. */
class MemorySliceTest {

    private static final String QUEUE = "orders-in-memory";

    static class TwoAccounts extends StowlineBeans {
        @Override
        protected void declare() {
            account("archive").table("registrations", Runner.class);
        }
    }

    static class OrderListener {

        private final BlockingQueue<Order> handled = new LinkedBlockingQueue<>();

        @StowlineQueueListener(QUEUE)
        void first(Order order) {
            handled.add(order);
        }

        @StowlineQueueListener(queue = QUEUE, account = "archive")
        void archived(Order order) {
            handled.add(order);
        }
    }

    @DynamicPropertySource
    static void production(DynamicPropertyRegistry properties) {
        properties.add("stowline.connection-string", () -> ConfiguredHosts.connectionString("main"));
        properties.add(
                "stowline.accounts.archive.connection-string", () -> ConfiguredHosts.connectionString("archive"));
    }

    @Nested
    @StowlineTest(storage = MEMORY, listeners = true, properties = "stowline.retry.backoff=none")
    @Import({TwoAccounts.class, OrderListener.class})
    class Slice {

        @Autowired
        MemoryStorage memory;

        @Autowired
        @Qualifier("archive")
        MemoryStorage archiveMemory;

        @Autowired
        Table<Runner> runners;

        @Autowired
        @Qualifier("archiveRegistrations")
        Table<Runner> archived;

        @Autowired
        Stowline storage;

        @Autowired
        @Qualifier("archive")
        Stowline archive;

        @Autowired
        OrderListener listener;

        @Autowired
        ApplicationContext context;

        @Test
        @DisplayName("each account is another memory, with the declared resources")
        void accounts() {
            archived.insertOrReplace(new Runner("memory", "1", "Ann"));

            assertThat(archived.find("memory", "1")).isPresent();
            assertThat(runners.find("memory", "1")).isEmpty();
            assertThat(archiveMemory.requests()).anyMatch(request -> request.contains("registrations"));
            assertThat(memory).isNotSameAs(archiveMemory);
            assertThat(ConfiguredHosts.requests()).isEmpty();
        }

        @Test
        void noEmulatorIsThere() {
            assertThat(context.getBeanProvider(Azurite.class).getIfAvailable()).isNull();
        }

        @Test
        void responsesAreLostAsTheTestPlans() {
            memory.loseNextResponse("POST", "/registrations");

            assertThat(runners.insert(new Runner("memory", "lost", "Bob")).outcome())
                    .isEqualTo(WriteOutcome.RECOVERED);
        }

        @RepeatedTest(2)
        @DisplayName("planned faults and requests of a test are not those of the next one")
        void faultsAreCleared() {
            assertThat(memory.requests()).noneMatch(request -> request.startsWith("DELETE"));

            runners.deleteIfExists("memory", "none");
            memory.refuseNext("DELETE", "/registrations", 403, "AuthorizationFailure");
            archiveMemory.refuseNext("DELETE", "/registrations", 403, "AuthorizationFailure");
        }

        @RepeatedTest(2)
        @DisplayName("a test empties the account, whose tables stay")
        void emptied() {
            memory.empty();

            runners.insert(new Runner("memory", "2", "Eve"));

            assertThat(runners.query().partition("memory").count()).isEqualTo(1);
        }

        @Test
        void listenersOfBothAccountsRun() throws InterruptedException {
            storage.queue(QUEUE, Order.class).send(new Order("o1", 1));
            assertThat(listener.handled.poll(60, TimeUnit.SECONDS)).isEqualTo(new Order("o1", 1));

            archive.queue(QUEUE, Order.class).send(new Order("o2", 2));
            assertThat(listener.handled.poll(60, TimeUnit.SECONDS)).isEqualTo(new Order("o2", 2));
        }
    }

    @Nested
    @SpringBootTest(classes = MarathonApplication.class, properties = "stowline.create-missing=true")
    @Import({MemoryDevServices.class, TwoAccounts.class})
    class WholeApplication {

        @Autowired
        Registrations registrations;

        @Autowired
        MemoryStorage memory;

        @Autowired
        ApplicationContext context;

        @Test
        @DisplayName("a lookup by the type alone finds the main account, beside one further account, too")
        void lookupByType() {
            assertThat(context.getBean(MemoryStorage.class)).isSameAs(memory);
            assertThat(context.getBeanProvider(MemoryStorage.class).getObject()).isSameAs(memory);
        }

        @Test
        void worksInMemory() {
            registrations.register(new Runner("memory", "3", "Ada"));

            assertThat(memory.requests()).anyMatch(request -> request.startsWith("POST"));
            assertThat(ConfiguredHosts.requests()).isEmpty();
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class StoppedClock {

        @Bean
        MemoryStorage inThePast() {
            return MemoryStorage.create(Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC));
        }
    }

    @Nested
    @SpringBootTest(classes = MarathonApplication.class, properties = "stowline.create-missing=true")
    @Import({StoppedClock.class, MemoryDevServices.class})
    class OfTheTestInAWholeApplication {

        @Autowired
        MemoryStorage memory;

        @Autowired
        MessageQueue<Order> orders;

        @Test
        void anAccountOfTheTestTakesThePlaceOfTheMainOne() {
            assertThat(orders.send(new Order("o4", 1)).insertedAt()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
            assertThat(memory.requests()).isNotEmpty();
        }
    }

    @Nested
    @StowlineTest(properties = "stowline.test.storage=memory")
    @Import(StoppedClock.class)
    class OfTheTest {

        @Autowired
        MessageQueue<Order> orders;

        @Test
        void anAccountOfTheTestTakesThePlaceOfTheMainOne() {
            assertThat(orders.send(new Order("o3", 1)).insertedAt()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        }
    }

    @Test
    void developmentNeedsNoEmulatorEither() {
        try (ConfigurableApplicationContext context = SpringApplication.from(MarathonApplication::main)
                .with(MemoryDevServices.class)
                .run("--stowline.create-missing=true", "--stowline.accounts.archive.account-name=acctarchive")
                .getApplicationContext()) {
            assertThat(context.getBeansOfType(MemoryStorage.class)).hasSize(2);
            assertThat(context.getBean("archiveStowline", Stowline.class)
                            .queue("none")
                            .exists())
                    .isFalse();
        }
    }

    private static ApplicationContextRunner slice(String... properties) {
        return new ApplicationContextRunner()
                .withUserConfiguration(StowlineTestAutoConfiguration.class)
                .withPropertyValues(properties);
    }

    @Test
    void aFaultProxyIsRefused() {
        slice("stowline.test.storage=memory", "stowline.test.fault-proxy=true")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("which a proxy cannot stand in front of"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory,azurite"})
    void anUnknownModeIsRefused(String mode) {
        slice("stowline.test.storage=" + mode).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining("stowline.test.storage")
                .hasStackTraceContaining(mode));
    }

    @Test
    @DisplayName("a request to a host that is of no account in memory fails, and does not leave")
    void foreignHost() {
        MemoryAccounts accounts = new MemoryAccounts(MemoryStorage.create());
        Stowline.Builder builder = Stowline.builder().connectionString(ConfiguredHosts.connectionString("main"));
        accounts.connect(builder);
        try (Stowline client = builder.build()) {
            assertThatThrownBy(() -> client.queue("orders")
                            .withRetry(retry -> retry.retries(0))
                            .exists())
                    .hasStackTraceContaining("is of no account in memory");
        }
        assertThat(ConfiguredHosts.requests()).isEmpty();
    }
}
