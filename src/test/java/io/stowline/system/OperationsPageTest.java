package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.CircuitBreakers;
import io.stowline.Stowline;
import io.stowline.observe.MicrometerListener;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordMetrics;
import io.stowline.records.RecordWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/operations.md names each meter of the library, and no other")
class OperationsPageTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:stowline|cache)\\.[a-z.]+)` \\|");
    private static final Pattern SERIES = Pattern.compile("\\b(?:stowline|cache)_[a-z_]+\\b");
    private static final Pattern BUILDER =
            Pattern.compile("(?:Counter|Gauge|Timer|Summary)\\.builder\\(\\s*\"([a-z.]+)\"");

    private static final Pattern SOURCES = Pattern.compile(
            ".*/(?:caching|client|records|logback|journal|ring|advisor|retry|batching|projection|spring-boot)/src/main/java/.*\\.java");

    /** The endings that Prometheus adds to the names of timers. */
    private static final Pattern OF_TIMERS = Pattern.compile("_(?:bucket|count|sum|max|active_count)$");

    @Test
    @DisplayName(
            "rows are the meters of a client with all of its parts, of a record writer, and of the builders in the sources")
    void rows() throws IOException {
        TreeSet<String> expected = new TreeSet<>(built());
        registered().forEach(meter -> expected.add(meter.getName()));

        assertThat(ROW.matcher(page()).results().map(row -> row.group(1)))
                .as("rows of docs/operations.md")
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    @DisplayName("series in the expressions have the names that Prometheus gives these meters")
    void series() throws IOException {
        TreeSet<String> names =
                registered().stream().map(OperationsPageTest::series).collect(Collectors.toCollection(TreeSet::new));
        built().forEach(name -> names.add(name.replace('.', '_')));
        built().forEach(name -> names.add(name.replace('.', '_') + "_total"));

        assertThat(SERIES.matcher(page())
                        .results()
                        .map(found -> OF_TIMERS.matcher(found.group()).replaceAll("")))
                .isNotEmpty()
                .isSubsetOf(names);
    }

    private static String series(Meter.Id id) {
        String name = id.getName().replace('.', '_');
        String unit =
                switch (id.getType()) {
                    case TIMER, LONG_TASK_TIMER -> "seconds";
                    default -> id.getBaseUnit();
                };
        String measured = unit == null || name.endsWith("_" + unit) ? name : name + "_" + unit;
        return id.getType() == Meter.Type.COUNTER ? measured + "_total" : measured;
    }

    /** Returns the names that builders of meters in the sources have as literals: those of the cache, of logs and of advice. */
    private static TreeSet<String> built() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.find(Project.root(), 20, (file, facts) -> SOURCES.matcher(
                        file.toString().replace('\\', '/'))
                .matches())) {
            files.map(OperationsPageTest::text)
                    .flatMap(source -> BUILDER.matcher(source).results())
                    .map(builder -> builder.group(1))
                    .filter(name -> name.startsWith("stowline."))
                    .forEach(names::add);
        }
        return names;
    }

    /** Returns the meters that a client with a cache and a circuit breaker registers, and those of a record writer. */
    private static List<Meter.Id> registered() {
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        MemoryStorage memory = MemoryStorage.create();
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .listener(MicrometerListener.of(observations, meters))
                .cache(cache -> cache)
                .circuitBreakers(CircuitBreakers.of(CircuitBreakerRegistry.ofDefaults()))
                .build()) {
            storage.table("rows").create();
            storage.queue("messages").create();
            storage.container("blobs").create();
            try (RecordWriter<String> writer =
                    RecordBlobs.in(storage.container("blobs"), "records/").writer(RecordFormat.json(String.class))) {
                RecordMetrics.of(writer, "records").bindTo(meters);
                return meters.getMeters().stream().map(Meter::getId).toList();
            }
        }
    }

    private static String page() {
        return text(Project.root().resolve("docs/operations.md"));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
