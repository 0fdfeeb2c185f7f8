package io.stowline.spark.internal.read;

import io.stowline.spark.internal.account.TaskCounts;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of scans in Spark's UI, each the sum over all tasks. Spark makes them by their names. */
public final class ReadMetrics {

    private static final String ENTITIES = "entities";
    private static final String PAGES = "pages";
    private static final String CONTINUATIONS = "continuations";
    private static final String RETRIES = "retries";
    private static final String THROTTLES = "throttles";
    private static final String PROBES = "probes";

    private ReadMetrics() {}

    static CustomMetric[] all() {
        return new CustomMetric[] {
            new EntitiesMetric(),
            new PagesMetric(),
            new ContinuationsMetric(),
            new RetriesMetric(),
            new ThrottlesMetric(),
            new ProbesMetric()
        };
    }

    /** Returns the counts of a task. */
    static CustomTaskMetric[] of(long entities, int queries, TaskCounts counts) {
        return new CustomTaskMetric[] {
            new CountedMetric(ENTITIES, entities),
            new CountedMetric(PAGES, counts.requests()),
            new CountedMetric(CONTINUATIONS, Math.max(0, counts.requests() - queries)),
            new CountedMetric(RETRIES, counts.retries()),
            new CountedMetric(THROTTLES, counts.throttles())
        };
    }

    /** Returns the counts of the driver's probes. */
    static CustomTaskMetric[] ofDriver(TaskCounts counts) {
        return new CustomTaskMetric[] {new CountedMetric(PROBES, counts.requests())};
    }

    /** A metric of one task. */
    private record CountedMetric(String name, long value) implements CustomTaskMetric {}

    /** The entities that the readers got. */
    public static final class EntitiesMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public EntitiesMetric() {}

        @Override
        public String name() {
            return ENTITIES;
        }

        @Override
        public String description() {
            return "entities read";
        }
    }

    /** The pages that the readers got. */
    public static final class PagesMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public PagesMetric() {}

        @Override
        public String name() {
            return PAGES;
        }

        @Override
        public String description() {
            return "pages of entities";
        }
    }

    /** The pages after the first ones of their queries. */
    public static final class ContinuationsMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public ContinuationsMetric() {}

        @Override
        public String name() {
            return CONTINUATIONS;
        }

        @Override
        public String description() {
            return "pages that continued a query";
        }
    }

    /** The attempts after the first ones of their requests. */
    public static final class RetriesMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public RetriesMetric() {}

        @Override
        public String name() {
            return RETRIES;
        }

        @Override
        public String description() {
            return "retried requests";
        }
    }

    /** The attempts that the service throttled. */
    public static final class ThrottlesMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public ThrottlesMetric() {}

        @Override
        public String name() {
            return THROTTLES;
        }

        @Override
        public String description() {
            return "throttled requests";
        }
    }

    /** The requests of the driver that looked for keys. */
    public static final class ProbesMetric extends CustomSumMetric {

        /** Makes it for Spark. */
        public ProbesMetric() {}

        @Override
        public String name() {
            return PROBES;
        }

        @Override
        public String description() {
            return "requests that divided the table";
        }
    }
}
