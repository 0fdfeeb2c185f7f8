package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@AzuriteTest
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class TracedApplicationTest {

    @Test
    void tracesARequestToItsListenerInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-tracing.md", "traced.TracedApplication")
                .web()
                .with("stowline.observations.convention=opentelemetry")
                .with("management.tracing.sampling.probability=1.0")
                .run(azurite, folder, context -> {
                    String trace = new RunningApplication(context)
                            .send("POST", "/orders", "")
                            .body();
                    String line = "shipped shirt in trace " + trace;
                    RunningApplication.until(line, () -> output.getOut().contains(line));
                    assertThat(trace).matches("[0-9a-f]{32}");
                });
    }
}
