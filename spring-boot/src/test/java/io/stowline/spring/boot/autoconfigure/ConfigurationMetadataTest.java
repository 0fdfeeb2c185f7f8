package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.advisor.AdvisorSettings;
import io.stowline.journal.JournalSettings;
import io.stowline.records.AppendSettings;
import io.stowline.records.RecordWriterSettings;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.table.WriterSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metadata that the processor of Spring Boot writes for editors, and the page of properties that is made from it.
 */
class ConfigurationMetadataTest {

    private static final String UPDATE = "properties.update";

    private record Property(String name, String type, String description, String defaultValue) {}

    private static List<Property> properties() throws IOException {
        try (InputStream metadata =
                AccountProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(metadata).as("the metadata of the annotation processor").isNotNull();
            JsonNode root = JsonMapper.shared().readTree(metadata);
            return root.get("properties")
                    .valueStream()
                    .map(node -> new Property(
                            node.path("name").asString(),
                            node.path("type").asString(),
                            node.path("description").asString(""),
                            node.path("defaultValue").asString("")))
                    .sorted(Comparator.comparing(Property::name))
                    .toList();
        }
    }

    @Test
    void eachPropertyIsDescribedInTheStyleOfSpringBoot() throws IOException {
        assertThat(properties()).hasSizeGreaterThan(40).allSatisfy(property -> {
            assertThat(property.name())
                    .matches(
                            "stowline\\..+|management\\.(health|info|endpoint)\\.stowline(-listeners|-records|-relays|-ring|advisor)?\\..+");
            assertThat(property.description())
                    .as(property.name())
                    .isNotBlank()
                    .endsWith(".")
                    .doesNotStartWith("The ")
                    .doesNotStartWith("A ");
        });
    }

    @Test
    @DisplayName("the documented defaults are those of the library")
    void defaults() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        properties().forEach(property -> documented.put(property.name(), property.defaultValue()));
        RetrySettings retry = RetrySettings.builder().build();
        ParallelismSettings parallelism = ParallelismSettings.adaptive();
        QuotaSettings quota = QuotaSettings.defaults();
        WriterSettings writer = WriterSettings.defaults();
        JournalSettings journal = JournalSettings.builder().build();
        AdvisorSettings advisor = AdvisorSettings.builder().build();

        RecordWriterSettings records = RecordWriterSettings.defaults();

        assertThat(duration(documented.get("stowline.advisor.window"))).isEqualTo(advisor.window());
        assertThat(duration(documented.get("stowline.logging.every"))).isEqualTo(records.every());
        assertThat(duration(documented.get("stowline.logging.linger")))
                .isEqualTo(AppendSettings.defaults().linger());
        assertThat(DataSize.parse(documented.get("stowline.logging.up-to")).toBytes())
                .isEqualTo(records.upTo());
        assertThat(DataSize.parse(documented.get("stowline.logging.buffer-size"))
                        .toBytes())
                .isEqualTo(records.bufferBytes());
        assertThat(documented)
                .containsEntry("stowline.advisor.min-samples", String.valueOf(advisor.minSamples()))
                .containsEntry("stowline.advisor.show-keys", String.valueOf(advisor.showKeys()));
        assertThat(Map.<String, Object>of(
                        "retry.retries", retry.retries(),
                        "parallelism.start", parallelism.start(),
                        "parallelism.min", parallelism.min(),
                        "parallelism.max", parallelism.max(),
                        "quota.transient-cost", quota.transientCost(),
                        "quota.throttled-cost", quota.throttledCost(),
                        "quota.refill-per-second", quota.refillPerSecond(),
                        "writer.buffer-items", writer.bufferItems(),
                        "writer.warn-at-exit", writer.warnAtExit(),
                        "journal.fsync", journal.fsync()))
                .allSatisfy((name, value) ->
                        assertThat(documented.get("stowline." + name)).as(name).isEqualTo(String.valueOf(value)));
        assertThat(Map.of(
                        "retry.deadline", retry.deadline(),
                        "retry.server-timeout", retry.serverTimeout(),
                        "retry.attempt-timeout", retry.attemptTimeout(),
                        "parallelism.window", parallelism.window(),
                        "writer.linger", writer.linger(),
                        "writer.submit-timeout", writer.submitTimeout(),
                        "writer.delivery-timeout", writer.deliveryTimeout(),
                        "writer.give-up-after", writer.giveUpAfter(),
                        "writer.close-timeout", writer.closeTimeout()))
                .allSatisfy((name, value) -> assertThat(duration(documented.get("stowline." + name)))
                        .as(name)
                        .isEqualTo(value));
        assertThat(Map.of("writer.buffer-size", writer.bufferBytes(), "journal.max-size", journal.maxBytes()))
                .allSatisfy((name, value) -> assertThat(DataSize.parse(documented.get("stowline." + name))
                                .toBytes())
                        .as(name)
                        .isEqualTo(value));
    }

    private static Duration duration(String text) {
        return DurationStyle.detectAndParse(text);
    }

    @Test
    @DisplayName("docs/spring-boot-properties.md is made from the metadata; -Dproperties.update=true writes it")
    void page() throws IOException {
        Path page = root().resolve("docs/spring-boot-properties.md");
        String expected =
                """
                    # Spring Boot properties

                    Every property of the [Spring Boot starter](spring-boot.md). All properties of an account also stand below `stowline.accounts.<name>`.
                    An empty default means that nothing is set. Limits are those of the [configuration reference](configuration.md). `ConfigurationMetadataTest` writes this page.

                    | property | type | default | description |
                    |---|---|---|---|
                    """ + properties().stream().map(ConfigurationMetadataTest::row).collect(Collectors.joining());
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(page, expected);
        }

        assertThat(Files.readString(page))
                .as("run this test with -D" + UPDATE + "=true after a change that is meant")
                .isEqualTo(expected);
    }

    private static String row(Property property) {
        String type = property.type().replaceAll("(\\w+\\.)+", "");
        return "| `" + property.name() + "` | `" + type + "` | "
                + (property.defaultValue().isEmpty() ? "" : "`" + property.defaultValue() + "`") + " | "
                + property.description() + " |\n";
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CHANGELOG.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
