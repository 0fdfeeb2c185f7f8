package io.stowline.benchmarks.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.stub.StubServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RingThroughputTest {

    private static final int TARGET = 4_000;

    @Test
    void twoAccountsTakeTwiceAsMuchAsOne() throws InterruptedException {
        try (StubServer alone = StubServer.start(Duration.ZERO, TARGET);
                StubServer first = StubServer.start(Duration.ZERO, TARGET);
                StubServer second = StubServer.start(Duration.ZERO, TARGET)) {
            RingThroughput ring = new RingThroughput(
                    StubProcess.account(alone.port()),
                    StubProcess.account(first.port()),
                    StubProcess.account(second.port()));
            double one = ring.overOne(2 * TARGET);
            double two = ring.overTwo(4 * TARGET);

            assertThat(one).isLessThan(1.1 * TARGET);
            assertThat(two / one).isGreaterThan(1.7);
        }
    }
}
