package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.BadRequestException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.PagedTable.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ParallelQueryTest {

    private final PagedTable service = new PagedTable();

    private Query<Line> query() {
        return service.table().query();
    }

    private ReactiveQuery<Line> reactive() {
        return service.table().reactive().query();
    }

    private PagedTable partitions(int count, String... pages) {
        IntStream.range(0, count).forEach(i -> service.with("p" + i, pages));
        return service;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "p" + i).toList();
    }

    private static List<String> rows(List<Line> lines) {
        return lines.stream().map(line -> line.partition() + line.row()).toList();
    }

    private static <R> FutureTask<R> thread(java.util.concurrent.Callable<R> work) {
        FutureTask<R> task = new FutureTask<>(work);
        new Thread(task, "reader").start();
        return task;
    }

    @Test
    @DisplayName("T7: partitions are read beside each other, and results come in the order of the keys")
    void keepsTheOrderOfTheKeys() {
        service.with("a", "1 2", "3").with("b", "1").with("c", "1", "", "2").hold("c");
        List<String> seen = new ArrayList<>();
        reactive().partitions(List.of("c", "a", "b")).stream()
                .subscribe(line -> seen.add(line.partition() + line.row()));

        assertThat(service.requestedPartitions()).isEqualTo("c a a b");
        assertThat(seen).isEmpty();
        service.release("c");

        assertThat(seen).containsExactly("c1", "c2", "a1", "a2", "a3", "b1");
    }

    @Test
    void takesResultsAsTheyComeIfReportedTo() {
        service.with("a", "1 2").with("b", "1").hold("a");
        List<String> seen = new ArrayList<>();
        reactive().partitions(List.of("a", "b")).unordered().stream()
                .subscribe(line -> seen.add(line.partition() + line.row()));

        assertThat(seen).containsExactly("b1");
        service.release("a");
        assertThat(seen).containsExactly("b1", "a1", "a2");
    }

    @Test
    @DisplayName("MAP-5: both faces follow the continuations of each part, empty pages too")
    void followsContinuations() {
        service.with("a", "1", "", "2").with("b", "", "1").with("c");

        List<String> expected = List.of("a1", "a2", "b1");
        assertThat(rows(query().partitions(List.of("a", "b", "c")).list())).isEqualTo(expected);
        assertThat(rows(reactive().partitions(List.of("a", "b", "c")).list().block()))
                .isEqualTo(expected);
        assertThat(query().partitions(List.of("a", "b"))
                        .streamStored()
                        .map(StoredEntity::value)
                        .toList())
                .hasSize(3);
        assertThat(rows(query().partitions(List.of("c", "b")).first().stream().toList()))
                .containsExactly("b1");
    }

    @Test
    @DisplayName("T7: no more parts than the parallelism are read at a time")
    void readsSoManyAtATime() {
        partitions(10, "1", "2");
        names(10).forEach(service::hold);
        reactive().partitions(names(10)).parallelism(3).unordered().stream().subscribe();
        assertThat(service.requestedPartitions()).isEqualTo("p0 p1 p2");

        service.release("p1");
        assertThat(service.requestedPartitions()).isEqualTo("p0 p1 p2 p1 p3");
        reactive().partitions(List.of("p5", "p6", "p7", "p8", "p9")).stream().subscribe();
        assertThat(service.requestedPartitions()).endsWith(" p5 p6 p7 p8");
    }

    @Test
    @DisplayName("MAP-5: two pages of each part that is being read are held at the most, whatever waits for what")
    void holdsFewPages() {
        partitions(20, "1", "2", "3", "4", "5").hold("p0");
        StepVerifier.create(reactive().partitions(names(20)).parallelism(5).stream(), 0)
                .thenRequest(1)
                .then(() -> assertThat(service.requested()).hasSize(1 + 4 * 2))
                .thenCancel()
                .verify();
        service.release("p0");
        int before = service.requested().size();
        StepVerifier.create(reactive().partitions(names(20)).parallelism(5).unordered().stream(), 0)
                .thenRequest(1)
                .expectNextCount(1)
                .then(() -> assertThat(service.requested().size() - before).isLessThanOrEqualTo(5 * 2 + 3))
                .thenCancel()
                .verify();
    }

    @Test
    @DisplayName("MAP-5: the limit is over all parts, and what is under way is cancelled with the last result")
    void limitsAllTogether() {
        partitions(6, "1 2", "3").hold("p2").hold("p3");

        assertThat(rows(query().partitions(names(6)).limit(3).list())).containsExactly("p01", "p02", "p03");
        assertThat(service.cancelled()).isEqualTo(2);
        service.hold("p0");
        List<Line> seen = new ArrayList<>();
        reactive().partitions(names(6)).limit(3).stream().subscribe(seen::add);
        service.release("p0");
        assertThat(rows(seen)).containsExactly("p01", "p02", "p03");
        assertThat(service.cancelled()).isEqualTo(4);
        assertThat(query().partitions(names(2)).limit(100).list()).hasSize(6);
    }

    @Test
    @DisplayName("MAP-5: the last result that is wanted ends the requests though nobody closes the stream")
    void theLastResultEndsTheRequests() {
        partitions(3, "1 2").hold("p1").hold("p2");
        Iterator<Line> lines = query().partitions(names(3)).limit(2).stream().iterator();

        lines.next();
        assertThat(service.cancelled()).isZero();
        lines.next();
        assertThat(service.cancelled()).isEqualTo(2);
        assertThat(lines.hasNext()).isFalse();
    }

    @Test
    @DisplayName("MAP-5: cancel and close stop all parts, and nothing more is sent")
    void cancelStopsAll() {
        partitions(8, "1", "2").hold("p1").hold("p2");
        Disposable reading = reactive().partitions(names(8)).stream().subscribe();
        int sent = service.requested().size();
        reading.dispose();
        assertThat(service.cancelled()).isEqualTo(2);

        try (Stream<Line> lines = query().partitions(names(8)).stream()) {
            assertThat(lines.iterator().next().partition()).isEqualTo("p0");
        }
        assertThat(service.cancelled()).isEqualTo(4);
        assertThat(service.requested()).hasSizeLessThanOrEqualTo(2 * sent);
        service.release("p1");
        service.release("p2");
        assertThat(service.requested()).hasSizeLessThanOrEqualTo(2 * sent);
    }

    @Test
    @DisplayName("MAP-5: the first failure fails the query and stops all parts")
    void theFirstFailureStopsAll() {
        partitions(8, "1").hold("p0").hold("p2").breakAt("p1");

        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> query().partitions(names(8)).list());
        assertThat(service.cancelled()).isEqualTo(1);
        for (ReactiveQuery<Line> query : List.of(
                reactive().partitions(names(8)), reactive().partitions(names(8)).unordered())) {
            int before = service.cancelled();
            service.hold("p1");
            List<Throwable> failures = new ArrayList<>();
            query.list().subscribe(all -> {}, failures::add);
            assertThat(failures).isEmpty();
            service.release("p1");

            assertThat(failures).singleElement().isInstanceOf(BadRequestException.class);
            assertThat(service.cancelled() - before).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends the wait, restores the flag and cancels all parts")
    void anInterruptStopsAll() throws Exception {
        partitions(4, "1", "2");
        names(4).forEach(service::hold);
        CompletableFuture<Thread> reading = new CompletableFuture<>();
        FutureTask<Boolean> reader = thread(() -> {
            reading.complete(Thread.currentThread());
            try {
                query().partitions(names(4)).list();
                return false;
            } catch (StorageInterruptedException e) {
                return Thread.interrupted();
            }
        });

        Thread waiting = reading.get(30, TimeUnit.SECONDS);
        while (service.requested().size() < 4 || waiting.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(100_000);
        }
        waiting.interrupt();
        assertThat(reader.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(service.requested()).hasSize(4);
        assertThat(service.cancelled()).isEqualTo(4);
        names(4).forEach(service::release);
        assertThat(service.requested()).hasSize(4);
    }

    @Test
    @DisplayName("an event loop is refused before anything is sent")
    void refusesAnEventLoop() {
        partitions(2, "1");
        Mono<List<Line>> blocking =
                Mono.fromCallable(() -> query().partitions(names(2)).list()).subscribeOn(Schedulers.parallel());

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> blocking.toFuture().get(30, TimeUnit.SECONDS))
                .withMessageContaining("must not block");
        assertThat(service.requested()).isEmpty();
    }

    @Test
    @DisplayName("T7: each part is sent with all conditions and its own")
    void sendsEachPartAsAQueryOfItsOwn() {
        Filter filter = Filter.property("age").atLeast(40);
        query().where(filter).partitions(List.of("a", "b")).list();
        query().partitionPrefixes(KeyFormat.hashed(2).text("x").prefixes())
                .where(filter)
                .list();
        query().splitAt("g", "t").list();

        assertThat(service.requested())
                .containsExactly(
                        "age ge 40 and PartitionKey eq 'a'#0",
                        "age ge 40 and PartitionKey eq 'b'#0",
                        "age ge 40 and PartitionKey ge '000!' and PartitionKey lt '000\"'#0",
                        "age ge 40 and PartitionKey ge '001!' and PartitionKey lt '001\"'#0",
                        "PartitionKey lt 'g'#0",
                        "PartitionKey ge 'g' and PartitionKey lt 't'#0",
                        "PartitionKey ge 't'#0");
    }

    @Test
    @DisplayName("T7: a split query finds what the undivided one finds, in its order")
    void splitsWithoutLossOrRepetition() {
        Stream.of("", "a", "g", "ga", "s", "t", "z").forEach(key -> service.with(key, "1", "2"));

        assertThat(query().splitAt("g", "t").list()).isEqualTo(query().list()).hasSize(14);
        assertThat(query().splitAt("g").unordered().list()).hasSize(14);
    }

    @Test
    @DisplayName("MAP-3: keys that would give results twice, or none, are refused before anything is sent")
    void refusesKeysThatOverlap() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitions(List.of("a", "b", "a")))
                .withMessageContaining("key 3 of 3 is there twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitions(List.of()))
                .withMessageContaining("at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitions(List.of("a", "b/c")))
                .withMessageContaining("key 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitionPrefixes(List.of("b", "ab", "aa", "a")))
                .withMessageContaining("key 3 begins with key 4");
        assertThatIllegalArgumentException().isThrownBy(() -> query().partitionPrefixes(List.of("a", "a")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitionPrefixes(List.of("")))
                .withMessageContaining("empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().splitAt("b", "a"))
                .withMessageContaining("key 2 of 2 comes before key 1");
        assertThatIllegalArgumentException().isThrownBy(() -> query().splitAt("b", "b"));
        assertThatIllegalArgumentException().isThrownBy(() -> query().splitAt());
        assertThat(service.requested()).isEmpty();
    }

    @Test
    void refusesStepsThatDoNotFit() {
        Query<Line> divided = query().partitions(List.of("a"));

        assertThatIllegalStateException()
                .isThrownBy(() -> query().parallelism(2))
                .withMessageContaining("not divided");
        assertThatIllegalStateException().isThrownBy(() -> query().unordered()).withMessageContaining("not divided");
        assertThatIllegalStateException().isThrownBy(() -> divided.splitAt("b")).withMessageContaining("already");
        for (int wrong : new int[] {0, 65}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> divided.parallelism(wrong))
                    .withMessageContaining("1 to 64")
                    .withMessageContaining(String.valueOf(wrong));
        }
        assertThat(divided.parallelism(64).parallelism(1).list()).isEmpty();
    }

    @Test
    @DisplayName("MAP-3: the comparisons of a part count toward the fifteen, whichever comes first")
    void countsTheComparisonsOfAPart() {
        Filter fourteen = Filter.property("a").in(IntStream.range(0, 14).boxed().toList());

        assertThat(query().where(fourteen).partitions(List.of("a")).list()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().where(fourteen).partitionPrefixes(List.of("a")))
                .withMessageContaining("16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().partitionPrefixes(List.of("a")).where(fourteen))
                .withMessageContaining("16");
    }

    @Test
    @DisplayName(
            "MAP-5: a deadline is one for all parts, on both faces, and the results that came before it are delivered")
    void deadlineOfAllParts() {
        service.with("a", "1").with("b", "1").hold("b");
        List<String> keys = List.of("a", "b");
        List<String> seen = new ArrayList<>();
        List<Throwable> ends = new ArrayList<>();
        reactive().partitions(keys).deadline(Duration.ofSeconds(5)).stream()
                .subscribe(line -> seen.add(line.partition() + line.row()), ends::add);
        Iterator<Line> lines = query().partitions(keys).deadline(Duration.ofSeconds(7)).stream()
                .iterator();
        assertThat(lines.next()).isEqualTo(new Line("a", "1"));
        service.pass(Duration.ofSeconds(7));

        assertThat(seen).containsExactly("a1");
        assertThat(ends).singleElement().isInstanceOf(DeadlineExceededException.class);
        assertThat(ends.get(0)).hasMessageContaining("query lines: 1 page had come");
        assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(lines::hasNext);
        assertThat(service.cancelled()).isEqualTo(2);
    }

    @Test
    void refusesADeadlineThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query().deadline(Duration.ZERO))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> reactive().deadline(Duration.ofNanos(-1)));
    }

    @Test
    void aVeryLongDeadlineIsNone() {
        service.with("a", "1 2", "3");

        assertThat(query().deadline(Duration.ofSeconds(Long.MAX_VALUE)).list()).hasSize(3);
    }
}
