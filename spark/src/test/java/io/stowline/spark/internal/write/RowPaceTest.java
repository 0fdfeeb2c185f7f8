package io.stowline.spark.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the pace of a task")
class RowPaceTest {

    private long now;
    private long waited;

    private RowPace pace(double rowsPerSecond) {
        return new RowPace(rowsPerSecond, () -> now, nanos -> {
            now += nanos;
            waited += nanos;
        });
    }

    @Test
    @DisplayName("bounds the rows of each second, from the first one on")
    void rate() throws InterruptedException {
        RowPace pace = pace(500);

        for (int i = 0; i < 2_000; i++) {
            pace.take();
        }

        assertThat(now).isBetween(TimeUnit.MILLISECONDS.toNanos(3_990), TimeUnit.MILLISECONDS.toNanos(4_000));
    }

    @Test
    @DisplayName("keeps a share below one row a second")
    void slow() throws InterruptedException {
        RowPace pace = pace(0.25);

        for (int i = 0; i < 3; i++) {
            pace.take();
        }

        assertThat(now).isEqualTo(TimeUnit.SECONDS.toNanos(12));
    }

    @Test
    @DisplayName("saves nothing up while the source is slow")
    void noBurst() throws InterruptedException {
        RowPace pace = pace(100);
        now += TimeUnit.HOURS.toNanos(1);
        long start = now;

        for (int i = 0; i < 100; i++) {
            pace.take();
        }

        assertThat(now - start).isEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    @DisplayName("does not wait without a bound")
    void unbounded() throws InterruptedException {
        RowPace pace = pace(0);

        for (int i = 0; i < 1_000_000; i++) {
            pace.take();
        }

        assertThat(waited).isZero();
    }
}
