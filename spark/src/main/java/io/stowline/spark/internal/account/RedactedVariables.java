package io.stowline.spark.internal.account;

import io.stowline.spark.internal.option.AccountSource;
import io.stowline.spark.internal.option.AccountSource.SecretPlace;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** The variables that Spark's configuration sets for drivers and executors. Spark shows their values but for those that it redacts by name. */
public final class RedactedVariables {

    private static final String REDACTION = "spark.redaction.regex";

    /** The pattern of Spark where none is set. */
    private static final String DEFAULT = "(?i)secret|password|token|access[.]?key";

    private RedactedVariables() {}

    /**
     * Refuses a variable whose value Spark would show.
     *
     * @throws IllegalArgumentException naming the setting of Spark and the way out, without the value
     */
    public static void check(AccountSource source, SparkConf spark) {
        if (source.place() != SecretPlace.ENVIRONMENT) {
            return;
        }
        Pattern redacted = Pattern.compile(spark.get(REDACTION, DEFAULT));
        for (Tuple2<String, String> setting : spark.getAll()) {
            String name = setting._1();
            if (name.endsWith("Env." + source.name()) && !redacted.matcher(name).find()) {
                throw new IllegalArgumentException("connectionStringEnv: Spark shows the value of " + name
                        + " in its UI and event logs, since " + REDACTION
                        + " does not match that name; rename the variable,"
                        + " for example to STORAGE_SECRET, and replace a key that was shown");
            }
        }
    }
}
