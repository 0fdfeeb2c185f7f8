package io.stowline.spark.internal.write;

import java.io.Serializable;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The counts of a task or a write.
 *
 * @param entities the rows that this try has written
 * @param known the rows that an earlier try had written, or that needed no write
 * @param requests the requests, retries included; of full tasks these are transactions
 * @param retries the requests that were retries
 * @param throttles the requests that the service throttled
 */
record WriteCounts(long entities, long known, long requests, long retries, long throttles) implements Serializable {

    static final WriteCounts NONE = new WriteCounts(0, 0, 0, 0, 0);

    WriteCounts plus(WriteCounts other) {
        return new WriteCounts(
                entities + other.entities,
                known + other.known,
                requests + other.requests,
                retries + other.retries,
                throttles + other.throttles);
    }

    WriteCounts minus(WriteCounts other) {
        return plus(new WriteCounts(-other.entities, -other.known, -other.requests, -other.retries, -other.throttles));
    }

    CustomTaskMetric[] metrics() {
        return new CustomTaskMetric[] {
            new Count("entities", entities),
            new Count("knownEntities", known),
            new Count("requests", requests),
            new Count("retries", retries),
            new Count("throttles", throttles)
        };
    }

    static CustomMetric[] sums() {
        return new CustomMetric[] {
            new WriteMetric("entities", "entities written"),
            new WriteMetric("knownEntities", "entities that needed no write"),
            new WriteMetric("requests", "requests of writes"),
            new WriteMetric("retries", "retries of writes"),
            new WriteMetric("throttles", "throttled requests of writes")
        };
    }

    /**
     * One count as Spark takes it.
     *
     * @param name the metric's name
     * @param value the count
     */
    private record Count(String name, long value) implements CustomTaskMetric {}
}
