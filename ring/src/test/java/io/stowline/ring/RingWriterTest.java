package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.ClosedException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.FlushReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.UncollectedFailuresException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RingWriterTest {

    private static final int ROWS = 500;

    private final RingBench bench = new RingBench(3);
    private final RingTable<Entity> table = bench.ring().table("rows", Entity.class);

    @BeforeEach
    void create() {
        table.createIfMissing();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static Entity entity(int i) {
        return Entity.builder("p" + i % 40, "r" + i).set("n", i).build();
    }

    @Test
    @DisplayName("RING-4: a flush is a barrier over all accounts")
    void flushesAllAccounts() throws InterruptedException {
        try (RingWriter<Entity> writer = table.writer()) {
            List<Submission<WriteResult>> submitted = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                submitted.add(writer.insert(entity(i)));
            }

            assertThat(writer.flush()).isEqualTo(new FlushReport(ROWS, 0));
            assertThat(submitted).allMatch(Submission::isDone);
            assertThat(writer.progress().accepted()).isEqualTo(ROWS);
            assertThat(writer.progress().succeeded()).isEqualTo(ROWS);
            assertThat(writer.progress().buffered()).isZero();
            assertThat(writer.stats().operations()).isEqualTo(ROWS);
            assertThat(table.query().count()).isEqualTo(ROWS);
            for (int account = 0; account < 3; account++) {
                assertThat(bench.requests("a" + account, "POST")).isPositive();
            }

            writer.insertOrMerge(entity(0));
            writer.insertOrReplace(entity(1));
            writer.replace(StoredEntity.anyVersion(entity(2)));
            writer.merge(StoredEntity.anyVersion(entity(3)));
            writer.delete(entity(4));
            writer.delete(StoredEntity.anyVersion(entity(5)));
            Submission<WriteResult> last = writer.delete("p6", "r6");
            assertThat(last.await().etag()).isEmpty();
        }
        assertThat(table.query().count()).isEqualTo(ROWS - 3);
    }

    @Test
    @DisplayName("RING-4: closing sends what is buffered in all accounts, and refuses what comes later")
    void closesAllAccounts() {
        RingWriter<Entity> writer = table.writer();
        for (int i = 0; i < ROWS; i++) {
            writer.insert(entity(i));
        }
        writer.close();
        writer.close();

        assertThat(table.query().count()).isEqualTo(ROWS);
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> writer.insert(entity(ROWS)));
    }

    @Test
    @DisplayName("RING-2: the failures of an account name it, and the others go on")
    void failuresNameTheirAccounts() {
        RingWriter<Entity> writer = table.writer();
        for (int i = 0; i < ROWS; i++) {
            writer.insert(entity(i));
        }
        writer.flush();
        String one = table.accountOf("p1");
        String other = table.accountOf(otherThan(one));
        writer.insert(entity(1));
        writer.insert(entity(Integer.parseInt(otherThan(one).substring(1))));
        assertThat(writer.flush()).isEqualTo(new FlushReport(0, 2));

        assertThat(writer.takeFailures())
                .hasSize(2)
                .extracting(
                        failures -> FailedAccountException.accountOf(failures).orElseThrow())
                .containsExactlyInAnyOrder(one, other);
        assertThat(writer.takeFailures()).isEmpty();
        writer.insert(entity(1));
        Throwable failure = catchThrowable(writer::close);
        assertThat(failure).isInstanceOf(UncollectedFailuresException.class);
        assertThat(FailedAccountException.accountOf(failure)).contains(one);
    }

    @Test
    @DisplayName("RING-4: a close in a callback does not wait")
    void closesInACallback() throws InterruptedException {
        RingWriter<Entity> writer = table.writer();
        CountDownLatch closed = new CountDownLatch(1);
        writer.insert(entity(1)).whenComplete((result, error) -> {
            writer.flush();
            writer.close();
            closed.countDown();
        });

        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        writer.close();
        assertThat(table.query().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("RING-2: a writer that cannot open in one account leaves none open in the others")
    void opensInAllAccountsOrNone() {
        bench.ring().client("a2").close();

        assertThatExceptionOfType(ClosedException.class).isThrownBy(table::writer);
        assertThat(bench.ring().stats().total().bufferedItems()).isZero();
    }

    private String otherThan(String account) {
        for (int i = 0; i < 40; i++) {
            if (!table.accountOf("p" + i).equals(account)) {
                return "p" + i;
            }
        }
        throw new AssertionError("all partitions are in one account");
    }
}
