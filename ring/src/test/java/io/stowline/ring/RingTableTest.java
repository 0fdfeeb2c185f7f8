package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RingTableTest {

    private static final int REQUESTS_OF_VERBS = 17;

    private final RingBench bench = new RingBench(3);
    private final RingTable<Order> orders = bench.ring().table("orders", Order.class);

    /** An order of a customer. */
    public record Order(
            @PartitionKey String customer, @RowKey String number, int amount) {}

    @BeforeEach
    void create() {
        assertThat(orders.exists()).isFalse();
        assertThat(orders.createIfMissing()).isTrue();
        assertThat(orders.createIfMissing()).isFalse();
        assertThat(orders.exists()).isTrue();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    @DisplayName("RING-1: each verb goes to the account of the partition and to no other")
    void verbsGoHome() {
        Set<String> homes = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            String customer = "c" + i;
            String home = orders.accountOf(customer);
            homes.add(home);
            List<Integer> before = IntStream.range(0, 3)
                    .mapToObj(account -> bench.requests("a" + account, ""))
                    .toList();
            assertThat(home).isEqualTo(bench.ring().accountOf(customer));

            orders.insert(new Order(customer, "1", 1));
            orders.insertOrReplace(new Order(customer, "2", 2));
            orders.insertOrMerge(new Order(customer, "3", 3));
            StoredEntity<Order> first = orders.find(customer, "1").orElseThrow();
            orders.replace(first.with(new Order(customer, "1", 10)));
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> orders.merge(first.with(new Order(customer, "1", 11))));
            orders.merge(StoredEntity.anyVersion(new Order(customer, "1", 12)));
            assertThat(orders.modify(customer, "1", order -> new Order(customer, "1", order.amount() + 1)))
                    .map(StoredEntity::value)
                    .contains(new Order(customer, "1", 13));
            orders.transaction(customer)
                    .insert(new Order(customer, "4", 4))
                    .insertOrMerge(new Order(customer, "5", 5))
                    .delete("2")
                    .commit();
            orders.delete(customer, "3");
            orders.delete(new Order(customer, "4", 0));
            orders.delete(orders.find(customer, "5").orElseThrow());
            assertThat(orders.deleteIfExists(customer, "1")).isTrue();
            assertThat(orders.deleteIfExists(customer, "1")).isFalse();
            assertThat(orders.query().partition(customer).list()).isEmpty();

            for (int account = 0; account < 3; account++) {
                String name = "a" + account;
                int sent = bench.requests(name, "") - before.get(account);
                if (name.equals(home)) {
                    assertThat(sent).as(name).isEqualTo(REQUESTS_OF_VERBS);
                } else {
                    assertThat(sent).as(name).isZero();
                }
            }
        }
        assertThat(homes).containsExactlyInAnyOrder("a0", "a1", "a2");
    }

    @Test
    void conflictsAndMissingEntitiesAreThoseOfTheTable() {
        orders.insert(new Order("c", "1", 1));

        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> orders.insert(new Order("c", "1", 1)));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> orders.delete("c", "2"));
        assertThat(orders.find("c", "2")).isEmpty();
        assertThat(orders.modify("c", "2", order -> order)).isEmpty();
    }

    @Test
    @DisplayName("RING-2: a failure names its account")
    void aFailureNamesItsAccount() {
        String home = orders.accountOf("c");
        bench.account(home).refuseNext("POST", "/orders", 403, "AuthorizationFailure");

        Throwable failure = catchThrowable(() -> orders.insert(new Order("c", "1", 1)));

        assertThat(failure).isInstanceOf(AuthenticationException.class);
        assertThat(FailedAccountException.accountOf(failure)).contains(home);
        assertThat(failure.getSuppressed()[0]).hasMessage("in the account " + home + " of the ring");
        orders.insert(new Order("c", "1", 1));
    }

    @Test
    @DisplayName("RING-2: work in all accounts is done in each, whatever fails, and names the account that failed")
    void oneAccountKeepsNoOtherFromItsWork() {
        orders.dropIfExists();
        bench.account("a0").refuseNext("POST", "/Tables", 403, "AuthorizationFailure");
        bench.account("a2").refuseNext("POST", "/Tables", 403, "AuthorizationFailure");

        Throwable failure = catchThrowable(orders::createIfMissing);

        assertThat(FailedAccountException.accountOf(failure)).contains("a0");
        assertThat(failure.getSuppressed()).anySatisfy(other -> assertThat(FailedAccountException.accountOf(other))
                .contains("a2"));
        assertThat(bench.ring().client("a1").listTables()).containsExactly("orders", "stowlinering");
        assertThat(orders.createIfMissing()).isTrue();
        assertThat(orders.exists()).isTrue();
    }

    @Test
    @DisplayName("RING-3: a transaction has at most 99 operations of one partition on different entities")
    void aTransactionIsWithinItsLimits() {
        RingTransaction<Order> transaction = orders.transaction("c");
        for (int i = 0; i < RingTable.MAX_OPERATIONS; i++) {
            transaction.insert(new Order("c", "r" + i, i));
        }

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.insert(new Order("c", "one more", 1)))
                .withMessageContaining("99");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.transaction("c").insert(new Order("d", "1", 1)))
                .withMessageContaining("another partition");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        orders.transaction("c").insert(new Order("c", "1", 1)).delete("1"))
                .withMessageContaining("operation 2 (delete)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.transaction("c").commit());
        assertThat(transaction.commit()).hasSize(RingTable.MAX_OPERATIONS);
        assertThatIllegalStateException().isThrownBy(transaction::commit);
        assertThatIllegalStateException().isThrownBy(() -> transaction.delete("x"));
        assertThat(orders.query().partition("c").count()).isEqualTo(RingTable.MAX_OPERATIONS);
    }

    @Test
    void aTransactionFailsAsAWhole() {
        orders.insert(new Order("c", "2", 1));

        assertThatExceptionOfType(TransactionFailedException.class).isThrownBy(() -> orders.transaction("c")
                .insert(new Order("c", "1", 1))
                .insert(new Order("c", "2", 2))
                .commit());
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() ->
                        orders.transaction("c").insert(new Order("c", "2", 2)).commit());

        assertThat(orders.find("c", "1")).isEmpty();
    }

    @Test
    @DisplayName("RING-3: reserved rows are refused before anything is sent")
    void reservedRowsAreRefused() {
        String reserved = "!stowline.ring.place";
        Order order = new Order("c", reserved, 1);
        int before = bench.accounts().stream()
                .mapToInt(memory -> memory.requests().size())
                .sum();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.insert(order))
                .withMessage("row key begins with !stowline.ring., which is reserved for the ring");
        assertThatIllegalArgumentException().isThrownBy(() -> orders.insertOrReplace(order));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.merge(StoredEntity.anyVersion(order)));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.delete("c", reserved));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.deleteIfExists("c", reserved));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.find("c", reserved));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.modify("c", reserved, o -> o));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.transaction("c").delete(reserved));
        try (RingWriter<Order> writer = orders.writer()) {
            assertThatIllegalArgumentException().isThrownBy(() -> writer.insert(order));
        }

        assertThat(bench.accounts().stream()
                        .mapToInt(memory -> memory.requests().size())
                        .sum())
                .isEqualTo(before);
    }

    @Test
    @DisplayName("RING-1: partitions of one placement are in one account")
    void thePlacementIsAFunctionOfTheKey() {
        RingTable<Order> byTenant =
                bench.ring().table("orders", Order.class, key -> key.substring(0, key.indexOf('|')));
        for (int i = 0; i < 20; i++) {
            byTenant.insert(new Order("tenant7|" + i, "1", i));
        }

        String home = bench.ring().accountOf("tenant7");
        assertThat(byTenant.accountOf("tenant7|x")).isEqualTo(home);
        assertThat(bench.ring()
                        .client(home)
                        .table("orders", Order.class)
                        .query()
                        .count())
                .isEqualTo(20);
        assertThatExceptionOfType(StringIndexOutOfBoundsException.class)
                .isThrownBy(() -> byTenant.insert(new Order("no tenant", "1", 1)));
        RingTable<Order> nowhere = bench.ring().table("orders", Order.class, key -> null);
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> nowhere.insert(new Order("c", "1", 1)))
                .withMessageContaining("placement");
    }

    @Test
    @DisplayName("RING-1: many entities are read from their accounts, in the order of the keys")
    void findsMany() {
        List<EntityKey> keys = IntStream.range(0, 40)
                .mapToObj(i -> new EntityKey("c" + i, "1"))
                .toList();
        keys.forEach(key -> orders.insert(new Order(key.partitionKey(), key.rowKey(), 1)));
        List<EntityKey> wanted = new ArrayList<>(keys);
        Collections.reverse(wanted);
        wanted.add(new EntityKey("missing", "1"));
        wanted.add(keys.get(3));

        assertThat(orders.findAll(wanted))
                .extracting(stored -> stored.value().customer())
                .containsExactlyElementsOf(
                        wanted.stream().limit(40).map(EntityKey::partitionKey).toList());
        assertThat(orders.findAll(List.of())).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.findAll(List.of(new EntityKey("c", "!stowline.ring.x"))));
        bench.account("a1").refuseNext("GET", "/orders", 403, "AuthorizationFailure");
        assertThat(FailedAccountException.accountOf(catchThrowable(() -> orders.findAll(keys))))
                .contains("a1");
    }

    @Test
    void viewsHaveOtherRetriesAndMarkers() {
        String home = orders.accountOf("c");
        bench.account(home).refuseNext("POST", "/orders", 503, "ServerBusy");
        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> orders.withRetry(retry -> retry.retries(0)).insert(new Order("c", "1", 1)));

        bench.account(home).loseNextResponse("POST", "/orders");
        assertThat(orders.withMarkers(WriteMarkers.ALL)
                        .insert(new Order("c", "1", 1))
                        .evidence())
                .isEqualTo(Evidence.MARKER);
    }

    @Test
    void dropsInAllAccounts() {
        assertThat(orders.dropIfExists()).isTrue();
        assertThat(orders.dropIfExists()).isFalse();
        assertThat(orders.exists()).isFalse();
    }
}
