package io.stowline.spring.boot.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.ring.RingAccount;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class StowlineRingAutoConfigurationTest {

    private static final String SECRET = "c2VjcmV0c2VjcmV0";

    private final Map<String, MemoryStorage> storages = new ConcurrentHashMap<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineRingAutoConfiguration.class))
            .withPropertyValues(
                    "stowline.accounts.eu1.connection-string=" + connection("one"),
                    "stowline.accounts.eu2.connection-string=" + connection("two"),
                    "stowline.accounts.us1.connection-string=" + connection("three"));

    private static String connection(String account) {
        return "AccountName=" + account + ";AccountKey=" + SECRET + ";EndpointSuffix=core.windows.net";
    }

    private ApplicationContextRunner inMemory() {
        ApplicationContextRunner all = runner;
        for (String account : Set.of("eu1", "eu2", "us1")) {
            storages.put(account, MemoryStorage.create());
            all = all.withPropertyValues("stowline.accounts." + account + ".connection-string="
                            + storages.get(account).connectionString())
                    .withBean("memory" + account, StowlineBuilderCustomizer.class, () -> new InMemory(account));
        }
        return all;
    }

    private final class InMemory implements StowlineBuilderCustomizer {

        private final String account;

        private InMemory(String account) {
            this.account = account;
        }

        @Override
        public void customize(Stowline.Builder builder) {
            builder.httpClient(storages.get(account).httpClient());
        }

        @Override
        public boolean supports(String name) {
            return account.equals(name);
        }
    }

    @Test
    void theRingUsesTheClientsOfTheAccounts() {
        Set<String> opened = ConcurrentHashMap.newKeySet();
        StowlineListener listener = new StowlineListener() {
            @Override
            public void onServiceOpened(ServiceState state) {
                opened.add(state.service());
            }
        };
        inMemory()
                .withBean(StowlineListener.class, () -> listener)
                .withPropertyValues("stowline.ring.accounts=eu1,eu2")
                .run(context -> {
                    StowlineRing ring = context.getBean(StowlineRing.class);
                    assertThat(ring.client("eu1")).isSameAs(context.getBean("eu1Stowline"));
                    assertThat(ring.region()).isEqualTo(StowlineRing.DEFAULT_REGION);

                    RingTable<Entity> table = ring.table("rows", Entity.class);
                    table.createIfMissing();
                    for (int i = 0; i < 20; i++) {
                        table.insert(Entity.builder("p" + i, "r").build());
                    }

                    assertThat(table.query().count()).isEqualTo(20);
                    assertThat(storages.get("eu1").requests()).isNotEmpty();
                    assertThat(storages.get("eu2").requests()).isNotEmpty();
                    assertThat(storages.get("us1").requests()).isEmpty();
                    assertThat(opened).containsExactly("table");
                });
    }

    @Test
    void closesWithTheContextAndLeavesClientsToTheirBeans() {
        inMemory().withPropertyValues("stowline.ring.accounts=eu1,eu2").run(context -> {
            StowlineRing ring = context.getBean(StowlineRing.class);
            ring.close();
            Stowline client = context.getBean("eu1Stowline", Stowline.class);
            assertThat(client.listTables()).isEmpty();

            context.close();

            assertThatExceptionOfType(ClosedException.class).isThrownBy(client::listTables);
        });
    }

    @Test
    void propertiesDescribeTheAccounts() {
        runner.withPropertyValues(
                        "stowline.ring.accounts[0]=eu1",
                        "stowline.ring.joining=eu2",
                        "stowline.ring.leaving=stowline",
                        "stowline.connection-string=" + connection("main"),
                        "stowline.ring.region=eu",
                        "stowline.ring.weights.eu2=3",
                        "stowline.ring.accounts[1]=us1",
                        "stowline.ring.regions.us1=us")
                .run(context -> {
                    StowlineRing ring = context.getBean(StowlineRing.class);
                    assertThat(ring.accounts())
                            .containsExactly(
                                    new RingAccount("eu1", 1, "eu", Membership.STAYING),
                                    new RingAccount("us1", 1, "us", Membership.STAYING),
                                    new RingAccount("eu2", 3, "eu", Membership.JOINING),
                                    new RingAccount("stowline", 1, "eu", Membership.LEAVING));
                    assertThat(ring.client("stowline")).isSameAs(context.getBean(Stowline.class));
                    assertThat(ring.inRegion("us").accountOf("any")).isEqualTo("us1");
                    Set<String> homes = new TreeSet<>();
                    for (int i = 0; i < 30; i++) {
                        homes.add(ring.accountOf("p" + i));
                    }
                    assertThat(homes).containsExactly("eu1", "eu2");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        accounts=eu1,eu9                  | 'stowline.ring.accounts' names the account 'eu9', which is not configured; the accounts are [eu1, eu2, us1]
        accounts=eu1,stowline             | 'stowline.ring.accounts' names the account 'stowline', which is not configured
        joining=eu1                       | region default needs an account that stays in it
        accounts=                         | a ring needs at least one account
        accounts=eu1,eu2,eu1              | the ring has two accounts of the name eu1
        weights.eu1=2                     | for the account 'eu1', which the ring does not have. Its accounts are []
        region=not allowed                | name of region is 1 to 63
        """)
    void namesWhatIsWrong(String property, String message) {
        runner.withPropertyValues("stowline.ring." + property).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains(message)
                .doesNotContain(SECRET));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        weights.eu2=0                     | weight of the account eu2 is 1 to 1000, not 0
        weights.us1=2                     | 'stowline.ring.weights.us1' is for the account 'us1'
        regions.us1=us                    | 'stowline.ring.regions.us1' is for the account 'us1'
        joining=eu2                       | the ring has two accounts of the name eu2
        check-every=31s                   | checkEvery is more than 0 and at most PT30S, not PT31S
        """)
    void namesWhatDoesNotFitTheAccounts(String property, String message) {
        runner.withPropertyValues("stowline.ring.accounts=eu1,eu2", "stowline.ring." + property)
                .run(context -> assertThat(FailureAnalyses.first(context.getStartupFailure())
                                .getDescription())
                        .contains(message));
    }

    @Test
    void aBeanThatNeedsARingNamesTheProperties() {
        record NeedsRing(StowlineRing ring) {}
        runner.withBean(NeedsRing.class).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getAction())
                .contains("'stowline.ring.accounts'"));
    }

    @Test
    void itCanBeReplacedAndLeftOut() {
        runner.run(context -> assertThat(context).doesNotHaveBean(StowlineRing.class));
        runner.withPropertyValues("stowline.ring.accounts=eu1")
                .withClassLoader(new FilteredClassLoader("io.stowline.ring"))
                .run(context -> assertThat(context).hasBean("eu1Stowline").doesNotHaveBean("stowlineRing"));
        try (StowlineRing own = StowlineRing.of(r -> r.account("own", connection("own")))) {
            runner.withPropertyValues("stowline.ring.accounts=eu1")
                    .withBean(StowlineRing.class, () -> own)
                    .run(context ->
                            assertThat(context.getBean(StowlineRing.class)).isSameAs(own));
        }
    }
}
