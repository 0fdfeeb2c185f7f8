package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.TableWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void tellsWhatTheJobCameTo() {
        RunFigures figures = new RunFigures(
                351, 3, new TableWriter.Stats(351, 5, 0), 5, Duration.ofSeconds(2), Duration.ofSeconds(1), 0xabcL);

        assertThat(Summary.of("job", figures)).isEqualTo(new Summary("job", 351, 3, "0000000000000abc"));
    }
}
