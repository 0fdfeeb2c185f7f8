package io.stowline.logback;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program whose only mention of the appender is its logback.xml. */
@AzuriteTest
@Timeout(120)
class LoggingProcessTest {

    @TempDir
    Path folder;

    private final String container = "logs" + UUID.randomUUID();

    /** Returns what the program has printed. */
    private String run(String connectionString, int events, String more) throws IOException, InterruptedException {
        Path configuration = folder.resolve("logback.xml");
        Files.writeString(configuration, """
                <configuration>
                  <statusListener class="ch.qos.logback.core.status.OnConsoleStatusListener"/>
                  <appender name="BLOBS" class="io.stowline.logback.RecordAppender">
                    <connectionString>%s</connectionString>
                    <container>%s</container>
                    <prefix>shop/</prefix>
                    %s
                    <encoder><pattern>%%msg%%n</pattern></encoder>
                  </appender>
                  <root level="debug"><appender-ref ref="BLOBS"/></root>
                </configuration>
                """.formatted(connectionString, container, more));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=" + configuration,
                        LoggingProgram.class.getName(),
                        String.valueOf(events))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static List<String> lines(BlobContainer logs) {
        List<String> lines = new ArrayList<>();
        try (Stream<BlobInfo> blobs = logs.stream("shop/")) {
            blobs.forEach(blob ->
                    lines.addAll(List.of(new String(logs.download(blob.name()), StandardCharsets.UTF_8).split("\n"))));
        }
        return lines;
    }

    private static List<String> events(int number) {
        return IntStream.range(0, number).mapToObj(i -> "event " + i).toList();
    }

    @Test
    @DisplayName("the end of main delivers what is buffered, although nothing stops Logback")
    void endOfMain(TestStorage storage) throws Exception {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            BlobContainer logs = client.container(container);
            logs.create();

            run(storage.connectionString(), 2_000, "");

            assertThat(lines(logs)).containsExactlyElementsOf(events(2_000));
        }
    }

    @Test
    @DisplayName(
            "a program without its storage runs and ends; with a journal its events are in blobs after the next run")
    void withoutStorage(TestStorage storage) throws Exception {
        String journal = "<stopTimeout>1 second</stopTimeout><journal>" + folder.resolve("journal") + "</journal>";
        try (Stowline client = Stowline.connect(storage.connectionString());
                FaultProxy proxy = FaultProxy.builder().inFrontOf(storage).start()) {
            BlobContainer logs = client.container(container);
            logs.create();
            String address = proxy.storage().connectionString();
            proxy.refuse();

            String output = run(address, 500, journal);
            assertThat(output).contains("logged in ms").doesNotContain("discarded");
            assertThat(lines(logs)).isEmpty();

            proxy.accept();
            run(address, 0, journal.replace("1 second", "30 seconds"));
            assertThat(lines(logs)).containsExactlyElementsOf(events(500));
        }
    }
}
