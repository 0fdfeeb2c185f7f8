package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.queue.MessageQueue;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.ServiceBehavior;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The library against what the real services do and the emulator never does. */
@AzuriteTest
class BehaviorIT {

    private static FaultProxy proxy(Azurite azurite, ServiceBehavior... behaviors) {
        FaultProxy.Builder proxy = FaultProxy.builder().inFrontOf(azurite);
        for (ServiceBehavior behavior : behaviors) {
            proxy.behavior(behavior);
        }
        return proxy.start();
    }

    private static Stowline client(String connectionString) {
        return Stowline.builder()
                .connectionString(connectionString)
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build();
    }

    private static String freshName() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    private static Table<Runner> table(Stowline storage) {
        Table<Runner> table = storage.table(freshName(), Runner.class);
        table.create();
        return table;
    }

    @Test
    @DisplayName("MAP-5: empty pages with a continuation are followed")
    void followsEmptyPages(Azurite azurite) {
        try (FaultProxy proxy = proxy(azurite, ServiceBehavior.emptyPages(), ServiceBehavior.smallPages(7));
                Stowline storage = client(proxy.storage().connectionString())) {
            Table<Runner> runners = table(storage);
            try (TableWriter<Runner> writer = runners.writer()) {
                IntStream.range(0, 30).mapToObj(i -> Runner.of("race", i)).forEach(writer::insert);
            }

            assertThat(runners.query().list()).hasSize(30).doesNotHaveDuplicates();
            assertThat(runners.reactive().query().stream().collectList().block())
                    .hasSize(30);
            runners.drop();
        }
    }

    @Test
    @DisplayName("RETRY-3: making what is still being deleted is worth waiting for")
    void waitsForWhatIsBeingDeleted(Azurite azurite) {
        try (FaultProxy proxy = proxy(azurite, ServiceBehavior.beingDeleted(2));
                Stowline storage = client(proxy.storage().connectionString())) {
            Table<Runner> runners = table(storage);
            MessageQueue<String> queue = storage.queue(freshName());
            BlobContainer container = storage.container(freshName());
            queue.create();
            container.create();
            runners.drop();
            queue.drop();
            container.drop();

            runners.create();
            queue.create();
            container.create();
            List<String> refused = proxy.recorded().stream()
                    .flatMap(exchange -> exchange.response().stream())
                    .filter(response -> response.status() == 409)
                    .map(response -> String.valueOf(response.header("x-ms-error-code")))
                    .toList();

            runners.insert(Runner.of("race", 1));
            queue.send("hello");
            container.upload(new byte[3], "three");
            assertThat(refused)
                    .containsExactly(
                            "TableBeingDeleted",
                            "TableBeingDeleted",
                            "QueueBeingDeleted",
                            "QueueBeingDeleted",
                            "ContainerBeingDeleted",
                            "ContainerBeingDeleted");
            assertThat(runners.query().list()).hasSize(1);
            assertThat(queue.peek(1)).isNotEmpty();
            assertThat(container.exists("three")).isTrue();
            runners.drop();
            queue.drop();
            container.drop();
        }
    }

    @Test
    @DisplayName(
            "RETRY-3: a clock that is 20 minutes off is corrected by the service's, once for all requests that follow")
    void signsByTheServicesClock(Azurite azurite) {
        try (FaultProxy proxy = proxy(azurite, ServiceBehavior.clockAhead(Duration.ofMinutes(20)));
                Stowline storage = client(proxy.storage().connectionString())) {
            Table<Runner> runners = table(storage);
            proxy.clear();

            runners.insert(Runner.of("race", 1));
            assertThat(runners.find("race", Runner.of("race", 1).id())).isPresent();
            assertThat(proxy.recorded(requests().path("**" + runners.name() + "**")))
                    .hasSize(2);
            MessageQueue<String> queue = storage.queue(freshName());
            queue.create();
            queue.send("hello");
            assertThat(queue.receive()).isPresent();
            queue.drop();
            runners.drop();
        }
    }

    @Test
    @DisplayName("RETRY-2, RETRY-4: a service that is busy every third time slows a writer down and loses nothing")
    void writesToABusyService(Azurite azurite) {
        try (FaultProxy proxy = proxy(azurite, ServiceBehavior.throttled(3, Duration.ZERO));
                Stowline storage = client(proxy.storage().connectionString())) {
            Table<Runner> runners = storage.table(freshName(), Runner.class);
            runners.createIfMissing();
            try (TableWriter<Runner> writer = runners.writer()) {
                IntStream.range(0, 700)
                        .mapToObj(i -> Runner.of("race " + i % 7, i))
                        .forEach(writer::insertOrReplace);
            }

            assertThat(runners.query().list()).hasSize(700);
            runners.dropIfExists();
        }
    }

    @Test
    void readsTheRealServicesRefusalOfAKey(Azurite azurite) {
        String wrong = Base64.getEncoder().encodeToString("not the key".getBytes(StandardCharsets.UTF_8));
        try (FaultProxy proxy = proxy(azurite, ServiceBehavior.jsonErrors());
                Stowline storage = client(
                        proxy.storage().connectionString().replaceFirst("AccountKey=[^;]*", "AccountKey=" + wrong))) {
            assertThatExceptionOfType(AuthenticationException.class)
                    .isThrownBy(() -> storage.table(freshName()).create())
                    .satisfies(e -> assertThat(e.failure().status()).isEqualTo(403))
                    .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(1));
        }
    }
}
