package io.stowline.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.outbox.StowlineOutboxAutoConfiguration;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

@AzuriteTest
class OutboxRelaysTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineOutboxAutoConfiguration.class));

    @Test
    void noRelayUnlessTheApplicationWantsOne(TestStorage storage) {
        runner.withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> assertThat(context).doesNotHaveBean("stowlineOutboxRelays"));
    }

    @Test
    @DisplayName("a relay of the application sends what another process has left, and stops with the context")
    void relays(TestStorage storage) {
        String name = "r" + UUID.randomUUID().toString().replace("-", "");
        runner.withPropertyValues(
                        "stowline.connection-string=" + storage.connectionString(), "stowline.outbox.relay=true")
                .run(context -> {
                    SmartLifecycle relays = context.getBean("stowlineOutboxRelays", SmartLifecycle.class);
                    assertThat(relays.isRunning()).isTrue();
                    Stowline client = context.getBean(Stowline.class);
                    Table<Entity> table = client.table(name);
                    table.create();
                    MessageQueue<String> queue = client.queue(name).withEnvelope(e -> e);
                    table.withRetry(r -> r.deadline(Duration.ofSeconds(4)).attemptTimeout(Duration.ofSeconds(2)))
                            .transaction("p")
                            .insert(Entity.builder("p", "1").build())
                            .send(queue, "hello")
                            .commit();
                    queue.createIfMissing();

                    List<ReceivedMessage<String>> received = new ArrayList<>();
                    while (received.isEmpty()) {
                        received.addAll(queue.receive(1));
                        ShortPause.park();
                    }
                    assertThat(received.get(0).body()).isEqualTo("hello");
                    relays.stop();
                    assertThat(relays.isRunning()).isFalse();
                    table.drop();
                    queue.drop();
                });
    }
}
