package io.stowline.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.records.RecordWriter.RecordProgress;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The appender over an account in memory. */
@Timeout(60)
class LogInBlobsTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline client = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .retry(retry -> retry.backoff(Backoff.none()).retries(0))
            .build();
    private final BlobContainer container = client.container("logs");
    private final LoggerContext context = new LoggerContext();
    private RecordAppender appender = appender();
    private final Logger log = context.getLogger("shop.Orders");

    @BeforeEach
    void create() {
        container.create();
    }

    @AfterEach
    void close() {
        appender.stop();
        context.stop();
        client.close();
    }

    private RecordAppender appender() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%level %msg%n");
        encoder.start();
        RecordAppender made = new RecordAppender();
        made.setContext(context);
        made.setName("BLOBS");
        made.setBlobContainer(container);
        made.setPrefix("shop/");
        made.setEncoder(encoder);
        made.setShutdownHook(false);
        return made;
    }

    private void start() {
        appender.start();
        assertThat(appender.isStarted()).isTrue();
        context.getLogger("ROOT").addAppender(appender);
    }

    private List<String> names() {
        try (Stream<BlobInfo> blobs = container.stream("shop/")) {
            return blobs.map(BlobInfo::name).sorted().toList();
        }
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : names()) {
            try (InputStream content = container.open(name)) {
                InputStream plain = name.endsWith(".gz") ? new GZIPInputStream(content) : content;
                lines.addAll(Arrays.asList(new String(plain.readAllBytes(), StandardCharsets.UTF_8).split("\n")));
            }
        }
        return lines;
    }

    private RecordProgress progress() {
        return appender.recordWriter().orElseThrow().progress();
    }

    @Test
    @DisplayName("a stop delivers what is buffered; the blobs have every event once, in order")
    void stopDelivers() throws IOException {
        start();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            log.info("event {}", i);
            expected.add("INFO event " + i);
        }

        appender.stop();

        assertThat(lines()).isEqualTo(expected);
        assertThat(appender.accepted()).isEqualTo(1_000);
        assertThat(names()).allSatisfy(name -> assertThat(name).endsWith(".log"));
    }

    @Test
    void blobsCanBeCompressed() throws IOException {
        appender.setGzip(true);
        start();
        log.warn("compressed");

        appender.stop();

        assertThat(lines()).containsExactly("WARN compressed");
        assertThat(names()).singleElement().asString().endsWith(".log.gz");
    }

    @Test
    @DisplayName(
            "without a journal a missing container costs the events that find no room, and no caller waits or fails")
    void outageWithoutJournal() {
        container.drop();
        appender.setUpTo(new FileSize(64 * 1024));
        appender.setBufferSize(new FileSize(128 * 1024));
        appender.setMaxWait(new Duration(1));
        appender.setStopTimeout(new Duration(1));
        start();

        String text = "x".repeat(1_000);
        for (int i = 0; i < 1_000; i++) {
            log.info(text);
        }

        assertThat(appender.accepted() + appender.discarded()).isEqualTo(1_000);
        assertThat(appender.accepted()).isBetween(1L, 131L);
        assertThat(progress().accepted()).isEqualTo(appender.accepted());
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .filteredOn(status -> status.getMessage().contains("no room"))
                .hasSize(1);
    }

    @Test
    @DisplayName("with a journal the events of an outage are in blobs after the next start, each once")
    void outageWithJournal(@TempDir Path folder) throws IOException {
        container.drop();
        appender.setJournal(folder.toString());
        appender.setStopTimeout(new Duration(50));
        start();
        for (int i = 0; i < 500; i++) {
            log.info("event {}", i);
        }
        appender.stop();
        assertThat(appender.accepted()).isEqualTo(500);

        container.create();
        appender = appender();
        appender.setJournal(folder.toString());
        context.getLogger("ROOT").detachAndStopAllAppenders();
        start();
        appender.recordWriter().orElseThrow().awaitReplay();
        log.info("after the outage");
        appender.stop();

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            expected.add("INFO event " + i);
        }
        expected.add("INFO after the outage");
        assertThat(lines()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    @DisplayName("a second appender on the folder of a journal does not start, and says why")
    void oneAppenderForAFolder(@TempDir Path folder) {
        appender.setJournal(folder.toString());
        start();
        RecordAppender second = appender();
        second.setJournal(folder.toString());

        second.start();

        assertThat(second.isStarted()).isFalse();
        assertThat(context.getStatusManager().getCopyOfStatusList()).anySatisfy(status -> assertThat(
                        status.getMessage())
                .contains("BLOBS", "does not start", folder.getFileName().toString()));
    }

    @Test
    void anAppenderStartsAgain() throws IOException {
        start();
        log.info("first");
        appender.stop();
        appender.start();
        log.info("second");
        appender.stop();

        assertThat(lines()).containsExactlyInAnyOrder("INFO first", "INFO second");
        assertThat(appender.accepted()).isEqualTo(2);
    }

    @Test
    @DisplayName("events that the delivery logs at debug do not make further events")
    void noFeedback() {
        context.getLogger("ROOT").setLevel(ch.qos.logback.classic.Level.TRACE);
        start();
        log.info("the only one");
        appender.recordWriter().orElseThrow().flush();
        appender.recordWriter().orElseThrow().flush();

        assertThat(appender.accepted()).isEqualTo(1);
        assertThat(progress().written()).isEqualTo(1);
    }
}
