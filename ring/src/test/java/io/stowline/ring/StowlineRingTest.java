package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StowlineRingTest {

    private static final String KEY = "c2VjcmV0LWtleS1vZi1hbi1hY2NvdW50";

    private static String connection(String account) {
        return "AccountName=" + account + ";AccountKey=" + KEY + ";EndpointSuffix=core.windows.net";
    }

    @Test
    void namesItsAccounts() {
        try (StowlineRing ring = StowlineRing.of(r -> r.account("eu1", connection("one"))
                .account("eu2", c -> c.connectionString(connection("two")), a -> a.weight(2))
                .account("us1", c -> c.connectionString(connection("three")), a -> a.region("us"))
                .region("eu"))) {
            assertThat(ring.accounts())
                    .containsExactly(
                            new RingAccount("eu1", 1, "eu", Membership.STAYING),
                            new RingAccount("eu2", 2, "eu", Membership.STAYING),
                            new RingAccount("us1", 1, "us", Membership.STAYING));
            assertThat(ring)
                    .hasToString("StowlineRing[eu1(weight=1, region=eu), eu2(weight=2, region=eu), us1(weight=1,"
                            + " region=us)]");
            assertThat(ring.toString()).doesNotContain(KEY);
            assertThat(ring.client("eu2").accountName()).isEqualTo("two");
            assertThat(ring.region()).isEqualTo("eu");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ring.client("eu3"))
                    .withMessage("the ring has no account eu3; its accounts are [eu1, eu2, us1]");
        }
    }

    @Test
    void aRegionIsAnOuterChoice() {
        try (StowlineRing ring = StowlineRing.of(r -> r.account("eu1", connection("one"))
                .account("eu2", connection("two"))
                .account("us1", c -> c.connectionString(connection("three")), a -> a.region("us"))
                .region("eu"))) {
            Set<String> eu = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                eu.add(ring.accountOf("p" + i));
                assertThat(ring.inRegion("us").accountOf("p" + i)).isEqualTo("us1");
                assertThat(ring.inRegion("us").inRegion("eu").accountOf("p" + i))
                        .isEqualTo(ring.accountOf("p" + i));
            }
            assertThat(eu).containsExactlyInAnyOrder("eu1", "eu2");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ring.inRegion("asia"))
                    .withMessage("region asia has no account in this ring; the regions are [eu, us]");
        }
    }

    @Test
    void refusesBadSettings() {
        assertThatIllegalArgumentException().isThrownBy(() -> StowlineRing.of(r -> r));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        StowlineRing.of(r -> r.account("a", connection("one")).account("a", connection("two"))))
                .withMessage("the ring has two accounts of the name a");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        StowlineRing.of(r -> r.account("a", connection("one")).account("b", connection("one"))))
                .withMessageContaining("accounts a and b have one endpoint")
                .withMessageNotContaining(KEY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StowlineRing.of(
                        r -> r.account("a", connection("one")).region("eu").account("no name", connection("two"))))
                .withMessageContaining("\"no?name\" (7 characters)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StowlineRing.of(
                        r -> r.account("a", c -> c.connectionString(connection("one")), a -> a.weight(1001))))
                .withMessage("weight of the account a is 1 to 1000, not 1001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StowlineRing.of(
                        r -> r.account("a", c -> c.connectionString(connection("one")), a -> a.region("us"))
                                .region("eu")))
                .withMessageContaining("region eu has no account");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StowlineRing.of(r -> r.joining("a", connection("one"))))
                .withMessageContaining("needs an account that stays");
        assertThatIllegalArgumentException().isThrownBy(() -> StowlineRing.of(r -> r.account("a", "AccountName=x")));
    }

    @Test
    void anAccountThatJoinsHasPlacementsAfterTheChange() {
        try (StowlineRing ring = StowlineRing.of(r -> r.account("a", connection("one"))
                .joining("b", connection("two"))
                .leaving("c", connection("three")))) {
            Set<String> homes = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                homes.add(ring.accountOf("p" + i));
            }
            assertThat(homes).containsExactlyInAnyOrder("a", "b");
            assertThat(ring.accounts().get(1)).hasToString("b(weight=1, region=default, joining)");
        }
    }

    @Test
    void closingClosesAllClients() {
        MemoryStorage one = MemoryStorage.create();
        MemoryStorage two = MemoryStorage.create();
        StowlineRing ring = StowlineRing.of(r -> r.clients(c -> c.applicationId("test"))
                .account("a", RingBench.client(one, http -> http), a -> a)
                .account("b", RingBench.client(two, http -> http), a -> a));
        RingTable<Entity> table = ring.table("rows", Entity.class);
        table.createIfMissing();
        RingWriter<Entity> writer = table.writer();
        for (int i = 0; i < 100; i++) {
            writer.insert(Entity.builder("p" + i, "r").build());
        }

        ring.close();
        ring.close();

        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> ring.client("a").listTables());
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> ring.client("b").listTables());
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> writer.insert(Entity.builder("p", "r").build()));
        try (StowlineRing again = StowlineRing.of(r -> r.account("a", RingBench.client(one, http -> http), a -> a)
                .account("b", RingBench.client(two, http -> http), a -> a))) {
            assertThat(again.table("rows", Entity.class).query().count()).isEqualTo(100);
        }
    }

    @Test
    void clientsOfTheApplicationStayOpen() {
        MemoryStorage one = MemoryStorage.create();
        MemoryStorage two = MemoryStorage.create();
        try (Stowline client =
                RingBench.client(one, http -> http).apply(Stowline.builder()).build()) {
            StowlineRing ring = StowlineRing.of(r ->
                    r.account("a", client, a -> a.weight(3)).account("b", RingBench.client(two, http -> http), a -> a));
            assertThat(ring.client("a")).isSameAs(client);
            assertThat(ring.accounts()).extracting(RingAccount::weight).containsExactly(3, 1);

            ring.close();

            assertThat(client.listTables()).isEmpty();
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> ring.client("b").listTables());
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            StowlineRing.of(r -> r.account("a", client, a -> a).joining("c", client, a -> a)))
                    .withMessageContaining("have one endpoint");
            assertThat(client.listTables()).isEmpty();
        }
    }
}
