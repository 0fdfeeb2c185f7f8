package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.StorageInterruptedException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.PagedTable.Line;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageStreamTest {

    private final PagedTable service = new PagedTable();

    record Strict(@PartitionKey String partition, @RowKey String row, int age) {}

    private Query<Line> query(boolean divided) {
        Query<Line> query = service.table().query();
        return divided ? query.partitions(List.of("a", "b")) : query.partition("a");
    }

    private static <R> R onThread(Callable<R> work) throws Exception {
        FutureTask<R> task = new FutureTask<>(work);
        Thread reader = new Thread(task, "reader");
        reader.setDaemon(true);
        reader.start();
        return task.get(30, TimeUnit.SECONDS);
    }

    /** Reads one row, is interrupted, and goes on as long as it is let. */
    private static List<String> readOn(Iterator<Line> lines) {
        List<String> seen = new ArrayList<>(List.of(lines.next().row()));
        Thread.currentThread().interrupt();
        for (int i = 0; i < 10; i++) {
            try {
                seen.add(lines.hasNext() ? lines.next().row() : "end");
            } catch (StorageInterruptedException e) {
                seen.add("interrupted " + Thread.interrupted());
            } catch (CancellationException e) {
                return seen;
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("RETRY-8: after an interrupt no row is passed over, though the page was there when it came")
    void anInterruptLosesNothingInSilence(boolean divided) throws Exception {
        service.with("a", "1", "2", "3", "4").with("b", "5");

        assertThat(onThread(() -> readOn(query(divided).stream().iterator()))).containsExactly("1", "interrupted true");
    }

    @Test
    @DisplayName("RETRY-8: an interrupt stops the other parts though the page was there when it came")
    void anInterruptStopsTheOtherParts() throws Exception {
        service.with("a", "1", "2").with("b", "3").hold("b");
        onThread(() -> readOn(query(true).stream().iterator()));

        assertThat(service.cancelled()).isEqualTo(1);
    }

    @Test
    @DisplayName("MAP-5: a page that cannot be read ends all parts, and what comes after it is not taken for the rest")
    void aPageThatCannotBeRead() {
        service.with("a", "1", "2").with("b", "3").hold("b");
        Iterator<Strict> lines = service.table().query().as(Strict.class).partitions(List.of("a", "b")).stream()
                .iterator();

        assertThatExceptionOfType(UnreadableEntityException.class).isThrownBy(lines::next);
        assertThat(service.cancelled()).isEqualTo(1);
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(lines::hasNext)
                .withCauseInstanceOf(UnreadableEntityException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("MAP-5: a stream that is closed before its first row sends nothing and has an end")
    void closedBeforeTheFirstRow(boolean divided) throws Exception {
        service.with("a", "1").with("b", "2");

        assertThat(onThread(() -> {
                    var stream = query(divided).stream();
                    Iterator<Line> lines = stream.iterator();
                    stream.close();
                    return lines.hasNext();
                }))
                .isFalse();
        assertThat(service.asked()).isEmpty();
    }
}
