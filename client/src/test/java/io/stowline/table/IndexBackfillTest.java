package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpClient;
import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Imports whose references are written after their entities. */
@Timeout(120)
class IndexBackfillTest {

    record Runner(@PartitionKey String race, @RowKey String id, int age, String mail) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> MAIL =
            Index.text("MAIL", Runner::mail).global(8);

    private final MemoryStorage memory = MemoryStorage.create();
    private final AtomicInteger requests = new AtomicInteger();

    private Stowline client(HttpClient http) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(http)
                .closeTimeout(Duration.ofMillis(100))
                .build();
    }

    private Stowline client() {
        return client(request -> {
            requests.incrementAndGet();
            return memory.httpClient().send(request);
        });
    }

    private static IndexedTable<Runner> runners(Stowline storage, List<Index<Runner, ?>> indexes) {
        return storage.table("runners", Runner.class).indexed(indexes);
    }

    private static List<Runner> all(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Runner("race" + i * 5 / count, "%05d".formatted(i), 20 + i % 60, i + "@x"))
                .toList();
    }

    private static void written(IndexedTable<Runner> runners, List<Runner> all) {
        try (TableWriter<Runner> writer = runners.entityWriter(w -> w.linger(Duration.ofMillis(50)))) {
            all.forEach(writer::insertOrReplace);
        }
    }

    @Test
    @DisplayName("E14: an import with a unique value for each row costs requests by the hundred")
    void requests() {
        int count = 5_000;
        try (Stowline storage = client()) {
            IndexedTable<Runner> runners = runners(storage, List.of(MAIL));
            runners.table().create();
            written(runners, all(count));
            IndexReport report = runners.backfill((partition, soFar) -> {});

            assertThat(report).isEqualTo(new IndexReport(count, count, 0, 0, 0));
            assertThat(requests.get()).isLessThan(count / 20);
            assertThat(runners.global(MAIL, "4711@x"))
                    .extracting(each -> each.value().id())
                    .containsExactly("04711");
            assertThat(runners.page(IndexLookup.global(MAIL, "0@x")).values()).hasSize(1);
            assertThat(runners.repair().clean()).isTrue();
        }
    }

    @Test
    @DisplayName("T11: an import refuses an entity that stands where references do")
    void wrongPlace() {
        try (Stowline storage = client();
                TableWriter<Runner> writer = runners(storage, List.of(MAIL)).entityWriter(w -> w)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.insert(new Runner("MAIL:3", "1", 20, "a@x")))
                    .withMessageContaining("MAIL:");
        }
    }

    @Test
    @DisplayName("E14: between the phases lookups find the copies, and no references")
    void betweenThePhases() {
        try (Stowline storage = client()) {
            IndexedTable<Runner> runners = runners(storage, List.of(AGE, MAIL));
            runners.table().create();
            written(runners, all(10));

            assertThat(runners.stream(AGE, "race0", 20)).hasSize(1);
            assertThat(runners.global(MAIL, "0@x")).isEmpty();
            Runner other = new Runner("race9", "1", 33, "0@x");
            runners.insert(other);
            assertThat(runners.backfill((partition, soFar) -> {})).isEqualTo(new IndexReport(11, 11, 0, 0, 0));
            assertThat(runners.global(MAIL, "0@x"))
                    .extracting(StoredEntity::value)
                    .contains(other)
                    .hasSize(2);
        }
    }

    @Test
    @DisplayName(
            "E14: a backfill that ends at any of its requests goes on from its progress, and ends as one that did not")
    void endsAnywhere() throws InterruptedException {
        List<Runner> all = all(60);
        int last = 0;
        boolean ended = true;
        while (ended) {
            last++;
            memory.clear();
            try (Stowline storage = client()) {
                IndexedTable<Runner> runners = runners(storage, List.of(AGE, MAIL));
                runners.table().create();
                written(runners, all);
            }
            AtomicReference<String> progress = new AtomicReference<>("");
            ended = dies(last, progress);
            try (Stowline storage = client()) {
                IndexedTable<Runner> runners = runners(storage, List.of(AGE, MAIL));
                IndexReport report = progress.get().isEmpty()
                        ? runners.backfill((partition, soFar) -> {})
                        : runners.backfillFrom(progress.get(), (partition, soFar) -> {});
                assertThat(report.unresolved() + report.removed() + report.rewritten())
                        .isZero();
                assertThat(runners.repair()).as("ended at request %d", last).isEqualTo(new IndexReport(60, 0, 0, 0, 0));
                assertThat(all).allSatisfy(each -> assertThat(runners.global(MAIL, each.mail()))
                        .extracting(StoredEntity::value)
                        .containsExactly(each));
            }
        }
        assertThat(last).isGreaterThan(8);
    }

    /** Runs a backfill whose requests get no response from one on; returns whether it has had that one. */
    private boolean dies(int last, AtomicReference<String> progress) throws InterruptedException {
        AtomicInteger sent = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        try (Stowline process = client(request -> {
            int number = sent.incrementAndGet();
            if (number < last) {
                return memory.httpClient().send(request);
            }
            // Every other process is killed after its last request was carried out.
            return (last % 2 == 0 ? memory.httpClient().send(request).then() : Mono.<Void>empty())
                    .then(Mono.never())
                    .doOnSubscribe(never -> end.countDown())
                    .cast(com.azure.core.http.HttpResponse.class);
        })) {
            Disposable backfill = runners(process, List.of(AGE, MAIL))
                    .reactive()
                    .backfill((partition, soFar) -> progress.set(partition))
                    .subscribe(done -> end.countDown(), failed -> end.countDown());
            assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
            backfill.dispose();
        }
        return sent.get() >= last;
    }

    @Test
    @DisplayName("E14: other partitions of references are another version, whose older rows a repair removes")
    void otherLayout() {
        try (Stowline storage = client()) {
            Index<Runner, String> before = Index.text("MAIL", Runner::mail).global();
            runners(storage, List.of(before)).table().create();
            all(20).forEach(runners(storage, List.of(before))::insert);
            IndexedTable<Runner> after = runners(storage, List.of(MAIL.version(2)));

            assertThat(after.global(MAIL.version(2), "3@x")).isEmpty();
            IndexReport report = after.backfill((partition, soFar) -> {});

            assertThat(report.added()).isEqualTo(20);
            assertThat(report.unresolved()).isZero();
            assertThat(after.global(MAIL.version(2), "3@x")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_001})
    @DisplayName("T17: a number of partitions out of range is refused with its limit")
    void numbers(int partitions) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MAIL.global(partitions))
                .withMessageContaining("1000")
                .withMessageContaining(String.valueOf(partitions));
        assertThat(MAIL.global(7).partitions()).hasValue(7);
        assertThat(MAIL.global().partitions()).isEmpty();
    }
}
