package io.stowline.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class CitiesJobTest {

    @Test
    void loadsJoinsAndWrites() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .getOrCreate()) {
            CitiesJob.run(spark, 2_000, new PrintStream(out, true, StandardCharsets.UTF_8));
        }

        assertThat(out.toString(StandardCharsets.UTF_8))
                .matches("(?s)([\\d,]+) cities loaded, \\1 in the table of \\d+ countries\\n.*")
                .contains("Afghanistan: ", "the northernmost is ");
    }
}
