package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueInfo;
import io.stowline.retry.Backoff;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Reads from the emulator's secondary, which is a path beside the primary's, while a proxy keeps the primary from
 * responding.
 */
@AzuriteTest
class SecondaryIT {

    private final Azurite azurite;
    private FaultProxy proxy;
    private Stowline storage;

    SecondaryIT(Azurite azurite) {
        this.azurite = azurite;
    }

    @BeforeEach
    void connect() {
        proxy = FaultProxy.builder().inFrontOf(azurite).start();
        storage = Stowline.builder()
                .connectionString(proxy.storage().connectionString())
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY)
                .build();
    }

    @AfterEach
    void disconnect() {
        storage.close();
        proxy.close();
    }

    private static String freshName() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    private static RequestMatch toPrimary() {
        return requests().when("to the primary", request -> !request.target().contains("-secondary"));
    }

    private static RequestMatch toSecondary() {
        return requests().when("to the secondary", request -> request.target().contains("-secondary"));
    }

    private FaultRule primaryIsBusy() {
        return proxy.when(toPrimary()).respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
    }

    private static void isRecentlySynced(ReadOrigin origin) {
        assertThat(origin.secondary()).isTrue();
        assertThat(origin.lastSync())
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(5)),
                        Instant.now().plus(Duration.ofMinutes(5)));
    }

    private Table<Runner> runners() {
        Table<Runner> runners = storage.table(freshName(), Runner.class);
        runners.create();
        runners.insert(Runner.of("race", 1));
        runners.insert(Runner.of("race", 2));
        return runners;
    }

    @Test
    @DisplayName("RETRY-10: entities and queries are answered by the secondary while the primary is busy, and say so")
    void readsTables() {
        Table<Runner> runners = runners();
        Runner one = Runner.of("race", 1);
        assertThat(stored(runners))
                .extracting(found -> found.origin().secondary())
                .containsOnly(false);
        String key = Runner.of("race", 1).id();
        primaryIsBusy();

        StoredEntity<Runner> found = runners.find("race", key).orElseThrow();
        assertThat(found.value()).isEqualTo(one);
        isRecentlySynced(found.origin());
        assertThat(stored(runners)).hasSize(2).allSatisfy(row -> isRecentlySynced(row.origin()));
        assertThat(proxy.recorded(requests().query("comp", "stats"))).hasSize(1);
        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> runners.query().list());
    }

    private static List<StoredEntity<Runner>> stored(Table<Runner> runners) {
        try (Stream<StoredEntity<Runner>> rows =
                runners.query().partition("race").streamStored()) {
            return rows.toList();
        }
    }

    @Test
    @DisplayName("RETRY-10: the secondary answers when connections to the primary break, too, and never takes a write")
    void survivesBrokenConnections() {
        Table<Runner> runners = runners();
        FaultRule broken = proxy.when(toPrimary()).reset();

        assertThat(stored(runners)).hasSize(2);
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> runners.insertOrReplace(Runner.of("race", 3)));
        broken.remove();

        assertThat(proxy.recorded(toSecondary()))
                .isNotEmpty()
                .allSatisfy(exchange -> assertThat(exchange.request().method()).isIn("GET", "HEAD"));
    }

    @Test
    @DisplayName("RETRY-10: what the secondary does not have yet is read from the primary")
    void fallsBack() {
        Table<Runner> runners = runners();
        String key = Runner.of("race", 1).id();
        proxy.when(toPrimary().times(1)).respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
        proxy.when(toSecondary().path("**race**"))
                .respond(StubResponse.tableError(404, "ResourceNotFound", "It is not there."));

        assertThat(runners.find("race", key).orElseThrow().origin()).isEqualTo(ReadOrigin.primary());
    }

    @Test
    @DisplayName("RETRY-10: a queue's facts and a look at its messages come from the secondary; messages never do")
    void readsQueues() {
        MessageQueue<String> queue = storage.queue(freshName());
        queue.create();
        queue.send("hello");
        primaryIsBusy();

        QueueInfo facts = queue.info();
        assertThat(facts.approximateCount()).isEqualTo(1);
        isRecentlySynced(facts.origin());
        assertThat(queue.peek(1)).singleElement().satisfies(message -> {
            assertThat(message.body()).isEqualTo("hello");
            isRecentlySynced(message.origin());
        });
        assertThatExceptionOfType(ThrottledException.class).isThrownBy(queue::receive);
        assertThat(proxy.recorded(toSecondary().query("visibilitytimeout", value -> true)))
                .isEmpty();
    }

    @Test
    @DisplayName("RETRY-10: blobs are found, listed and downloaded from the secondary while the primary is busy")
    void readsBlobs() {
        BlobContainer photos = storage.container(freshName());
        photos.create();
        photos.upload("meow".getBytes(StandardCharsets.UTF_8), "cat");
        primaryIsBusy();
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        isRecentlySynced(photos.info("cat").origin());
        isRecentlySynced(photos.downloadTo("cat", target).origin());
        assertThat(target).hasToString("meow");
        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all).singleElement().satisfies(info -> isRecentlySynced(info.origin()));
        }
        assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> photos.download("cat"));
    }
}
