package io.stowline.benchmarks.side.report;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The workloads, with their goals. */
public enum Scenario {
    POINT_READ(
            "point-read",
            "point read, 32 in flight",
            "op",
            new Goal(Metric.RATE, 1.25, 1.5),
            new Goal(Metric.CPU, 1 / 2.6, 1 / 3.4),
            new Goal(Metric.BYTES, 0.55, Double.NaN)),
    POINT_READ_METERED(
            "point-read-metered",
            "point read with a Micrometer listener, 32 in flight",
            "op",
            new Goal(Metric.RATE, 1.25, 1.5),
            new Goal(Metric.BYTES, 0.55, Double.NaN)),
    POINT_READ_ADVISED(
            "point-read-advised",
            "point read with an advisor, 32 in flight",
            "op",
            new Goal(Metric.CPU, 1.03, Double.NaN),
            new Goal(Metric.BYTES, 1.05, Double.NaN)),
    UPSERT(
            "upsert",
            "upsert, 32 in flight",
            "op",
            new Goal(Metric.RATE, 1.4, 1.7),
            new Goal(Metric.CPU, 1 / 3.0, 1 / 4.0),
            new Goal(Metric.BYTES, 0.75, Double.NaN)),
    ONE_READ(
            "one-read", "point reads, one blocking read after the other", "op", new Goal(Metric.CPU, 1 / 1.4, 1 / 1.8)),
    ONE_UPSERT(
            "one-upsert", "upserts, one blocking upsert after the other", "op", new Goal(Metric.CPU, 1 / 1.4, 1 / 1.8)),
    INGEST(
            "ingest",
            "EGT ingest, 8 in flight, Stowline not grouped",
            "entity",
            new Goal(Metric.RATE, 3, 4.5),
            new Goal(Metric.CPU, 1 / 4.0, 1 / 5.0),
            new Goal(Metric.BYTES, 1 / 5.5, 1 / 7.0)),
    SCAN(
            "scan",
            "scan, whole",
            "entity",
            new Goal(Metric.RATE, 4, 5),
            new Goal(Metric.CPU, 1 / 4.0, 1 / 5.0),
            new Goal(Metric.BYTES, 1 / 5.0, 1 / 6.0)),
    PROJECTED(
            "projected",
            "scan, 2 of 10 properties",
            "entity",
            new Goal(Metric.RATE, 4, 5),
            new Goal(Metric.CPU, 1 / 4.0, 1 / 5.0),
            new Goal(Metric.BYTES, 1 / 5.0, 1 / 6.0)),
    SINGLES(
            "singles",
            "single upserts, Stowline through the writer from 2 threads",
            "entity",
            new Goal(Metric.RATE, 8, 15)),
    SINGLES_ADVISED(
            "singles-advised",
            "single upserts through the writer with an advisor",
            "entity",
            new Goal(Metric.CPU, 1.03, Double.NaN),
            new Goal(Metric.BYTES, 1.01, Double.NaN)),
    READING_TRANSACTIONS(
            "reading-transactions",
            "readings in explicit transactions of 100, 8 in flight",
            "entity",
            new Goal(Metric.CPU, 1 / 5.7, 1 / 7.0)),
    READING_SUBMISSIONS(
            "reading-submissions",
            "readings through the writer, results taken 4,000 later",
            "entity",
            new Goal(Metric.CPU, 1 / 5.2, 1 / 6.0)),
    READING_MONOS(
            "reading-monos",
            "readings through the writer, 4,000 Monos in flight",
            "entity",
            new Goal(Metric.CPU, 1 / 3.8, 1 / 5.0)),
    READING_STREAM(
            "reading-stream",
            "readings through the writer, one Flux",
            "entity",
            new Goal(Metric.CPU, 1 / 4.5, 1 / 5.0)),
    QUEUE_SEND(
            "queue-send",
            "queue send, 32 in flight",
            "message",
            new Goal(Metric.CPU, 1 / 1.6, 1 / 3.0),
            new Goal(Metric.BYTES, 0.65, Double.NaN)),
    QUEUE_RECEIVE(
            "queue-receive",
            "receive of 32 messages with their deletes",
            "message",
            new Goal(Metric.CPU, 1 / 1.6, 1 / 3.0),
            new Goal(Metric.BYTES, 0.65, Double.NaN)),
    QUEUE_CONSUME(
            "queue-consume",
            "consumer with 16 handlers of 10 ms, sends included",
            "message",
            new Goal(Metric.RATE, 1, Double.NaN),
            new Goal(Metric.CPU, 0.8, Double.NaN),
            new Goal(Metric.BYTES, 0.8, Double.NaN),
            new Goal(Metric.REQUESTS, 2.04, Double.NaN)),
    BLOB_GET(
            "blob-get",
            "get of a blob of 64 KiB, 16 in flight",
            "op",
            new Goal(Metric.CPU, 1 / 1.3, 1 / 2.0),
            new Goal(Metric.BYTES, 0.58, Double.NaN)),
    BLOB_PUT(
            "blob-put",
            "put of 64 KiB with MD5, the SDK's without, 16 in flight",
            "op",
            new Goal(Metric.BYTES, 0.75, Double.NaN)),
    BLOB_PUT_CHECKED(
            "blob-put-checked",
            "put of 64 KiB, MD5 on both sides, 16 in flight",
            "op",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.BYTES, 0.75, Double.NaN)),
    BLOB_FILE_UP(
            "blob-file-up",
            "upload of a file of 1 GiB, MD5 on both sides",
            "MiB",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_FILE_UP_SUMS(
            "blob-file-up-sums",
            "upload of a file of 1 GiB with MD5, the SDK's without",
            "MiB",
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_FILE_DOWN(
            "blob-file-down",
            "download of 1 GiB to a file, no MD5 stored",
            "MiB",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_FILE_DOWN_SUMS(
            "blob-file-down-sums",
            "download of 1 GiB to a file, checked by its MD5, the SDK's not",
            "MiB",
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_DIRECTORY_UP(
            "blob-directory-up",
            "upload of 10,000 files of 16 KiB, MD5 on both sides",
            "blob",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_DIRECTORY_UP_SUMS(
            "blob-directory-up-sums",
            "upload of 10,000 files of 16 KiB with MD5, the SDK's without",
            "blob",
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_DIRECTORY_DOWN(
            "blob-directory-down",
            "download of 10,000 blobs of 16 KiB, no MD5 stored",
            "blob",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_DIRECTORY_DOWN_SUMS(
            "blob-directory-down-sums",
            "download of 10,000 blobs of 16 KiB, checked by their MD5, the SDK's not",
            "blob",
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_STREAM(
            "blob-stream",
            "upload of 512 MiB of unknown length, MD5 on both sides",
            "MiB",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_STREAM_SUMS(
            "blob-stream-sums",
            "upload of 512 MiB of unknown length with MD5, the SDK's without",
            "MiB",
            new Goal(Metric.PEAK, 1, Double.NaN)),
    BLOB_STREAM_DEFAULT(
            "blob-stream-default",
            "upload of 512 MiB of unknown length, the SDK's settings its defaults",
            "MiB",
            new Goal(Metric.RATE, 1, 1.3),
            new Goal(Metric.PEAK, 0.25, Double.NaN)),
    BLOB_TEXT(
            "blob-text",
            "upload of 64 MiB of text as gzip, the SDK's by a GZIPOutputStream",
            "MiB",
            new Goal(Metric.CPU, 1.25, Double.NaN),
            new Goal(Metric.BYTES, 1, Double.NaN)),
    BLOB_TEXT_PLAIN(
            "blob-text-plain",
            "upload of 64 MiB of text as gzip, against text as it is",
            "MiB",
            new Goal(Metric.BYTES, 0.5, Double.NaN)),
    BLOB_COPY(
            "blob-copy",
            "copy of 10,000 blobs of 16 KiB by the service, beside the SDK's poller",
            "blob",
            new Goal(Metric.REQUESTS, 2.01, Double.NaN)),
    BLOB_COPY_STREAMED(
            "blob-copy-streamed",
            "copy of 10,000 blobs of 16 KiB through the client, beside the SDK's poller",
            "blob",
            new Goal(Metric.REQUESTS, 2.01, Double.NaN)),
    TABLE_EXPORT("table-export", "export of 171,075 entities to a file", "entity", ofTransfer(3)),
    TABLE_EXPORT_MANY("table-export-many", "export of 1,000,000 entities to a file", "entity", ofTransfer(3)),
    TABLE_IMPORT("table-import", "import of a file of 171,075 entities", "entity", ofTransfer(5)),
    TABLE_IMPORT_MANY("table-import-many", "import of a file of 1,000,000 entities", "entity", ofTransfer(5)),
    IDLE("idle", "one upsert through an idle writer, against a direct one", "op", new Goal(Metric.LATENCY, 1.3, 1.1)),
    DISTANT("distant", "EGT ingest, 8 in flight, with latency", "entity", new Goal(Metric.SHARE, 0.95, Double.NaN));

    private final String id;
    private final String title;
    private final String item;

    @SuppressWarnings("ImmutableEnumChecker") // it is unmodifiable, and so are records
    private final List<Goal> goals;

    Scenario(String id, String title, String item, Goal... goals) {
        this.id = id;
        this.title = title;
        this.item = item;
        this.goals = List.of(goals);
    }

    private static Goal[] ofTransfer(double rate) {
        return new Goal[] {
            new Goal(Metric.RATE, rate, Double.NaN),
            new Goal(Metric.CPU, 1, 1 / rate),
            new Goal(Metric.PEAK, 1, Double.NaN)
        };
    }

    public static Scenario named(String id) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload is named '" + id + "', only "
                        + Arrays.stream(values()).map(Scenario::id).toList()));
    }

    public String id() {
        return id;
    }

    public String title() {
        return title;
    }

    /** Returns the name of the contender beside Stowline. */
    public String peer() {
        return switch (this) {
            case IDLE -> "a direct upsert";
            case POINT_READ_ADVISED, SINGLES_ADVISED -> "a client without an advisor";
            case BLOB_TEXT_PLAIN -> "an upload without gzip";
            default -> "the SDK";
        };
    }

    /** Returns whether it is about tables, and not queues or blobs. */
    public boolean isOfTables() {
        return !id.startsWith("queue-") && !id.startsWith("blob-");
    }

    /** Returns whether it moves a whole table, which only the stub has. */
    public boolean isOfWholeTables() {
        return id.startsWith("table-");
    }

    /** Returns whether the most memory in use is measured, too. */
    public boolean isAboutMemory() {
        return goal(Metric.PEAK).isPresent();
    }

    /** Returns the title without the conditions. */
    String shortTitle() {
        return switch (this) {
            case INGEST -> "EGT ingest";
            case POINT_READ_METERED -> "point read with a listener, 32 in flight";
            case READING_TRANSACTIONS -> "readings in transactions of 100, 8 in flight";
            case READING_SUBMISSIONS -> "readings through the writer, submissions";
            case READING_MONOS -> "readings through the writer, Monos";
            case SINGLES -> "single upserts through the writer";
            case QUEUE_CONSUME -> "consumer, 16 handlers of 10 ms";
            case BLOB_PUT -> "put of 64 KiB with MD5, 16 in flight";
            case BLOB_FILE_UP -> "file of 1 GiB up";
            case BLOB_FILE_UP_SUMS -> "file of 1 GiB up, MD5 of Stowline alone";
            case BLOB_FILE_DOWN -> "file of 1 GiB down";
            case BLOB_FILE_DOWN_SUMS -> "file of 1 GiB down, MD5 of Stowline alone";
            case BLOB_DIRECTORY_UP -> "10,000 small files up";
            case BLOB_DIRECTORY_UP_SUMS -> "10,000 small files up, MD5 of Stowline alone";
            case BLOB_DIRECTORY_DOWN -> "10,000 small blobs down";
            case BLOB_DIRECTORY_DOWN_SUMS -> "10,000 small blobs down, MD5 of Stowline alone";
            case BLOB_COPY -> "10,000 small blobs copied by the service";
            case BLOB_COPY_STREAMED -> "10,000 small blobs copied through the client";
            case BLOB_STREAM -> "stream of unknown length up";
            case BLOB_STREAM_SUMS -> "stream up, MD5 of Stowline alone";
            case BLOB_TEXT -> "text up as gzip";
            case BLOB_TEXT_PLAIN -> "text up as gzip, against none";
            case BLOB_STREAM_DEFAULT -> "stream up, the SDK with its defaults";
            default -> title;
        };
    }

    /** Returns the name of one of its items. */
    String item() {
        return item;
    }

    /** Returns the unit of its rate. */
    String rate() {
        return switch (item) {
            case "op" -> "ops/s";
            case "entity" -> "entities/s";
            case "MiB" -> "MiB/s";
            default -> item + "s/s";
        };
    }

    List<Goal> goals() {
        return goals;
    }

    Optional<Goal> goal(Metric metric) {
        return goals.stream().filter(goal -> goal.metric() == metric).findFirst();
    }
}
