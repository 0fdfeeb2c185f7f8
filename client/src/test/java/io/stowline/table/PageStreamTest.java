package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
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
    @DisplayName("MAP-5: a stream that is closed before its first row sends nothing, and is not taken for an empty one")
    void closedBeforeTheFirstRow(boolean divided) throws Exception {
        service.with("a", "1").with("b", "2");

        onThread(() -> {
            var stream = query(divided).stream();
            Iterator<Line> lines = stream.iterator();
            stream.close();
            assertThatIllegalStateException().isThrownBy(lines::hasNext).withMessageContaining("were closed");
            return null;
        });
        assertThat(service.requested()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "true, 3", "false, 1", "false, 2", "false, 3"})
    @DisplayName("MAP-5: a stream that is closed while it is read is not taken for one that has come to its end")
    void closedInTheMiddle(boolean divided, int read) throws Exception {
        service.with("a", "1 2", "3 4").with("b", "5");

        onThread(() -> {
            var stream = query(divided).stream();
            Iterator<Line> lines = stream.iterator();
            for (int i = 0; i < read; i++) {
                lines.next();
            }
            stream.close();
            for (int i = 0; i < 2; i++) {
                assertThatIllegalStateException().isThrownBy(lines::hasNext).withMessageContaining("were closed");
            }
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("MAP-5: a reader who waits for a page of a stream that is closed is told that it was closed")
    void closedWhileAPageIsOut(boolean divided) throws Exception {
        service.with("a", "1", "2").with("b", "3").hold("a");
        var stream = query(divided).stream();
        FutureTask<Long> reading = new FutureTask<>(stream::count);
        Thread reader = new Thread(reading, "reader");
        reader.start();
        while (service.requested().isEmpty()) {
            LockSupport.parkNanos(100_000);
        }
        stream.close();

        assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("were closed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("MAP-5: a stream that is closed after its last row has its end")
    void closedAfterTheEnd(boolean limited) throws Exception {
        service.with("a", "1 2", "3");

        assertThat(onThread(() -> {
                    var stream = limited ? query(false).limit(2).stream() : query(false).stream();
                    Iterator<Line> lines = stream.iterator();
                    int rows = 0;
                    for (; lines.hasNext(); lines.next()) {
                        rows++;
                    }
                    stream.close();
                    return rows + " " + lines.hasNext();
                }))
                .isEqualTo(limited ? "2 false" : "3 false");
    }
}
