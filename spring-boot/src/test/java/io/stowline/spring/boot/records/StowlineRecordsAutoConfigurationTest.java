package io.stowline.spring.boot.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.serializer.JsonSerializer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.journal.Journal;
import io.stowline.records.FailedRecords;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordStream;
import io.stowline.records.RecordWriter;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.StowlineJournalAutoConfiguration;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The writers of records that properties declare. */
@Timeout(60)
class StowlineRecordsAutoConfigurationTest {

    private final AccountsInMemory accounts = new AccountsInMemory();

    private final ApplicationContextRunner runner = accounts.runner(
                    StowlineJournalAutoConfiguration.class,
                    StowlineJsonAutoConfiguration.class,
                    StowlineRecordsAutoConfiguration.class,
                    StowlineRecordMetersAutoConfiguration.class,
                    StowlineRecordsHealthAutoConfiguration.class)
            .withPropertyValues("stowline.create-missing=true");

    /** An activity of a visitor. */
    record Activity(String visitor, int pageViews) {}

    static class Injected {

        @Autowired
        RecordWriter<Activity> byType;

        @Autowired
        @Qualifier("logs")
        RecordWriter<String> byQualifier;

        @Autowired
        @Qualifier("activities")
        RecordBlobs blobs;

        @Autowired
        RecordFormat<Activity> format;
    }

    private static List<String> lines(MemoryStorage storage, String container, String prefix) {
        List<String> lines = new ArrayList<>();
        try (Stowline client = AccountsInMemory.client(storage)) {
            BlobContainer blobs = client.container(container);
            try (Stream<BlobInfo> names = blobs.stream(prefix)) {
                names.forEach(blob -> lines.addAll(
                        List.of(new String(blobs.download(blob.name()), StandardCharsets.UTF_8).split("\n"))));
            }
        }
        return lines;
    }

    @SuppressWarnings("unchecked") // the records of a test have the type of its only writer
    private static RecordWriter<Object> writer(ApplicationContext context) {
        return context.getBean(RecordWriter.class);
    }

    private Health health(ApplicationContext context) {
        return context.getBean("stowlineRecordsHealthContributor", HealthIndicator.class)
                .health();
    }

    @Test
    @DisplayName("each name has a writer, injected by its type or its qualifier; the end of the application delivers")
    void writers() {
        runner.withPropertyValues(
                        "stowline.records.activities.container=ads",
                        "stowline.records.activities.type=" + Activity.class.getName(),
                        "stowline.records.logs.container=texts",
                        "stowline.records.logs.prefix=app/",
                        "stowline.records.logs.header=message")
                .withBean(Injected.class)
                .run(context -> {
                    Injected injected = context.getBean(Injected.class);
                    injected.byType.write(new Activity("ann", 3));
                    injected.byQualifier.write("a line");
                    assertThat(context.getBeansOfType(RecordWriter.class))
                            .containsOnlyKeys("activitiesRecordWriter", "logsRecordWriter");
                });

        assertThat(lines(accounts.main, "ads", "activities/")).containsExactly("{\"visitor\":\"ann\",\"pageViews\":3}");
        assertThat(lines(accounts.main, "texts", "app/")).containsExactly("message", "a line");
    }

    @Test
    @DisplayName("the beans of a name read back what its writer wrote")
    void readBack() {
        runner.withPropertyValues(
                        "stowline.records.activities.container=ads",
                        "stowline.records.activities.gzip=true",
                        "stowline.records.activities.type=" + Activity.class.getName(),
                        "stowline.records.logs.container=texts")
                .withBean(Injected.class)
                .run(context -> {
                    Injected injected = context.getBean(Injected.class);
                    injected.byType.write(new Activity("ann", 3));
                    injected.byType.flush();

                    Instant now = Instant.now();
                    try (RecordStream<Activity> read =
                            injected.blobs.read(injected.format, now.minusSeconds(3_600), now.plusSeconds(3_600))) {
                        List<Activity> all = new ArrayList<>();
                        read.forEach(all::add);
                        assertThat(all).containsExactly(new Activity("ann", 3));
                    }
                });
    }

    @Test
    void recordsAreMappedByTheMapperOfTheApplication() {
        runner.withPropertyValues(
                        "stowline.records.activities.container=ads",
                        "stowline.records.activities.type=" + Activity.class.getName())
                .withBean(JsonMapper.class, () -> JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .build())
                .run(context -> {
                    assertThat(context).hasSingleBean(JsonSerializer.class);
                    writer(context).write(new Activity("ann", 3));
                });

        assertThat(lines(accounts.main, "ads", "activities/"))
                .containsExactly("{\"visitor\":\"ann\",\"page_views\":3}");
    }

    @Test
    void aWriterHasTheContainerOfAFurtherAccount() {
        runner.withPropertyValues("stowline.records.logs.container=texts", "stowline.records.logs.account=archive")
                .run(context -> writer(context).write("far away"));

        assertThat(lines(accounts.archive, "texts", "logs/")).containsExactly("far away");
    }

