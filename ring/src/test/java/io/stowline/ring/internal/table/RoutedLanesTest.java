package io.stowline.ring.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.ring.RingBench;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.ring.internal.place.AccountServices;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import io.stowline.ring.internal.place.RoutedQuery;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.BufferFullException;
import io.stowline.table.Entity;
import io.stowline.table.FlushReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RoutedLanesTest {

    private final FakeRoutes routes = new FakeRoutes();
    private final RoutedLanes<Entity> lanes = lanes(w -> w);

    private RoutedLanes<Entity> lanes(UnaryOperator<WriterSettings.Builder> settings) {
        return new RoutedLanes<>(
                routes, settings.apply(WriterSettings.builder()).build());
    }

    /** Routes that note transactions, and refuse rows called {@code bad} and transactions of more than some operations. */
    private static final class FakeRoutes implements PartitionRoutes<Entity> {

        final List<List<String>> transactions = Collections.synchronizedList(new ArrayList<>());
        final ConcurrentHashMap<String, AtomicInteger> running = new ConcurrentHashMap<>();
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile int max = RingTable.MAX_OPERATIONS;

        @Override
        public Optional<RingMember> settled(String partitionKey) {
            return Optional.empty();
        }

        @Override
        public List<WriteResult> write(String partitionKey, List<TableOperation<Entity, ?>> operations) {
            List<String> rows = operations.stream()
                    .map(operation -> ValueKeys.of(operation).rowKey())
                    .toList();
            AtomicInteger here = running.computeIfAbsent(partitionKey, key -> new AtomicInteger());
            assertThat(here.incrementAndGet())
                    .as("transactions of a partition at a time")
                    .isEqualTo(1);
            try {
                gate.await();
                transactions.add(rows);
                if (rows.size() > max) {
                    throw new IllegalArgumentException("more than 4 MiB");
                }
                int bad = rows.indexOf("bad");
                if (bad >= 0) {
                    ConflictException conflict = new ConflictException(facts(), null);
                    throw rows.size() == 1 ? conflict : new TransactionFailedException(bad, conflict);
                }
                return rows.stream()
                        .map(row -> WriteResult.confirmed(row, false))
                        .toList();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                here.decrementAndGet();
            }
        }

        private static FailureDetails facts() {
            return new FailureDetails(
                    "insert", "t", 409, null, "there", 1, 0, Duration.ZERO, null, "id", null, "not retryable");
        }

        @Override
        public <R> R read(String partitionKey, Function<? super Table<Entity>, R> read) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<StoredEntity<Entity>> modify(String partitionKey, String rowKey, UnaryOperator<Entity> change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> Stream<R> query(RoutedQuery<Entity, R> query) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long count(RoutedQuery<Entity, ?> query) {
            throw new UnsupportedOperationException();
        }
    }

    private static TableOperation<Entity, Void> insert(String partitionKey, String rowKey) {
        return TableOperation.insert(Entity.builder(partitionKey, rowKey).build());
    }

    private List<Submission<WriteResult>> submit(String partitionKey, int rows) {
        return IntStream.range(0, rows)
                .mapToObj(i -> lanes.submit(partitionKey, insert(partitionKey, "r" + i)))
                .toList();
    }

    @Test
    @DisplayName("RING-4: one transaction of a partition at a time, in order, of at most 99 different entities")
    void fillsTransactions() throws InterruptedException {
        routes.gate = new CountDownLatch(1);
        List<Submission<WriteResult>> submitted = submit("p", 250);
        submitted.forEach(one -> assertThat(one.isDone()).isFalse());
        lanes.submit("p", insert("p", "r249"));
        routes.gate.countDown();

        assertThat(lanes.flush()).isEqualTo(new FlushReport(251, 0));
        for (int i = 0; i < 250; i++) {
            assertThat(submitted.get(i).await().etag()).isEqualTo("r" + i);
        }
        assertThat(routes.transactions).allSatisfy(rows -> assertThat(rows)
                .hasSizeLessThanOrEqualTo(RingTable.MAX_OPERATIONS)
                .doesNotHaveDuplicates());
        assertThat(routes.transactions.stream().flatMap(List::stream))
                .startsWith("r0", "r1", "r2")
                .endsWith("r248", "r249", "r249");
        assertThat(routes.transactions).hasSizeLessThanOrEqualTo(6);
        assertThat(lanes.stats().operations()).isEqualTo(251);
        assertThat(lanes.progress().buffered()).isZero();
        assertThat(lanes.flush()).isEqualTo(new FlushReport(0, 0));
        lanes.close();
    }

    @Test
    @DisplayName("RING-4: an operation that the service refuses fails alone")
    void aRefusedOperationFailsAlone() {
        routes.gate = new CountDownLatch(1);
        submit("p", 20);
        Submission<WriteResult> bad = lanes.submit("p", insert("p", "bad"));
        submit("q", 5);
        routes.gate.countDown();

        assertThat(lanes.flush()).isEqualTo(new FlushReport(25, 1));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(bad::await);
        lanes.close();
    }

    @Test
    void aTransactionThatIsTooLargeIsDivided() {
        routes.max = 7;
        submit("p", 60);

        assertThat(lanes.flush()).isEqualTo(new FlushReport(60, 0));
        lanes.close();
    }

    @Test
    @DisplayName("RING-4: failures whose results are not taken are thrown at the close")
    void reportsUntakenFailures() {
        lanes.submit("p", insert("p", "bad"));
        lanes.flush();
        assertThat(lanes.takeFailures())
                .map(UncollectedFailuresException::count)
                .contains(1L);
        assertThat(lanes.takeFailures()).isEmpty();
        lanes.submit("p", insert("p", "bad"));

        assertThatExceptionOfType(UncollectedFailuresException.class).isThrownBy(lanes::close);
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> lanes.submit("p", insert("p", "r")));
    }

    @Test
    @DisplayName("RING-4: the buffer is bounded, and its room comes back")
    void theBufferIsBounded() {
        RoutedLanes<Entity> small = lanes(w -> w.bufferItems(3).submitTimeout(Duration.ofMillis(5)));
        routes.gate = new CountDownLatch(1);
        List<Submission<WriteResult>> all = IntStream.range(0, 3)
                .mapToObj(i -> small.submit("p", insert("p", "r" + i)))
                .toList();
        assertThatExceptionOfType(BufferFullException.class).isThrownBy(() -> small.submit("p", insert("p", "r3")));
        routes.gate.countDown();
        small.flush();
        small.submit("p", insert("p", "r4"));

        small.close();
        assertThat(all).allMatch(Submission::isDone);
    }

    @Test
    @DisplayName("RING-4: what has no result at the close timeout fails")
    void theCloseHasAnEnd() {
        RoutedLanes<Entity> hanging = lanes(w -> w.closeTimeout(Duration.ofMillis(20)));
        routes.gate = new CountDownLatch(1);
        Submission<WriteResult> first = hanging.submit("p", insert("p", "r"));
        Submission<WriteResult> second = hanging.submit("p", insert("p", "r"));

        assertThatExceptionOfType(UncollectedFailuresException.class)
                .isThrownBy(hanging::close)
                .satisfies(failures -> assertThat(failures.count()).isEqualTo(2));
        assertThatExceptionOfType(ClosedException.class).isThrownBy(first::await);
        assertThatExceptionOfType(ClosedException.class).isThrownBy(second::await);
        routes.gate.countDown();
    }

    @Test
    @DisplayName("RING-4: a writer flushes, counts and closes its lanes like its accounts")
    void theWriterHasTheLanes() {
        try (RingBench bench = new RingBench(1)) {
            RingMembers members = new RingMembers(List.of(
                    new RingMember(bench.ring().accounts().get(0), bench.ring().client("a0"), new AccountServices())));
            RoutedTable<Entity> table =
                    new RoutedTable<>("rows", Entity.class, members, StowlineRing.DEFAULT_REGION, key -> key);
            DefaultRingWriter<Entity> writer = new DefaultRingWriter<>(table, routes, w -> w);
            for (int i = 0; i < 200; i++) {
                writer.insert(Entity.builder("p" + i % 3, "r" + i).build());
            }

            assertThat(writer.flush()).isEqualTo(new FlushReport(200, 0));
            assertThat(writer.progress().succeeded()).isEqualTo(200);
            assertThat(writer.stats().operations()).isEqualTo(200);
            writer.insert(Entity.builder("p", "bad").build());
            assertThatExceptionOfType(UncollectedFailuresException.class).isThrownBy(writer::close);
            writer.close();
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> writer.insert(Entity.builder("p", "r").build()));
        }
    }

    @Test
    void anOperationThatWasNotSentCanBeGivenUp() throws InterruptedException {
        routes.gate = new CountDownLatch(1);
        lanes.submit("p", insert("p", "r"));
        Submission<WriteResult> second = lanes.submit("p", insert("p", "r"));
        CountDownLatch seen = new CountDownLatch(1);
        second.whenComplete((result, error) -> {
            assertThat(error).isInstanceOf(CancellationException.class);
            seen.countDown();
        });

        assertThat(second.cancel()).isTrue();
        assertThat(second.cancel()).isFalse();
        assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
        routes.gate.countDown();
        assertThat(lanes.flush()).isEqualTo(new FlushReport(1, 0));
        assertThat(lanes.progress().accepted()).isEqualTo(1);
        assertThat(routes.transactions).hasSize(1);
        lanes.close();
    }

    @Test
    void resultsComeInEachForm() {
        Submission<WriteResult> one = lanes.submit("p", insert("p", "r"));

        assertThat(one.result().block()).isEqualTo(one.toFuture().join());
        lanes.close();
    }

    @Test
    void listensToFailures() throws InterruptedException {
        CountDownLatch heard = new CountDownLatch(1);
        RoutedLanes<Entity> listened = lanes(w -> w.onFailure(failure -> heard.countDown()));
        listened.submit("p", insert("p", "bad")).whenComplete((result, error) -> {});

        assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
        listened.close();
    }
}
