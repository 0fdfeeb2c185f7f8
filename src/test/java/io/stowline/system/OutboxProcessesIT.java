package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.spring.OutboxProcess;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.RequestHold;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Applications that are killed between the commit and the send, and the relay of another one. */
@Timeout(180)
@EnabledOnOs({OS.LINUX, OS.MAC})
class OutboxProcessesIT extends StorageTest {

    private final String name = "o" + UUID.randomUUID().toString().substring(0, 30);
    private final WorkerLog log = new WorkerLog();

    @TempDir
    Path folder;

    private MessageQueue<String> queue() {
        return storage.queue(name).withEnvelope(e -> e);
    }

    @AfterEach
    void drop() {
        queue().dropIfExists();
    }

    @Test
    @DisplayName("OUTCOME-7: kill -9 between commit and send, and of a relay: each order that is there has its message,"
            + " with one id")
    void killed() throws Exception {
        Table<Entity> table = freshTable();
        queue().create();
        RequestHold held = new RequestHold();
        var rule = proxy().when(requests().method("POST").path("/**/" + name + "/messages"))
                .holdBefore(held);
        try (WorkerProcess sender = start(0, table, 3)) {
            held.awaitArrived(Duration.ofSeconds(60));
            log.await("SENT", 3);
            sender.kill();
        }
        rule.remove();
        held.release();
        try (WorkerProcess first = start(1, table, 0)) {
            log.await("READY", first);
            first.kill();
        }
        try (WorkerProcess second = start(2, table, 0)) {
            log.await("READY", second);

            Map<String, Set<String>> ids = received(3);

            assertThat(ids.keySet()).containsExactlyInAnyOrder("order0", "order1", "order2");
            assertThat(ids.values()).allSatisfy(copies -> assertThat(copies).hasSize(1));
            assertThat(table.query().list()).hasSize(3);
        }
    }

    private WorkerProcess start(int number, Table<Entity> table, int orders) throws Exception {
        return WorkerProcess.start(
                number,
                OutboxProcess.class,
                folder,
                log,
                connectionString(),
                table.name(),
                name,
                String.valueOf(orders));
    }

    private Map<String, Set<String>> received(int count) throws InterruptedException {
        Map<String, Set<String>> ids = new HashMap<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (ids.size() < count && System.nanoTime() < until) {
            List<ReceivedMessage<String>> some = queue().receive(32, Duration.ofMinutes(5));
            some.forEach(message ->
                    ids.computeIfAbsent(message.body(), body -> new TreeSet<>()).add(message.eventId()));
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return ids;
    }
}
