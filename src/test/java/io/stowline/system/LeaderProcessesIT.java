package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.system.WorkerLog.Event;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.StubResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Three processes that want to lead, of which one is stopped for longer than the lease and one is killed. */
@Timeout(120)
@EnabledOnOs({OS.LINUX, OS.MAC})
class LeaderProcessesIT extends StorageTest {

    private static final int PROCESSES = 3;

    /** The rest of the lease, the pause of a candidate, and the delay of a busy machine. */
    private static final Duration TAKEN_OVER = LeaderProcess.LEASE.plusSeconds(8);

    private static final String TERM = "x-ms-meta-stowlineterm";

    private final String name = "l" + UUID.randomUUID().toString().substring(0, 30);
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final WorkerLog log = new WorkerLog();
    private BlobContainer container;

    @TempDir
    Path folder;

    @BeforeEach
    void make() throws Exception {
        container = storage.container(name);
        container.create();
        for (int i = 0; i < PROCESSES; i++) {
            workers.add(WorkerProcess.start(i, LeaderProcess.class, folder, log, connectionString(), name));
        }
    }

    @AfterEach
    void remove() {
        workers.forEach(WorkerProcess::close);
        container.dropIfExists();
    }

    private WorkerProcess leader(long term) throws InterruptedException {
        log.await("WROTE", (int) term);
        return workers.get(eventOf("LEAD", term).process());
    }

    private Event eventOf(String type, long term) {
        return log.events(type).stream()
                .filter(event -> event.job().equals(Long.toString(term)))
                .findFirst()
                .orElseThrow();
    }

    private static Duration between(long from, Event event) {
        return Duration.ofMillis(event.time() - from);
    }

    @Test
    @DisplayName(
            "LEASE-1, LEASE-2: a stopped and a killed leader are followed in time, and the store refuses the write of"
                    + " the stopped one")
    void neverTwoLeaders() throws Exception {
        WorkerProcess first = leader(1);
        RequestHold hold = new RequestHold();
        proxy().when(requests().method("PUT").path("/**/" + name + "/state").header(TERM, "1"))
                .holdBefore(hold);
        hold.awaitArrived(Duration.ofSeconds(20));
        long stopped = System.currentTimeMillis();
        first.signal("STOP");

        WorkerProcess second = leader(2);
        assertThat(second).isNotSameAs(first);
        assertThat(between(stopped, eventOf("LEAD", 2))).isLessThan(TAKEN_OVER);
        hold.release();
        long killed = second.kill();
        first.signal("CONT");
        log.await("LOST", 1);
        assertThat(eventOf("LOST", 1).process()).isEqualTo(first.number());

        WorkerProcess third = leader(3);
        assertThat(between(killed, eventOf("LEAD", 3))).isLessThan(TAKEN_OVER);
        third.command("stop");
        leader(4);
        assertThat(Duration.ofMillis(
                        eventOf("LEAD", 4).time() - eventOf("LEFT", 3).time()))
                .as("from a release to the next leader")
                .isLessThan(Duration.ofSeconds(8));
        fenced();
    }

    /** Compares what the store has taken and refused. */
    private void fenced() {
        List<Long> taken = new ArrayList<>();
        List<Integer> late = new ArrayList<>();
        proxy().recorded(requests().method("PUT").path("/**/" + name + "/state"))
                .forEach(exchange -> {
                    String term = exchange.request().header(TERM);
                    int status = exchange.served().map(StubResponse::status).orElse(0);
                    if (status >= 200 && status < 300) {
                        taken.add(Long.parseLong(String.valueOf(term)));
                    } else if ("1".equals(term)) {
                        late.add(status);
                    }
                });
        assertThat(taken)
                .as("terms of the writes that the store has taken")
                .isSorted()
                .contains(1L, 2L, 3L, 4L);
        assertThat(late).as("the held write of the stopped leader").contains(412);
        assertThat(new String(container.download("state"), StandardCharsets.UTF_8))
                .isEqualTo("4");
    }
}
