package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.StorageInterruptedException;
import io.stowline.table.Entity;
import io.stowline.table.FlushReport;
import io.stowline.table.TableWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking flush while the callbacks of the application keep every thread that there is for them. */
@Timeout(60)
class BusyCallbacksTest {

    private final JournaledService service = new JournaledService();
    private final List<Runnable> waiting = new ArrayList<>();
    private final TableWriter<Entity> writer = service.table().writer(w -> w.callbacks(waiting::add));

    @Test
    @DisplayName("BATCH-8: a blocking flush ends while every callback thread is busy")
    void flushes() {
        writer.insert(JournaledService.row("p", "a")).whenComplete((written, failure) -> {});
        service.pass(Duration.ofSeconds(1));
        assertThat(writer.flush()).isEqualTo(new FlushReport(1, 0));
        assertThat(writer.undeliveredItems()).isOne();
    }

    @Test
    @DisplayName("BATCH-8 RETRY-8: a blocking flush on an interrupted thread is refused as any other call")
    void refusesAnInterruptedThread() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(writer::flush).isInstanceOf(StorageInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
