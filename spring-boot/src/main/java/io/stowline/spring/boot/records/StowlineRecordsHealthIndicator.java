package io.stowline.spring.boot.records;

import io.stowline.error.StorageException;
import io.stowline.records.RecordWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * An indicator that shows whether the writers of records deliver. It sends nothing. It is down while the service refuses whatever a writer
 * sends, such as for its credential, a missing container or a setting: a person has to act. Records that wait or have failed leave it up.
 */
final class StowlineRecordsHealthIndicator extends AbstractHealthIndicator {

    private final Map<String, RecordWriter<?>> writers;

    StowlineRecordsHealthIndicator(Map<String, RecordWriter<?>> writers) {
        super("The health of the writers of records is not known");
        this.writers = writers;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        writers.forEach((name, writer) -> {
            StorageException refusal = writer.pausedBy().orElse(null);
            RecordWriter.RecordProgress progress = writer.progress();
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("state", refusal == null ? "running" : "paused");
            details.put("written", progress.written());
            details.put("failed", progress.failed());
            details.put("buffered", progress.buffered());
            if (refusal != null) {
                builder.down();
                details.put("reason", refusal.getClass().getName() + ": " + refusal.getMessage());
            }
            builder.withDetail(name, details);
        });
    }
}
