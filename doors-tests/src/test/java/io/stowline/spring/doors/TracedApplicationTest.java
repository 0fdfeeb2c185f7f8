package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
                    String trace = order(context.getEnvironment().getProperty("local.server.port"));
                    String line = "shipped shirt in trace " + trace;
                    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    while (!output.getOut().contains(line)) {
                        assertThat(System.nanoTime()).as(line).isLessThan(deadline);
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                    }
                    assertThat(trace).matches("[0-9a-f]{32}");
                });
    }

    private static String order(String port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/orders"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body)
                .join();
    }
}
