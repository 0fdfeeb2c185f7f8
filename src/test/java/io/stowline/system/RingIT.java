package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobInfo;
import io.stowline.outcome.WriteOutcome;
import io.stowline.ring.FailedAccountException;
import io.stowline.ring.RingConsumer;
import io.stowline.ring.RingContainer;
import io.stowline.ring.RingQueue;
import io.stowline.ring.RingTable;
import io.stowline.ring.RingWriter;
import io.stowline.ring.StowlineRing;
import io.stowline.table.Entity;
import io.stowline.table.FlushReport;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A ring over three accounts of the emulator. */
class RingIT {

    private static final int ROWS = 600;
    private static final int PARTITIONS = 60;

    private static EmulatedAccounts accounts;

    private StowlineRing ring;

    @BeforeAll
    static void start() {
        accounts = new EmulatedAccounts(3);
    }

    @AfterAll
    static void stop() {
        accounts.close();
    }

    @BeforeEach
    void connect() {
        ring = accounts.ring("a0", "a1", "a2");
    }

    @AfterEach
    void disconnect() throws InterruptedException {
        accounts.proxy().clear();
        ring.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("stowline-ringaccount")) {
                thread.join(TimeUnit.SECONDS.toMillis(20));
                assertThat(thread.isAlive()).as("%s after the close", thread).isFalse();
            }
        }
        assertThat(accounts.refusals().values())
                .as("what Azure would have refused")
                .allMatch(count -> count == 0);
    }

    private RingTable<Entity> table() {
        RingTable<Entity> table = ring.table(StorageTest.freshName(), Entity.class);
        table.createIfMissing();
        return table;
    }

    private static Entity entity(int i) {
        return Entity.builder("p" + i % PARTITIONS, String.format(Locale.ROOT, "r%04d", i))
                .set("n", i)
                .build();
    }

    private static List<Entity> entities() {
        return IntStream.range(0, ROWS)
                .mapToObj(RingIT::entity)
                .sorted(Comparator.comparing(Entity::partitionKey).thenComparing(Entity::rowKey))
                .toList();
    }

    @Test
    @DisplayName(
            "RING-1, RING-4: with lost responses each row is in its account exactly once, and all are merged in order")
    void writesAndReadsOnce() {
        RingTable<Entity> table = table();
        accounts.proxy().when(requests().method("POST").every(7)).loseResponse();

        try (RingWriter<Entity> writer = table.writer()) {
            IntStream.range(0, ROWS).forEach(i -> writer.insert(entity(i)));
            assertThat(writer.flush()).isEqualTo(new FlushReport(ROWS, 0));
        }

        assertThat(table.query().list()).isEqualTo(entities());
        assertThat(table.query().unordered().list()).containsExactlyInAnyOrderElementsOf(entities());
        assertThat(table.query().count()).isEqualTo(ROWS);
        assertThat(table.query().where(table.property("n").lessThan(100)).list())
                .hasSize(100);
        assertThat(table.query().pageSize(50).limit(120).list())
                .isEqualTo(entities().subList(0, 120));
        for (String account : accounts.names()) {
            List<Entity> own = ring.client(account).table(table.name()).query().list();
            assertThat(own).isNotEmpty().allMatch(entity -> table.accountOf(entity.partitionKey())
                    .equals(account));
        }
        table.dropIfExists();
    }

    @Test
    @DisplayName("RING-1: a lost response is settled in the account of the partition")
    void settlesALostResponse() {
        RingTable<Entity> table = table();
        FaultRule lost = accounts.proxy()
                .when(EmulatedAccounts.to(table.accountOf("p1")).method("POST").nth(1))
                .loseResponse();

        assertThat(table.insert(entity(1)).outcome()).isEqualTo(WriteOutcome.RECOVERED);

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(table.transaction("p1")
                        .insertOrReplace(entity(1))
                        .insert(entity(61))
                        .commit())
                .hasSize(2);
        assertThat(table.modify(
                        "p1", "r0001", entity -> entity.toBuilder().set("n", 5).build()))
                .isPresent();
        assertThat(table.deleteIfExists("p1", "r0061")).isTrue();
        table.dropIfExists();
    }

    @Test
    @DisplayName("RING-2: an account that fails is named, and the others go on")
    void oneAccountIsDown() {
        RingTable<Entity> table = table();
        String down = table.accountOf("p1");
        FaultRule outage = accounts.proxy()
                .when(EmulatedAccounts.to(down))
                .respond(StubResponse.error(403, "AuthorizationFailure", "No."));

        List<String> written = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            int row = i;
            if (table.accountOf("p" + i).equals(down)) {
                assertThat(FailedAccountException.accountOf(catchThrowable(() -> table.insert(entity(row)))))
                        .contains(down);
            } else {
                table.insert(entity(i));
                written.add("p" + i);
            }
        }
        assertThat(FailedAccountException.accountOf(
                        catchThrowable(() -> table.query().list())))
                .contains(down);
        assertThat(FailedAccountException.accountOf(
                        catchThrowable(() -> table.query().count())))
                .contains(down);
        assertThat(FailedAccountException.accountOf(catchThrowable(table::exists)))
                .contains(down);

        outage.remove();
        assertThat(table.query().list()).extracting(Entity::partitionKey).containsExactlyInAnyOrderElementsOf(written);
        table.dropIfExists();
    }

    @Test
    @DisplayName("RING-5: messages of all accounts are handled, with lost responses")
    void consumesFromAllAccounts() throws InterruptedException {
        RingQueue<String> jobs = ring.queue(StorageTest.freshName(), String.class);
        jobs.createIfMissing();
        accounts.proxy().when(requests().method("POST", "DELETE").every(9)).loseResponse();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        List<String> bodies = IntStream.range(0, 60).mapToObj(i -> "m" + i).toList();
        CountDownLatch all = new CountDownLatch(bodies.size());

        assertThat(jobs.sendAll(bodies, body -> body)).allMatch(end -> end.succeeded());
        try (RingConsumer consumer = jobs.consume(
                message -> {
                    if (handled.add(message.body())) {
                        all.countDown();
                    }
                },
                c -> c.concurrency(4))) {
            assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(consumer.consumers()).hasSize(3);
        }
        assertThat(handled).containsExactlyInAnyOrderElementsOf(bodies);
        jobs.dropIfExists();
    }

    @Test
    @DisplayName("RING-1: blobs are in the accounts of their names, and listed as one")
    void storesBlobs() {
        RingContainer pictures = ring.container(StorageTest.freshName());
        pictures.createIfMissing();
        accounts.proxy().when(requests().method("PUT").every(5)).loseResponse();
        List<String> names = IntStream.range(0, 30).mapToObj(i -> "b" + i).toList();
        names.forEach(name -> pictures.upload(name.getBytes(StandardCharsets.UTF_8), name));

        assertThat(pictures.stream().map(BlobInfo::name))
                .containsExactlyElementsOf(names.stream().sorted().toList());
        names.forEach(name -> assertThat(pictures.download(name)).asString().isEqualTo(name));
        for (String account : accounts.names()) {
            assertThat(ring.client(account).container(pictures.name()).stream())
                    .isNotEmpty()
                    .allMatch(blob -> pictures.accountOf(blob.name()).equals(account));
        }
        pictures.dropIfExists();
    }

    @Test
    @DisplayName("RING-1: another order of accounts and another process agree on the placements")
    void processesAgree() {
        RingTable<Entity> table = table();
        IntStream.range(0, 60).forEach(i -> table.insert(entity(i)));

        try (StowlineRing other = accounts.ring("a2", "a0", "a1")) {
            RingTable<Entity> same = other.table(table.name(), Entity.class);
            IntStream.range(0, 60)
                    .forEach(i ->
                            assertThat(same.find("p" + i, entity(i).rowKey())).isPresent());
        }
        table.dropIfExists();
    }

    @Test
    @DisplayName("RING-4: closing the ring ends its writers and consumers")
    void closingEndsAll() {
        RingTable<Entity> table = table();
        RingQueue<String> jobs = ring.queue(StorageTest.freshName(), String.class);
        jobs.createIfMissing();
        jobs.consume(message -> {}, c -> c);
        RingWriter<Entity> writer = table.writer();
        IntStream.range(0, 100).forEach(i -> writer.insert(entity(i)));

        ring.close();

        try (StowlineRing again = accounts.ring("a0", "a1", "a2")) {
            assertThat(again.table(table.name(), Entity.class).query().count()).isEqualTo(100);
            assertThat(again.table(table.name(), Entity.class).dropIfExists()).isTrue();
            assertThat(again.queue(jobs.name(), String.class).dropIfExists()).isTrue();
        }
    }
}
