package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.table.LeftoverException;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The traces of a client after its close. */
@Timeout(60)
class LifeIT extends StorageTest {

    @Test
    void refusesWorkAfterClose() {
        Stowline closing = client(connectionString());
        Table<Runner> runners = closing.table(freshName(), Runner.class);
        TableWriter<Runner> writer = runners.writer();
        closing.close();
        closing.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> runners.find("race", "row"))
                .withMessageContaining("closed");
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> writer.insert(Runner.of("race", 1)));
    }

    @Test
    @DisplayName("BATCH-9: what a writer holds is sent when the client closes")
    void drainsOpenWriters() {
        Table<Runner> runners = freshTable(Runner.class);
        try (Stowline closing = client(connectionString())) {
            TableWriter<Runner> writer = closing.table(runners.name(), Runner.class)
                    .writer(settings -> settings.linger(Duration.ofHours(1)));
            IntStream.range(0, 30).mapToObj(i -> Runner.of("race", i)).forEach(writer::insert);
        }

        assertThat(runners.query().list()).hasSize(30);
    }

    @Test
    @DisplayName("BATCH-9: closing is bounded even when the endpoint never answers, and nothing is lost silently")
    void closesInTimeWithoutAResponse() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Stowline closing = Stowline.builder()
                    .connectionString("AccountName=silent;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:"
                            + silent.getLocalPort() + "/silent")
                    .closeTimeout(Duration.ofMillis(200))
                    .build();
            TableWriter<Runner> writer = closing.table("runners", Runner.class).writer();
            IntStream.range(0, 50).mapToObj(i -> Runner.of("race " + i % 3, i)).forEach(writer::insert);

            assertThatExceptionOfType(UncollectedFailuresException.class)
                    .isThrownBy(closing::close)
                    .satisfies(e -> assertThat(e.count()).isEqualTo(50))
                    .satisfies(e -> assertThat(e.kinds()).containsKey(LeftoverException.class));
        }
    }

    @Test
    @DisplayName("DESIGN: threads are named after account and role, are daemons, and end with the client")
    void endsItsThreads() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Stowline closing = client(connectionString());
        closing.reactive().listTables().block();
        List<Thread> own = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().matches("stowline-.+-(io|timer|callback)-.*\\d+"))
                .toList();
        assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);
        storage.close();
        closing.close();

        for (Thread thread : own) {
            thread.join(Duration.ofSeconds(20).toMillis());
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }
}
