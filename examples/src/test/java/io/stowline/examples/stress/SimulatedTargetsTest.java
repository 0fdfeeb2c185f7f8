package io.stowline.examples.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.SentRequest;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SimulatedTargetsTest {

    private final AtomicLong clock = new AtomicLong();

    @Test
    void refusesWhatIsAboveTheTargetOfAPartition() {
        SimulatedTargets targets = new SimulatedTargets(20, 1_000, clock::get);

        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("a"))).as("a third at once").isTrue();
        assertThat(targets.isAbove(entity("b"))).as("of another partition").isFalse();
        clock.addAndGet(50_000_000);
        assertThat(targets.isAbove(entity("a")))
                .as("after a twentieth of a second")
                .isFalse();
        assertThat(targets.isAbove(entity("a"))).isTrue();
    }

    @Test
    void refusesWhatIsAboveTheTargetOfTheAccount() {
        SimulatedTargets targets = new SimulatedTargets(20, 30, clock::get);

        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("b"))).isFalse();
        assertThat(targets.isAbove(entity("c"))).isFalse();
        assertThat(targets.isAbove(entity("d"))).isTrue();
    }

    @Test
    void countsTheEntitiesOfATransaction() {
        SimulatedTargets targets = new SimulatedTargets(100, 1_000, clock::get);
        String eight = "PUT http://127.0.0.1/account/t(PartitionKey='a',RowKey='1') HTTP/1.1\n".repeat(8);
        SentRequest transaction = SentRequest.of("POST", "/account/$batch", Map.of(), eight.getBytes(UTF_8));

        assertThat(targets.isAbove(transaction)).isFalse();
        assertThat(targets.isAbove(transaction)).isTrue();
        clock.addAndGet(60_000_000);
        assertThat(targets.isAbove(transaction)).isFalse();
    }

    @Test
    void letsEverythingElsePass() {
        SimulatedTargets targets = new SimulatedTargets(1, 1, clock::get);
        SentRequest table = SentRequest.of("POST", "/account/Tables", Map.of(), new byte[0]);

        for (int i = 0; i < 10; i++) {
            assertThat(targets.isAbove(table)).isFalse();
        }
    }

    private static SentRequest entity(String partition) {
        return SentRequest.of("PUT", "/account/t(PartitionKey='" + partition + "',RowKey='1')", Map.of(), new byte[0]);
    }
}
