package io.stowline.spark;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The one Spark of a JVM of tests, with two slots and four tries of each task, and its sessions. */
public final class LocalSpark {

    private static final SparkSession ROOT = SparkSession.builder()
            .master("local[2,4]")
            .appName("stowline")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", "target/warehouse")
            .getOrCreate();

    private LocalSpark() {}

    /** Returns a session with its settings of SQL, which no other session sees. */
    public static SparkSession session(Map<String, String> settings) {
        SparkSession session = ROOT.newSession();
        settings.forEach(session.conf()::set);
        return session;
    }
}
