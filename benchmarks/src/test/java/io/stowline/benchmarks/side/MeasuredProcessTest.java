package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.stub.StubServer;
import io.stowline.benchmarks.side.work.Account;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeasuredProcessTest {

    private static final String[] SHORT = {
        "--only", "upsert,ingest", "--rounds", "2", "--warm-ups", "1", "--seconds", "0.01"
    };

    /** The figures of these processes mean nothing. */
    private static final List<String> CHEAP =
            List.of("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private StubServer server;
    private MeasuredProcess process;

    @BeforeEach
    void start() throws InterruptedException {
        server = StubServer.start(Duration.ZERO);
        process = new MeasuredProcess(SideOptions.of(SHORT), CHEAP, SHORT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void measuresOneWorkload() throws Exception {
        Account account = StubProcess.account(server.port());
        WorkloadRun run = process.run(Scenario.UPSERT, account, account.endpoint());

        assertThat(run.result().scenario()).isEqualTo(Scenario.UPSERT);
        assertThat(run.result().peer()).isEqualTo("the SDK");
        assertThat(run.result().series())
                .containsOnlyKeys(Contender.STOWLINE, Contender.PEER)
                .allSatisfy((contender, series) -> assertThat(series.rounds()).hasSize(2));
        assertThat(run.warmUp().rounds()).isBetween(1, 20);
        assertThat(run.jvm()).startsWith("Java " + Runtime.version().feature() + " on ");
    }

    @Test
    void measuresTheMemoryOfEachContender() throws Exception {
        String[] quick = {"--quick", "--rounds", "2"};
        Map<Contender, List<Double>> peaks = new MeasuredProcess(SideOptions.of(quick), CHEAP, quick)
                .peaks(Scenario.BLOB_STREAM, StubProcess.account(server.port()));

        assertThat(peaks).containsOnlyKeys(Contender.STOWLINE, Contender.PEER);
        assertThat(peaks.values())
                .allSatisfy(rounds -> assertThat(rounds).hasSize(2).allMatch(bytes -> bytes > 1 << 20));
    }

    @Test
    void failsWithItsProcess() {
        Account account = StubProcess.account(server.port());
        assertThatThrownBy(() -> process.run(Scenario.DISTANT, account, SideClient.NOWHERE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the process that measures distant ended with 1");
    }
}
