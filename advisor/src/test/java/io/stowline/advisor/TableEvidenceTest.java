package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("attempts at tables are judged as the client sends them")
class TableEvidenceTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    @Test
    void aDeletionAfterAReadIsNoUpsert() {
        traffic.run(50, 20, i -> {
            traffic.add(FakeAttempt.find("p" + i, "r", "e"));
            traffic.add(FakeAttempt.of("table", "delete", "runners")
                    .at("p" + i, "r")
                    .writing(0));
        });

        assertThat(traffic.severity(Practice.T13)).isEqualTo(Severity.OK);
    }
}
