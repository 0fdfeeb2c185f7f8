package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptRecorder;
import io.stowline.observe.AttemptRecorder.SeenAttempt;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the attempts of every verb, as a listener sees them")
@Timeout(120)
class EveryAttemptTest {

    private static final Pattern VERB = Pattern.compile("`(\\w+)`");

    @TempDir
    private Path folder;

    /** Runs every verb over a storage in memory; what a verb throws does not matter here. */
    private List<SeenAttempt> all() {
        AttemptRecorder recorder = new AttemptRecorder();
        MemoryStorage memory = MemoryStorage.create();
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .retry(retry -> retry.retries(0))
                .listener(recorder)
                .build()) {
            List<Map<String, EveryVerb.Verb>> services = List.of(
                    EveryVerb.ofTables(storage), EveryVerb.ofQueues(storage), EveryVerb.ofBlobs(storage, folder));
            services.forEach(verbs -> verbs.values().forEach(EveryAttemptTest::call));
        }
        return recorder.seen();
    }

    private static void call(EveryVerb.Verb verb) {
        try {
            EveryVerb.run(verb);
        } catch (RuntimeException e) {
            assertThat(e).isNotNull();
        }
    }

    private static Map<String, TreeSet<String>> documented() throws IOException {
        Map<String, TreeSet<String>> verbs = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/attempts-and-verbs.md"))) {
            Predicate<String> begins = service -> line.startsWith("| " + service + "s |");
            for (String service : List.of("table", "queue", "blob")) {
                if (begins.test(service)) {
                    verbs.put(
                            service,
                            VERB.matcher(line)
                                    .results()
                                    .map(verb -> verb.group(1))
                                    .collect(Collectors.toCollection(TreeSet::new)));
                }
            }
        }
        return verbs;
    }

    @Test
    @DisplayName("each has its verb in the documents, and its container unless it is one on the account")
    void everyVerb() throws IOException {
        List<SeenAttempt> seen = all();
        Map<String, TreeSet<String>> verbs = new TreeMap<>();
        List<String> onTheAccount = new ArrayList<>();
        for (SeenAttempt attempt : seen) {
            verbs.computeIfAbsent(attempt.service(), service -> new TreeSet<>()).add(attempt.caller());
            verbs.get(attempt.service()).add(attempt.operation());
            if (attempt.container().isEmpty()) {
                onTheAccount.add(attempt.operation());
            }
            assertThat(attempt.status()).as("%s", attempt).isPositive();
            assertThat(attempt.entities()).as("%s", attempt).isPositive();
            assertThat(attempt.row() == null || attempt.partition() != null)
                    .as("%s", attempt)
                    .isTrue();
        }

        Map<String, TreeSet<String>> documented = documented();
        verbs.forEach((service, names) ->
                assertThat(documented.get(service)).as(service).containsAll(names));
        assertThat(new TreeSet<>(onTheAccount))
                .containsExactly(
                        "corsRules",
                        "listContainers",
                        "listQueues",
                        "listTables",
                        "serviceInfo",
                        "setCorsRules",
                        "setDefaultVersion",
                        "setHourMetrics",
                        "setLogging",
                        "setMinuteMetrics",
                        "setSoftDelete",
                        "setStaticWebsite");
    }
}
