package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.TableWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

    @Test
    void becomeAnAlignedTable() {
        RunFigures figures = new RunFigures(
                171_075,
                246,
                new TableWriter.Stats(171_075, 1_868, 0),
                1_868,
                Duration.ofMillis(14_200),
                Duration.ofSeconds(5),
                0xABCL);

        assertThat(figures.report().lines())
                .containsExactly(
                        "entities                         171,075",
                        "partitions                           246",
                        "write requests                     1,868",
                        "  with perfect packing             1,868",
                        "  retries                              0",
                        "  entities in each                  91.6",
                        "writing, s                          14.2",
                        "  entities/s                      12,048",
                        "reading back, s                      5.0",
                        "  entities/s                      34,215",
                        "checksum                0000000000000abc");
    }

    @Test
    void divideByNothingWithoutHarm() {
        RunFigures figures = new RunFigures(0, 0, new TableWriter.Stats(0, 0, 0), 0, Duration.ZERO, Duration.ZERO, 0);

        assertThat(figures.report().lines()).noneMatch(line -> line.contains("NaN"));
    }

    @Test
    void allowOneRequestMoreThanNeededInEachPartition() {
        assertThat(with(new TableWriter.Stats(171_075, 2_114, 0)).differences()).isEmpty();
        assertThat(with(new TableWriter.Stats(171_075, 2_115, 0)).differences())
                .containsExactly("write requests: 2,115, not at most 2,114");
    }

    @Test
    void sayNothingAboutPackingWhenRequestsWereRepeated() {
        assertThat(with(new TableWriter.Stats(171_075, 2_115, 1)).differences()).isEmpty();
    }

    private static RunFigures with(TableWriter.Stats sent) {
        return new RunFigures(171_075, 246, sent, 1_868, Duration.ofSeconds(1), Duration.ofSeconds(1), 1);
    }
}
