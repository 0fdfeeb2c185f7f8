package io.stowline.spark.internal.write;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** A metric of writes that Spark's UI shows as the sum of all tasks. */
public final class WriteMetric extends CustomSumMetric {

    private final String name;
    private final String description;

    /** Makes the metric that sums up in Spark's status store, which knows the name by itself. */
    public WriteMetric() {
        this("", "");
    }

    WriteMetric(String name, String description) {
        this.name = name;
        this.description = description;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }
}
