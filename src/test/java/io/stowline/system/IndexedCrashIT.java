package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientProvider;
import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.Backoff;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that writes entities with index rows, and ends at any of its requests. */
class IndexedCrashIT extends StorageTest {

    private static final HttpClient NETTY = new NettyAsyncHttpClientProvider().createInstance();

    private static final Registration BEFORE = new Registration("race", "ann", 7, 31, "old@x");
    private static final Registration AFTER = new Registration("race", "ann", 8, 32, "new@x");
    private static final Registration OTHER = new Registration("race", "bob", 12, 31, "old@x");

    /** The requests that no write exceeds. */
    private static final int MAX_REQUESTS = 7;

    /** The writes, each with whether there is an entity before. */
    private enum Act {
        INSERT(false, runners -> runners.insert(AFTER)),
        PUT_NEW(false, runners -> runners.insertOrReplace(AFTER)),
        PUT(true, runners -> runners.insertOrReplace(AFTER)),
        UPDATE(true, runners -> runners.replace(stored(runners).with(AFTER))),
        DELETE(true, runners -> runners.delete(stored(runners))),
        WRITER_INSERT(false, runners -> written(runners, writer -> writer.insert(AFTER))),
        WRITER_PUT(true, runners -> written(runners, writer -> writer.insertOrReplace(AFTER))),
        WRITER_MERGE(true, runners -> written(runners, writer -> writer.insertOrMerge(AFTER))),
        WRITER_DELETE(true, runners -> written(runners, writer -> writer.delete("race", "ann"))),
        TRANSACTION(
                true,
                runners -> runners.transaction("race").insertOrReplace(AFTER).commit());

        private final boolean present;

        @SuppressWarnings("ImmutableEnumChecker") // a function without state
        private final Consumer<IndexedTable<Registration>> work;

        Act(boolean present, Consumer<IndexedTable<Registration>> work) {
            this.present = present;
            this.work = work;
        }

        /** A writer whose operations have the time that single writes have. */
        private static void written(
                IndexedTable<Registration> runners, Function<TableWriter<Registration>, Submission<WriteResult>> work) {
            try (TableWriter<Registration> writer = runners.writer(
                    settings -> settings.deliveryTimeout(Duration.ofMillis(800)).closeTimeout(Duration.ofSeconds(5)))) {
                work.apply(writer).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static StoredEntity<Registration> stored(IndexedTable<Registration> runners) {
            return runners.find("race", "ann").orElseThrow();
        }
    }

    static Stream<Arguments> ends() {
        return Stream.of(Act.values())
                .flatMap(act -> Stream.of(true, false).map(carriedOut -> Arguments.of(act, carriedOut)));
    }

    @ParameterizedTest(name = "{0} that ends at each of its requests, carried out: {1}")
    @MethodSource("ends")
    @DisplayName("T11: wherever a writer ends, every entity is found by its indexes, no reader gets another, and repair"
            + " mends the rest")
    void anyEnd(Act act, boolean carriedOut) {
        int last = 1;
        while (endsAt(act, last, carriedOut)) {
            last++;
        }
        assertThat(last).as("the first request that %s does not have", act).isBetween(3, MAX_REQUESTS + 1);
    }

    /** Returns whether the writer has had so many requests. */
    private boolean endsAt(Act act, int last, boolean carriedOut) {
        String end = "%s that ends at request %d, carried out: %s".formatted(act, last, carriedOut);
        Table<Registration> table = freshTable(Registration.class);
        IndexedTable<Registration> runners = Registration.indexed(table);
        runners.insert(OTHER);
        if (act.present) {
            runners.insert(BEFORE);
        }

        boolean died = dies(act, table.name(), last, carriedOut);

        Optional<Registration> now = runners.find("race", "ann").map(StoredEntity::value);
        assertThat(now).as(end).isIn(act.present ? Optional.of(BEFORE) : Optional.empty(), after(act));
        foundAsItIs(end, runners, now);
        mends(end, table, now);
        return died;
    }

    private static Optional<Registration> after(Act act) {
        return act == Act.DELETE || act == Act.WRITER_DELETE ? Optional.empty() : Optional.of(AFTER);
    }

    /** A separate process, whose requests get no response from the last one on; returns whether it has had that one. */
    private boolean dies(Act act, String table, int last, boolean carriedOut) {
        proxy().awaitIdle(Duration.ofSeconds(20));
        FaultRule end =
                proxy().when(requests().from(carriedOut ? last + 1 : last)).reset();
        FaultRule lost = proxy().when(requests().nth(last)).loseResponse();
        if (!carriedOut) {
            lost.disable();
        }
        try (Stowline process = Stowline.builder()
                .connectionString(connectionString())
                // It does not live to look for what became of its last request.
                .retry(retry -> retry.backoff(Backoff.none())
                        .minAttempt(Duration.ofMillis(200))
                        .deadline(Duration.ofMillis(800)))
                .closeTimeout(Duration.ofSeconds(1))
                .build()) {
            act.work.accept(Registration.indexed(process.table(table, Registration.class)));
        } catch (StorageException | DeliveryTimeoutException e) {
            assertThat(last).as("%s", e).isLessThanOrEqualTo(MAX_REQUESTS);
        } finally {
            end.remove();
            lost.remove();
        }
        return (carriedOut ? lost : end).hits() > 0;
    }

    private static void foundAsItIs(String end, IndexedTable<Registration> runners, Optional<Registration> ann) {
        List<Registration> all = Stream.concat(ann.stream(), Stream.of(OTHER)).toList();
        for (Registration each : List.of(BEFORE, AFTER, OTHER)) {
            assertThat(runners.find(Registration.BIB, "race", each.bib()))
                    .as(end)
                    .isEqualTo(
                            all.stream().filter(one -> one.bib() == each.bib()).findFirst());
            assertThat(runners.stream(Registration.AGE, "race", each.age()))
                    .as(end)
                    .containsExactlyElementsOf(all.stream()
                            .filter(one -> one.age().equals(each.age()))
                            .toList());
            assertThat(runners.global(Registration.MAIL, each.mail()).map(StoredEntity::value))
                    .as(end)
                    .containsExactlyElementsOf(all.stream()
                            .filter(one -> one.mail().equals(each.mail()))
                            .toList());
        }
        assertThat(runners.query().list()).as(end).containsExactlyElementsOf(all);
    }

    /** The rest is one reference at the most, which goes when it is old enough; nothing else has to be repaired. */
    private void mends(String end, Table<Registration> table, Optional<Registration> ann) {
        SortedSet<String> wanted =
                Registration.rows(Stream.concat(ann.stream(), Stream.of(OTHER)).toList());
        assertThat(Registration.indexed(table).repair().clean()).as(end).isTrue();
        assertThat(IndexedIT.rows(storage, table.name())).as(end).containsAll(wanted);

        try (Stowline later = later(connectionString())) {
            IndexedTable<Registration> runners = Registration.indexed(later.table(table.name(), Registration.class));
            IndexReport report = runners.repair();
            assertThat(report.added() + report.rewritten() + report.unresolved())
                    .as(end)
                    .isZero();
            assertThat(IndexedIT.rows(storage, table.name())).as(end).containsExactlyElementsOf(wanted);
            assertThat(runners.repair().clean()).as(end).isTrue();
        }
    }

    /** A client of an hour later, when whatever wrote before is long over. */
    static Stowline later(String connectionString) {
        return Stowline.builder()
                .connectionString(connectionString)
                .httpClient(new LaterClient(NETTY, Duration.ofHours(1)))
                .build();
    }
}
