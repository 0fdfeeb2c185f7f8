package io.stowline.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Executors in separate JVMs, on the jars of an installation of Spark. */
@TestInstance(Lifecycle.PER_CLASS)
class ClusterIT {

    private Azurite azurite;
    private FaultProxy proxy;
    private SparkDriver driver;

    @BeforeAll
    void start() throws Exception {
        azurite = Azurite.start();
        proxy = FaultProxy.builder().inFrontOf(azurite).start();
        driver = SparkDriver.start(
                SparkHome.make("cluster"),
                Map.of("spark.ui.enabled", "false"),
                Map.of(ClusterProgram.ACCOUNT, proxy.storage().connectionString()));
    }

    @AfterAll
    void stop() throws Exception {
        driver.close();
        proxy.close();
        azurite.close();
    }

    @Test
    void clientRunsOnTheLibrariesOfTheCluster() throws Exception {
        String executor = "250 rows, 9437184 bytes, netty-buffer-4.2.13.Final.jar netty-handler-4.2.13.Final.jar"
                + " jackson-databind-2.21.2.jar reactor-netty-http-1.3.7.jar";

        assertThat(driver.run("client")).isEqualTo("DONE " + executor + "; " + executor);
    }
}
