package io.stowline.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.error.AuthenticationException;
import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import io.stowline.table.FlushReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ShownWriter writer = new ShownWriter();

    /** A writer whose numbers a test sets. */
    private static final class ShownWriter implements RecordWriter<String> {

        private RecordProgress progress = new RecordProgress(0, 0, 0, 0, 0, 0, 0);
        private Optional<StorageException> refusal = Optional.empty();

        @Override
        public void write(String record) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RecordWriter<String> failingFast() {
            return this;
        }

        @Override
        public ReactiveRecordWriter<String> reactive() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FlushReport flush() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FlushReport awaitReplay() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<StorageException> pausedBy() {
            return refusal;
        }

        @Override
        public RecordProgress progress() {
            return progress;
        }

        @Override
        public List<FailedRecords> takeFailures() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private double counter(String name, String writer) {
        return registry.get("stowline.records." + name)
                .tag("writer", writer)
                .functionCounter()
                .count();
    }

    private double gauge(String name) {
        return registry.get("stowline.records." + name)
                .tag("writer", "activities")
                .gauge()
                .value();
    }

    @Test
    @DisplayName("each number of the progress is a meter of its writer")
    void numbers() {
        RecordMetrics.of(writer, "activities").bindTo(registry);

        writer.progress = new RecordWriter.RecordProgress(10, 5, 2, 3, 333, 4, 1_024);

        assertThat(counter("accepted", "activities")).isEqualTo(10);
        assertThat(counter("written", "activities")).isEqualTo(5);
        assertThat(counter("failed", "activities")).isEqualTo(2);
        assertThat(counter("blobs", "activities")).isEqualTo(4);
        assertThat(counter("bytes", "activities")).isEqualTo(1_024);
        assertThat(gauge("buffered")).isEqualTo(3);
        assertThat(gauge("buffered.bytes")).isEqualTo(333);
        assertThat(registry.getMeters())
                .hasSize(8)
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
    }

    @Test
    void aPausedWriterIsShownUntilItGoesOn() {
        RecordMetrics.of(writer, "activities").bindTo(registry);
        assertThat(gauge("paused")).isZero();

        writer.refusal = Optional.of(refusal());
        assertThat(gauge("paused")).isEqualTo(1);

        writer.refusal = Optional.empty();
        assertThat(gauge("paused")).isZero();
    }

    @Test
    @DisplayName("two writers of one registry have a meter each, and further tags stay")
    void writersApart() {
        ShownWriter other = new ShownWriter();
        RecordMetrics.of(writer, "activities").bindTo(registry);
        RecordMetrics.of(other, "logs", Tag.of("account", "acct")).bindTo(registry);

        other.progress = new RecordWriter.RecordProgress(7, 7, 0, 0, 0, 1, 70);

        assertThat(counter("written", "activities")).isZero();
        assertThat(counter("written", "logs")).isEqualTo(7);
        assertThat(registry.get("stowline.records.written")
                        .tags("writer", "logs", "account", "acct")
                        .functionCounter()
                        .count())
                .isEqualTo(7);
    }

    private static StorageException refusal() {
        return new AuthenticationException(
                new FailureDetails(
                        "upload",
                        "ads/a",
                        403,
                        "AuthorizationFailure",
                        "no",
                        1,
                        0,
                        Duration.ZERO,
                        null,
                        "c",
                        "r",
                        "refused"),
                null);
    }
}
