package io.stowline.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.stub.StubServer;
import io.stowline.benchmarks.start.StartContender.LoadedClass;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FirstInsertTest {

    private static final Pattern UNNEEDED = Pattern.compile("com\\.azure\\.(storage|data|xml)\\..*"
            + "|com\\.azure\\.core\\.http\\.HttpHeaders?"
            + "|com\\.azure\\.core\\.util\\.ConfigurationPropertyBuilder"
            + "|com\\.fasterxml\\..*"
            + "|io\\.netty\\.handler\\..*"
            + "|io\\.stowline\\.blob\\.internal\\.(?!base\\.BlobService$).*"
            + "|reactor\\.core\\.publisher\\.SinksSpecs"
            + "|reactor\\.netty\\.http\\..*");

    @Test
    void loadsNoClassThatItDoesNotNeed() throws Exception {
        try (StubServer server = StubServer.start(Duration.ZERO)) {
            List<LoadedClass> loaded =
                    StartContender.of("Stowline", FirstInsert.STOWLINE).classes(StubProcess.account(server.port()));

            assertThat(loaded)
                    .extracting(LoadedClass::name)
                    .contains("io.stowline.Stowline", "com.azure.core.http.HttpResponse")
                    .noneMatch(name -> UNNEEDED.matcher(name).matches());
        }
    }
}
