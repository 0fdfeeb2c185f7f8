package io.stowline.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.BadRequestException;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.ThrottledException;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.records.RecordWriter.RecordProgress;
import io.stowline.retry.Backoff;
import io.stowline.table.FlushReport;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class RecordWriterTest {

    private final MemoryStorage account = MemoryStorage.create();
    private final AtomicInteger lostResponses = new AtomicInteger();
    private final Stowline storage = client();
    private final BlobContainer container = storage.container("ads");
    private final RecordBlobs activities = RecordBlobs.in(container, "activities/");

    private Stowline client() {
        HttpClient http = account.httpClient();
        return Stowline.builder()
                .connectionString(account.connectionString())
                .httpClient(request -> http.send(request).flatMap(response -> lose(request, response)))
                .retry(retry -> retry.retries(1).backoff(Backoff.fixed(Duration.ofMillis(1))))
                .closeTimeout(Duration.ofSeconds(5))
                .build();
    }

    private Mono<HttpResponse> lose(HttpRequest request, HttpResponse response) {
        boolean lost = request.getHttpMethod() == HttpMethod.PUT
                && !String.valueOf(request.getUrl().getQuery()).contains("restype")
                && lostResponses.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        return lost ? Mono.error(new IOException("connection reset by peer")) : Mono.just(response);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private List<BlobInfo> blobs() {
        try (var all = container.stream("activities/")) {
            return all.toList();
        }
    }

    @Test
    @DisplayName("RECORD-1: a chunk is one blob, named by its interval, with its facts")
    void writesBlobs() {
        container.create();
        try (RecordWriter<String> writer = activities.writer(RecordFormat.lines())) {
            writer.write("a");
            writer.failingFast().write("b");
            writer.reactive().write("c").block();
            assertThat(writer.reactive()
                            .writeAll(Flux.range(0, 1000).map(String::valueOf))
                            .block())
                    .isEqualTo(1000);
            assertThat(writer.progress().buffered()).isEqualTo(1003);
            assertThat(writer.flush()).isEqualTo(new FlushReport(1003, 0));
            assertThat(writer.flush()).isEqualTo(new FlushReport(0, 0));
            assertThat(writer.awaitReplay()).isEqualTo(new FlushReport(0, 0));
        }
        BlobInfo blob = blobs().get(0);
        assertThat(blobs()).hasSize(1);
        assertThat(blob.metadata()).containsEntry("stowline_records", "1003").containsKey("stowline_chunk");
        assertThat(new String(container.download(blob.name()), UTF_8))
                .startsWith("a\nb\nc\n0\n1\n")
                .endsWith("\n999\n");
    }

    @Test
    @DisplayName(
            "RECORD-3: more reactive readers than Reactor has elastic threads, on which their pages are handed on, all end")
    void manyReactiveReaders() {
        container.create();
        try (RecordWriter<String> writer = activities.writer(RecordFormat.lines())) {
            writer.write("a");
        }
        int readers = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE + 80;
        Instant now = Instant.now();

        assertThat(Flux.range(0, readers)
                        .flatMap(
                                i -> activities
                                        .reactive()
                                        .read(
                                                RecordFormat.lines(),
                                                now.minusSeconds(900),
                                                now.plusSeconds(900),
                                                with -> with),
                                readers)
                        .collectList()
                        .block(Duration.ofSeconds(60)))
                .hasSize(readers);
    }

    @Test
    @DisplayName("RECORD-1: lost responses double nothing")
    void settlesLostResponses() {
        container.create();
        try (RecordWriter<String> writer =
                activities.writer(RecordFormat.lines().gzip())) {
            lostResponses.set(1);
            writer.write("a");
            assertThat(writer.flush()).isEqualTo(new FlushReport(1, 0));
            writer.write("b");
            assertThat(writer.flush()).isEqualTo(new FlushReport(1, 0));
        }
        assertThat(blobs()).hasSize(2);
    }

    @Test
    @DisplayName("RECORD-1: what a dead writer has sent is not sent twice by the next one")
    void goesOnAfterAnEnd(@TempDir Path folder) {
        container.create();
        try (Journal journal = Journal.open(folder)) {
            try (Stowline dying = client();
                    RecordWriter<String> writer = RecordBlobs.in(dying.container("ads"), "activities/")
                            .writer(RecordFormat.lines(), w -> w.journal(journal)
                                    .closeTimeout(Duration.ofMillis(1)))) {
                lostResponses.set(Integer.MAX_VALUE);
                writer.write("a");
                writer.write("b");
            }
            lostResponses.set(0);
            try (RecordWriter<String> writer = activities.writer(RecordFormat.lines(), w -> w.journal(journal))) {
                assertThat(writer.awaitReplay()).isEqualTo(new FlushReport(2, 0));
                writer.write("c");
                assertThat(writer.flush()).isEqualTo(new FlushReport(3, 0));
                assertThat(writer.progress())
                        .returns(3L, RecordProgress::accepted)
                        .returns(3L, RecordProgress::written);
            }
            assertThat(journal.outstandingRecords()).isZero();
        }
        assertThat(blobs())
                .extracting(blob -> new String(container.download(blob.name()), UTF_8))
                .containsExactlyInAnyOrder("a\nb\n", "c\n");
    }

    @Test
    @DisplayName("A blob of another client stays as it is, and its records are reported")
    void refusesForeignBlobs() {
        container.create();
        try (RecordWriter<String> writer =
                activities.writer(RecordFormat.lines(), w -> w.deliveryTimeout(Duration.ofMinutes(5)))) {
            writer.write("a");
            writer.flush();
            String first = blobs().get(0).name();
            String second = first.replace("-00000000.", "-00000001.");
            container.upload("foreign".getBytes(UTF_8), second);
            writer.write("b");
            FlushReport report = writer.flush();
            if (report.failed() == 0) {
                return; // another interval has begun
            }
            FailedRecords failure = writer.takeFailures().get(0);
            assertThat(failure.blob()).isEqualTo(second);
            assertThat(failure.content()).asString().isEqualTo("b\n");
            assertThat(failure.cause())
                    .isInstanceOf(ConflictException.class)
                    .hasMessageContaining("with other content");
            assertThat(container.download(second)).asString().isEqualTo("foreign");
            writer.write("c");
            assertThat(writer.flush()).isEqualTo(new FlushReport(1, 0));
        }
    }

    @Test
    @DisplayName("BATCH-15: a missing container pauses the writer, which goes on by itself")
    void pausesAndGoesOn() {
        try (RecordWriter<String> writer = activities.writer(RecordFormat.lines())) {
            writer.write("a");
            Mono<FlushReport> flush = writer.reactive().flush().cache();
            flush.subscribe();
            while (writer.pausedBy().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(writer.pausedBy().get().failure().errorCode()).isEqualTo("ContainerNotFound");
            container.create();
            assertThat(flush.block()).isEqualTo(new FlushReport(1, 0));
            assertThat(writer.pausedBy()).isEmpty();
        }
    }

    @Test
    @DisplayName("RECORD-2: a try repeats a request once, whatever the client's retries are")
    void triesAreShort() {
        for (int i = 0; i < 20; i++) {
            account.refuseNext("PUT", "activities/", 503, "ServerBusy");
        }
        HttpClient http = account.httpClient();
        try (Stowline patient = Stowline.builder()
                        .connectionString(account.connectionString())
                        .httpClient(http)
                        .retry(retry -> retry.retries(9).backoff(Backoff.fixed(Duration.ofDays(1))))
                        .build();
                RecordWriter<String> writer = RecordBlobs.in(patient.container("ads"), "activities/")
                        .writer(RecordFormat.lines(), w -> w.deliveryTimeout(Duration.ofMillis(1)))) {
            writer.write("a");
            assertThat(writer.flush()).isEqualTo(new FlushReport(0, 1));
            assertThat(writer.takeFailures().get(0).cause())
                    .isInstanceOfSatisfying(
                            ThrottledException.class,
                            thrown -> assertThat(thrown.failure().attempts()).isEqualTo(2));
        }
    }

    @Test
    @DisplayName("A client that is closed first ends its writer with a clear error")
    void endsWithItsClient() {
        Stowline other = client();
        RecordWriter<String> writer =
                RecordBlobs.in(other.container("ads"), "activities/").writer(RecordFormat.lines());
        writer.write("a");
        other.close();
        FailedRecordsException thrown = catchThrowableOfType(FailedRecordsException.class, writer::close);
        assertThat(thrown.failures()).hasSize(1);
        assertThat(thrown)
                .hasRootCauseInstanceOf(ClosedException.class)
                .rootCause()
                .hasMessageContaining("close writers before their client");
    }

    @Test
    @DisplayName("Records that cannot be had, and journals of others, are refused by name")
    @SuppressWarnings("try") // the writer is closed before its journal is opened again
    void refuses(@TempDir Path folder) {
        container.create();
        UnaryOperator<RecordWriterSettings.Builder> small = w -> w.upTo(64 * 1024);
        try (Journal journal = Journal.open(folder);
                RecordWriter<String> writer = activities.writer(
                        RecordFormat.lines(), w -> small.apply(w).journal(journal))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> writer.write("x".repeat(64 * 1024)))
                    .withMessageContaining("65537 bytes")
                    .withMessageContaining("upTo 65536");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> activities.writer(RecordFormat.lines(), w -> w.journal(journal)));
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Mono.fromRunnable(() -> writer.write("a"))
                            .subscribeOn(Schedulers.parallel())
                            .block())
                    .withMessageContaining("use the reactive() face");
            assertThat(writer.progress().accepted()).isZero();
            writer.close();
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> activities.writer(RecordFormat.lines().gzip(), w -> w.journal(journal)))
                    .withMessageContaining("activities/*.txt");
        }
    }

    @Test
    @DisplayName("An append that the service refuses for its size is rejected, and the next one goes")
    void rejectsAppends() {
        container.create();
        try (RecordWriter<String> writer = activities.writer(
                RecordFormat.lines(), w -> w.appendBlobs(a -> a).every(Duration.ofDays(1)))) {
            writer.write("a");
            assertThat(writer.flush()).isEqualTo(new FlushReport(1, 0));
            account.refuseNext("PUT", "activities/", 413, "RequestBodyTooLarge");
            writer.write("b");
            writer.flush();
            if (blobs().size() > 1) {
                return; // another day has begun
            }
            FailedRecords failure = writer.takeFailures().get(0);
            assertThat(failure.cause()).isInstanceOf(BadRequestException.class).hasMessageContaining("a smaller upTo");
            assertThat(failure.content()).asString().isEqualTo("b\n");
            writer.write("c");
            writer.flush();
            assertThat(writer.progress()).returns(2L, RecordProgress::written).returns(1L, RecordProgress::failed);
        }
    }

    /** A class that JSON cannot write. */
    private record Visit(Optional<String> page) {}

    @Test
    @DisplayName("A record that JSON cannot write is refused as such")
    void refusesWhatJsonCannotWrite() {
        try (RecordWriter<Visit> writer = activities.writer(RecordFormat.json(Visit.class))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> writer.write(new Visit(Optional.of("/"))))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .withMessageContaining("the record is not accepted");
            assertThat(writer.progress().accepted()).isZero();
        }
    }

    @Test
    @DisplayName("RECORD-3: chunks of several writers are read back once, in each writer's order")
    void readsBack() {
        container.create();
        try (RecordWriter<String> one = activities.writer(RecordFormat.lines(), w -> w.upTo(64 * 1024));
                RecordWriter<String> two = activities.writer(RecordFormat.lines(), w -> w.upTo(64 * 1024))) {
            IntStream.range(0, 10_000).forEach(i -> {
                one.write("one-" + i);
                two.write("two-" + i);
            });
        }
        Instant now = Instant.now();
        List<String> read;
        try (RecordStream<String> all =
                activities.read(RecordFormat.lines(), now.minus(Duration.ofHours(1)), now.plus(Duration.ofHours(1)))) {
            read = all.stream().toList();
        }
        assertThat(read).hasSize(20_000);
        for (String writer : List.of("one-", "two-")) {
            assertThat(read.stream().filter(record -> record.startsWith(writer)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 10_000).mapToObj(i -> writer + i).toList());
        }
    }
}
