package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.Stowline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages on observability and on attempts say what the code does. */
class ObservabilityDocTest {

    private static List<List<String>> rows(String header) throws IOException {
        return rows("observability.md", header);
    }

    private static List<List<String>> rows(String page, String header) throws IOException {
        return Files.readAllLines(Path.of("../docs").resolve(page)).stream()
                .dropWhile(line -> !line.startsWith(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Stream.of(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static List<String> row(StowlineMeters meter) {
        String unit = meter.getBaseUnit();
        String keys = Stream.of(meter.getKeyNames())
                .map(KeyName::asString)
                .filter(key -> !key.equals("account") && !key.equals("service"))
                .map(key -> "`" + key + "`")
                .collect(Collectors.joining(", "));
        return List.of(
                "`" + meter.getName() + "`",
                meter.getType().name().toLowerCase(Locale.ROOT),
                unit == null ? "" : unit,
                keys,
                meter.description());
    }

    @Test
    void tellsOfEveryMeter() throws IOException {
        assertThat(rows("| meter "))
                .containsExactlyElementsOf(Stream.of(StowlineMeters.values())
                        .map(ObservabilityDocTest::row)
                        .toList());
    }

    @Test
    void tellsOfEveryKey() throws IOException {
        List<List<String>> expected = Stream.concat(
                        Stream.of(StowlineObservation.OPERATION.getLowCardinalityKeyNames())
                                .map(key -> List.of("`" + key.asString() + "`", "yes")),
                        Stream.of(StowlineObservation.OPERATION.getHighCardinalityKeyNames())
                                .map(key -> List.of("`" + key.asString() + "`", "no")))
                .toList();

        assertThat(rows("| key ").stream().map(row -> row.subList(0, 2))).containsExactlyElementsOf(expected);
    }

    @Test
    void tellsOfEveryFactOfAnAttempt() throws IOException {
        Set<String> facts = rows("attempts-and-verbs.md", "| facts ").stream()
                .flatMap(row -> Stream.of(row.get(1).split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(facts)
                .containsExactlyElementsOf(Stream.of(AttemptEvent.class.getDeclaredMethods())
                        .map(method -> "`" + method.getName() + "`")
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void tellsOfEveryReason() throws IOException {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Stowline storage = Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct")
                .listener(MicrometerListener.of(ObservationRegistry.NOOP, meters))
                .build()) {
            assertThat(storage.table("notes").name()).isEqualTo("notes");
            Set<String> reasons = meters.get(StowlineMeters.ATTEMPTS.getName()).counters().stream()
                    .map(counter -> "`" + counter.getId().getTag("reason") + "`")
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(reasons).isNotEmpty();
            assertThat(Files.readAllLines(Path.of("../docs/observability.md")))
                    .filteredOn(line -> line.startsWith("`reason` is"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains(reasons));
        }
    }
}
