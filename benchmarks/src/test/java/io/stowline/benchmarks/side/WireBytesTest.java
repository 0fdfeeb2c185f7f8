package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.stub.StubServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WireBytesTest {

    private StubServer server;

    @BeforeEach
    void start() throws InterruptedException {
        server = StubServer.start(Duration.ZERO);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Map<Contender, Double> bytes(Scenario scenario) throws Exception {
        return new WireBytes(StubProcess.account(server.port())).of(scenario);
    }

    @Test
    @DisplayName("T10: fewer properties are fewer bytes, and no metadata fewer still")
    void countsTheBytesOfAnEntity() throws Exception {
        Map<Contender, Double> whole = bytes(Scenario.SCAN);
        Map<Contender, Double> brief = bytes(Scenario.PROJECTED);

        assertThat(whole).containsOnlyKeys(Contender.STOWLINE, Contender.PEER);
        assertThat(brief).containsOnlyKeys(Contender.STOWLINE, Contender.PEER);
        assertThat(whole.get(Contender.PEER)).isGreaterThan(whole.get(Contender.STOWLINE));
        assertThat(brief.get(Contender.PEER)).isGreaterThan(2 * brief.get(Contender.STOWLINE));
        assertThat(whole.get(Contender.STOWLINE)).isGreaterThan(5 * brief.get(Contender.STOWLINE));
    }

    @Test
    void countsNothingOfOtherWork() throws Exception {
        assertThat(bytes(Scenario.UPSERT)).isEmpty();
    }
}
