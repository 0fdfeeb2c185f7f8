package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.stub.StubServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    private String table(Set<Scenario> scenarios) throws Exception {
        return new WireBytes(StubProcess.account(server.port())).of(scenarios);
    }

    @Test
    @DisplayName("T10: fewer properties are fewer bytes, and no metadata fewer still")
    void countsTheBytesOfAnEntity() throws Exception {
        String table = table(EnumSet.allOf(Scenario.class));
        List<Integer> bytes = Pattern.compile("\\| ([\\d,]+) \\| ([\\d,]+) \\|")
                .matcher(table)
                .results()
                .flatMap(match -> Stream.of(match.group(1), match.group(2)))
                .map(text -> Integer.valueOf(text.replace(",", "")))
                .toList();

        assertThat(bytes).as(table).hasSize(4);
        assertThat(bytes.get(0)).isGreaterThan(bytes.get(1));
        assertThat(bytes.get(2)).isGreaterThan(2 * bytes.get(3));
        assertThat(bytes.get(1)).isGreaterThan(5 * bytes.get(3));
    }

    @Test
    void saysNothingOfOtherWork() throws Exception {
        assertThat(table(EnumSet.of(Scenario.UPSERT))).isEmpty();
    }
}
