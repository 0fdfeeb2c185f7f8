package io.stowline.benchmarks.side.report;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The workloads, and what each must show. */
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
    BLOB_STREAM(
            "blob-stream",
            "upload of 64 MiB of unknown length with MD5, the SDK's without",
            "MiB",
            new Goal(Metric.RATE, 1, 1.3)),
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

    /** Without the conditions. */
    String shortTitle() {
        return switch (this) {
            case INGEST -> "EGT ingest";
            case SINGLES -> "single upserts through the writer";
            case QUEUE_CONSUME -> "consumer, 16 handlers of 10 ms";
            default -> title;
        };
    }

    /** What one of them is called. */
    String item() {
        return item;
    }

    /** How many of them a second. */
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
