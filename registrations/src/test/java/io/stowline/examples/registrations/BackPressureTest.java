package io.stowline.examples.registrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import jakarta.validation.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A body that is made while it is read, and a writer whose results come when the test says so. */
class BackPressureTest extends MemoryServiceTest {

    private static final int IN_FLIGHT = 100;
    private static final int ROWS = 5_000;

    /** The decoder and the parser read ahead by 8 KiB each. */
    private static final int READ_AHEAD = 2 * 8_192 / 50;

    @Autowired
    Races races;

    @Autowired
    Validator validator;

    @Autowired
    Table<ImportSummary> summaries;

    private final BlockingQueue<BiConsumer<WriteResult, Throwable>> results = new LinkedBlockingQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile int mostRead;

    @Test
    void theBodyIsReadNoFasterThanRowsAreWritten() throws Exception {
        CompletableFuture<ImportReport> report = run(null);

        Queue<BiConsumer<WriteResult, Throwable>> inFlight = new ArrayDeque<>();
        for (int row = 0; row < ROWS; row++) {
            if (inFlight.size() == IN_FLIGHT) {
                assertThat(results).as("rows beyond those in flight").isEmpty();
                end(inFlight.remove());
            }
            inFlight.add(next());
        }
        inFlight.forEach(this::end);

        assertThat(report.get(30, TimeUnit.SECONDS))
                .isEqualTo(new ImportReport(ImportState.COMPLETE, ROWS, ROWS, 0, 0, List.of()));
        assertThat(mostRead).as("rows read and not ended").isBetween(IN_FLIGHT, IN_FLIGHT + READ_AHEAD);
    }

    @Test
    void whenTheBodyBreaksOffTheReportWaitsForTheRowsThatCame() throws Exception {
        CompletableFuture<ImportReport> report = run(new IOException("connection reset"));

        for (int row = 0; row < ROWS; row++) {
            assertThat(report).isNotDone();
            end(next());
        }

        assertThat(report.get(30, TimeUnit.SECONDS))
                .isEqualTo(new ImportReport(ImportState.DISCONNECTED, ROWS, ROWS, 0, 0, List.of()));
    }

    private BiConsumer<WriteResult, Throwable> next() throws InterruptedException {
        BiConsumer<WriteResult, Throwable> result = results.poll(30, TimeUnit.SECONDS);
        assertThat(result).isNotNull();
        return result;
    }

    private void end(BiConsumer<WriteResult, Throwable> result) {
        ended.incrementAndGet();
        result.accept(WriteResult.confirmed("", false), null);
    }

    private CompletableFuture<ImportReport> run(IOException end) throws IOException {
        TableWriter<Runner> writer = mock();
        Submission<WriteResult> submission = mock();
        when(writer.insert(any())).thenReturn(submission);
        doAnswer(call -> results.add(call.getArgument(0))).when(submission).whenComplete(any());
        ImportSettings settings = new ImportSettings(1, ROWS, IN_FLIGHT, 10);
        RunnerImports imports = new RunnerImports(writer, races, validator, summaries, settings, Clock.systemUTC());
        Iterator<String> rows = TestRunners.rows(race, 1, ROWS);
        InputStream body = ImportClient.stream(
                ImportClient.concat(List.of(TestRunners.HEADER).iterator(), counted(rows)), end);
        RunnerCsv csv = new RunnerCsv(body, StandardCharsets.UTF_8);
        ImportSummary summary = imports.begin();
        return CompletableFuture.supplyAsync(() -> imports.run(summary, csv, new ImportEvents()));
    }

    private Iterator<String> counted(Iterator<String> rows) {
        return new Iterator<>() {
            private int read;

            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public String next() {
                read++;
                mostRead = Math.max(mostRead, read - ended.get());
                return rows.next();
            }
        };
    }
}
