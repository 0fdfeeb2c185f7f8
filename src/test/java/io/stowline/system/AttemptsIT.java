package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The attempts of a client at work, as its listener sees them. */
class AttemptsIT extends StorageTest {

    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private Stowline client;

    private record Fact(
            String operation,
            String container,
            @Nullable String partition,
            int entities,
            int returned,
            boolean continued,
            AttemptReason reason,
            long moved) {}

    @BeforeEach
    void listen() {
        client = Stowline.builder()
                .connectionString(connectionString())
                .listener(new StowlineListener() {
                    @Override
                    public void onAttemptEnd(AttemptEvent event) {
                        facts.add(new Fact(
                                event.operation(),
                                event.container(),
                                event.partition(),
                                event.entities(),
                                event.returned(),
                                event.continued(),
                                event.reason(),
                                event.bytesSent() + event.bytesReceived()));
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @DisplayName("a transaction of 37, the pages of a query, and a find of nothing")
    void tables() {
        String name = freshTable(Runner.class).name();
        Table<Runner> runners = client.table(name, Runner.class);
        Transaction<Runner> all = runners.transaction("race");
        for (int i = 0; i < 37; i++) {
            all = all.insert(Runner.of("race", i));
        }
        all.commit();
        assertThat(runners.query().partition("race").pageSize(30).list()).hasSize(37);
        assertThat(runners.find("race", "absent")).isEmpty();

        assertThat(facts)
                .extracting(
                        Fact::operation,
                        Fact::container,
                        Fact::partition,
                        Fact::entities,
                        Fact::returned,
                        Fact::continued,
                        Fact::reason)
                .containsExactly(
                        tuple("transaction", name, "race", 37, -1, false, AttemptReason.SUCCESS),
                        tuple("query", name, "race", 1, 30, true, AttemptReason.SUCCESS),
                        tuple("query", name, "race", 30, 7, false, AttemptReason.SUCCESS),
                        tuple("find", name, "race", 1, 0, false, AttemptReason.ABSENT));
    }

    @Test
    @DisplayName("receives of 0 and 5 messages, and the same by the SDK's client")
    void queues() {
        MessageQueue<String> notes = client.queue("q" + UUID.randomUUID());
        notes.create();
        assertThat(notes.receive(32, Duration.ofSeconds(30))).isEmpty();
        IntStream.range(0, 5).forEach(i -> notes.send("note " + i));
        assertThat(notes.receive(32, Duration.ofSeconds(30))).hasSize(5);
        assertThat(notes.unwrap().receiveMessages(2).collectList().block()).isEmpty();
        notes.drop();

        assertThat(facts).extracting(Fact::container).containsOnly(notes.name());
        assertThat(facts)
                .filteredOn(fact -> fact.entities() > 1)
                .extracting(Fact::entities, Fact::returned)
                .containsExactly(tuple(32, 0), tuple(32, 5), tuple(2, -1));
    }

    @Test
    @DisplayName("blocks and ranges have their bytes and their blob")
    void blobs() {
        BlobContainer photos = client.container("c" + UUID.randomUUID());
        photos.create();
        photos.upload(new byte[3 << 20], "a b/c.bin", with -> with.blockSize(1 << 20));
        assertThat(photos.download("a b/c.bin")).hasSize(3 << 20);
        photos.drop();

        assertThat(facts).extracting(Fact::container).containsOnly(photos.name());
        List<Fact> content =
                facts.stream().filter(fact -> fact.moved() >= 1 << 20).toList();
        assertThat(content.stream().mapToLong(Fact::moved).sum()).isEqualTo(6L << 20);
        assertThat(content).extracting(Fact::partition).containsOnly("a b/c.bin");
    }

    @Test
    @DisplayName("the clocks of a client and a service on one machine do not differ")
    void skew() {
        Duration[] seen = new Duration[1];
        String name = freshTable(Runner.class).name();
        try (Stowline other = Stowline.builder()
                .connectionString(connectionString())
                .listener(new StowlineListener() {
                    @Override
                    public void onServiceClosed(io.stowline.observe.ServiceState state) {
                        seen[0] = state.clockSkew();
                    }
                })
                .build()) {
            assertThat(other.table(name, Runner.class).exists()).isTrue();
        }

        assertThat(seen[0]).isBetween(Duration.ofSeconds(-2), Duration.ofSeconds(2));
    }
}
