package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptReason;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("attempts at queues are judged as the client sends them")
class QueueEvidenceTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    private static FakeAttempt deletion() {
        return FakeAttempt.of("queue", "delete", "orders").writing(0);
    }

    private void consume(FakeAttempt lost) {
        traffic.run(50, 20, i -> {
            traffic.add(FakeAttempt.receive(1, 1));
            traffic.add(deletion());
            if (i % 20 == 0) {
                traffic.add(lost);
            }
        });
    }

    @Test
    void aDeletionThatIsRepeatedMayHaveBeenCarriedOut() {
        consume(deletion().ending(AttemptReason.REFUSED, 404, "MessageNotFound").repeated());

        assertThat(traffic.severity(Practice.Q6)).isEqualTo(Severity.OK);
    }

    @Test
    void aDeletionThatFindsNoMessageIsLate() {
        consume(deletion().ending(AttemptReason.REFUSED, 404, "MessageNotFound"));

        assertThat(traffic.severity(Practice.Q6)).isEqualTo(Severity.WARNING);
    }
}
