package io.stowline.spark.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.stowline.spark.internal.option.AccountSource;
import io.stowline.spark.internal.option.AccountSource.SecretPlace;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a variable with a secret")
class RedactedVariablesTest {

    private static final String PATTERN = "spark.redaction.regex";

    private static AccountSource variable(String name) {
        return new AccountSource(SecretPlace.ENVIRONMENT, name, Map.of());
    }

    private static SparkConf conf(String... settings) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spark.executorEnv.STORAGE",
                "spark.kubernetes.driverEnv.STORAGE",
                "spark.yarn.appMasterEnv.STORAGE"
            })
    @DisplayName("is refused if Spark's configuration sets it under a name that Spark shows, without its value")
    void shown(String setting) {
        SparkConf conf = conf(setting, "AccountKey=c2VjcmV0");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedactedVariables.check(variable("STORAGE"), conf))
                .withMessageContaining("Spark shows the value of " + setting)
                .withMessageContaining("STORAGE_SECRET")
                .withMessageNotContaining("c2VjcmV0");
    }

    @Test
    @DisplayName("is taken if Spark hides it, or its configuration does not set it")
    void hidden() {
        SparkConf conf = conf("spark.executorEnv.STORAGE_SECRET", "x", "spark.executorEnv.OTHER", "x");
        SparkConf own = conf("spark.executorEnv.STORAGE", "x", PATTERN, "STORAGE");

        assertThatNoException().isThrownBy(() -> {
            RedactedVariables.check(variable("STORAGE_SECRET"), conf);
            RedactedVariables.check(variable("THER"), conf);
            RedactedVariables.check(variable("STORAGE"), own);
            RedactedVariables.check(new AccountSource(SecretPlace.FILE, "OTHER", Map.of()), conf);
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedactedVariables.check(
                        variable("STORAGE_SECRET"), conf("spark.executorEnv.STORAGE_SECRET", "x", PATTERN, "none")));
    }

    @Test
    @DisplayName("is compared with the pattern that Spark has by itself")
    void theDefaultIsThatOfSpark() {
        assertThat(package$.MODULE$.SECRET_REDACTION_PATTERN().defaultValueString())
                .isEqualTo("(?i)secret|password|token|access[.]?key");
    }
}