    @Test
    @DisplayName(
            "a journal keeps what an outage holds up until the next start; the application's own journal stays another one")
    void journal(@TempDir Path folder) {
        ApplicationContextRunner journaled = runner.withPropertyValues(
                "stowline.records.logs.container=texts",
                "stowline.records.logs.journal.folder=" + folder.resolve("logs"),
                "stowline.records.logs.close-timeout=50ms",
                "stowline.journal.folder=" + folder.resolve("own"));

        journaled.withPropertyValues("stowline.create-missing=false").run(context -> {
            writer(context).write("during the outage");
            assertThat(context.getBean(Journal.class).folder()).endsWith(Path.of("own"));
        });
        journaled.run(context -> {
            writer(context).awaitReplay();
            writer(context).write("after it");
            writer(context).flush();
        });

        assertThat(lines(accounts.main, "texts", "logs/")).containsExactlyInAnyOrder("during the outage", "after it");
    }

    @Test
    @DisplayName("a customizer has the last word on the settings")
    void customizer() {
        List<FailedRecords> failed = new ArrayList<>();
        List<String> names = new ArrayList<>();
        runner.withPropertyValues(
                        "stowline.create-missing=false",
                        "stowline.records.logs.container=texts",
                        "stowline.records.logs.close-timeout=1s")
                .withBean(RecordWriterCustomizer.class, () -> (name, settings) -> {
                    names.add(name);
                    settings.closeTimeout(Duration.ofMillis(20)).onFailure(failed::add);
                    settings.callbacks(Runnable::run);
                })
                .run(context -> writer(context).write("lost"));

        assertThat(names).containsExactly("logs");
        assertThat(failed).singleElement().satisfies(chunk -> assertThat(
                        new String(chunk.content(), StandardCharsets.UTF_8))
                .isEqualTo("lost\n"));
    }

    @Test
    @DisplayName("a paused writer is down in health, with its reason, until it goes on")
    void health() {
        runner.withPropertyValues(
                        "stowline.create-missing=false",
                        "stowline.records.logs.container=texts",
                        "stowline.records.logs.close-timeout=50ms")
                .run(context -> {
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                    RecordWriter<Object> writer = writer(context);
                    writer.write("waits");
                    writer.reactive().flush().subscribe();
                    while (writer.pausedBy().isEmpty()) {
                        Thread.onSpinWait();
                    }

                    assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health(context).getDetails().get("logs"))
                            .asString()
                            .contains("state=paused", "buffered=1", "NotFoundException");
                });
    }

    @Test
    void theHealthContributorCanBeSwitchedOff() {
        runner.withPropertyValues(
                        "stowline.records.logs.container=texts", "management.health.stowline-records.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("stowlineRecordsHealthContributor"));
    }

    @Test
    @DisplayName("the meters of a writer have its name")
    void meters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        runner.withPropertyValues("stowline.records.logs.container=texts").run(context -> {
            context.getBean(RecordMeters.class).bindTo(registry);
            RecordWriter<Object> writer = writer(context);
            writer.write("counted");
            writer.flush();

            assertThat(registry.get("stowline.records.written")
                            .tag("writer", "logs")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stowline.records.logs.prefix=a/|stowline.records.logs.container",
                "stowline.records.logs.container=UPPER|stowline.records.logs.container",
                "stowline.records.logs.container=texts,stowline.records.logs.up-to=1KB|stowline.records.logs.up-to",
                "stowline.records.logs.container=texts,stowline.records.logs.every=7m|stowline.records.logs.every",
                "stowline.records.logs.container=texts,stowline.records.logs.linger=1s|stowline.records.logs.linger",
                "stowline.records.logs.container=texts,stowline.records.logs.account=none|stowline.records.logs.account",
                "stowline.records.logs.container=texts,stowline.records.logs.buffer-size=1MB|stowline.records.logs",
                "stowline.records.logs.container=texts,stowline.records.logs.journal.folder=/dev/null/x"
                        + "|stowline.records.logs.journal.folder"
            })
    @DisplayName("a property that is refused stops the start, and the analysis names it")
    void refused(String properties, String named) {
        runner.withPropertyValues(properties.split(",")).run(context -> {
            assertThat(context).hasFailed();
            assertThat(FailureAnalyses.first(context.getStartupFailure()).getDescription())
                    .contains(named);
        });
    }

    @Test
    void withoutPropertiesThereIsNoWriterAndNoHealth() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(RecordWriter.class)
                .doesNotHaveBean(RecordMeters.class)
                .doesNotHaveBean("stowlineRecordsHealthContributor"));
    }

    @Test
    void withoutTheModuleTheClientsStart() {
        runner.withClassLoader(new FilteredClassLoader("io.stowline.records"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("stowline"));
    }

    @Test
    @DisplayName("docs/spring-records.md has each property")
    void page() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        String page = Files.readString((Files.exists(folder.resolve("CHANGELOG.md")) ? folder : folder.getParent())
                .resolve("docs/spring-records.md"));

        assertThat(RecordWriterProperties.class.getRecordComponents())
                .extracting(component ->
                        component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .filteredOn(property -> !page.contains("`" + property + "`") && !page.contains("`" + property + "."))
                .isEmpty();
    }
}
