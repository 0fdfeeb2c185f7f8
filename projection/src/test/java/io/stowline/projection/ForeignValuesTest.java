package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.internal.scan.EntityReader;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Entities as clients of other languages leave them in a table, and readers of one type on many threads. */
class ForeignValuesTest {

    private enum Status {
        Active,
        Closed
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Account(
            @PartitionKey String tenant,
            @RowKey String id,
            @Timestamp Instant changed,
            @Property("Balance") double balance,
            @Property("Visits") long visits,
            @Property("Level") int level,
            @Property("Status") Status status,
            @Property("Opened") OffsetDateTime opened,
            @Property("Idle") Duration idle,
            @Property("Owner") Optional<UUID> owner,
            @Property("Photo") byte[] photo) {}

    private final EntityType<Account> accounts = EntityType.of(Account.class);
    private final EntityReader<Account> reader = accounts.newReader();

    @BeforeEach
    void fillWhatHasNoDefault() {
        reader.integer(accounts.indexOf("Balance"), 0);
        reader.integer(accounts.indexOf("Visits"), 0);
        reader.integer(accounts.indexOf("Level"), 0);
    }

    @Test
    @DisplayName("MAP-2: a whole double that lost its fraction in JSON is a double")
    void readsAWholeDouble() {
        reader.integer(accounts.indexOf("Balance"), 100);

        assertThat(reader.build().balance()).isEqualTo(100.0);
    }

    @Test
    @DisplayName("MAP-2: an Int64 is read from its text and from a bare number")
    void readsInt64InBothForms() {
        reader.text(accounts.indexOf("Visits"), "9007199254740993");
        assertThat(reader.build().visits()).isEqualTo(9_007_199_254_740_993L);

        fillWhatHasNoDefault();
        reader.integer(accounts.indexOf("Visits"), 9_007_199_254_740_993L);
        assertThat(reader.build().visits()).isEqualTo(9_007_199_254_740_993L);
    }

    @Test
    @DisplayName("MAP-2: an Int32 that was stored as Int64 or as a whole double is read exactly")
    void readsAnInt32OfAnotherType() {
        reader.text(accounts.indexOf("Level"), "7");
        assertThat(reader.build().level()).isEqualTo(7);

        fillWhatHasNoDefault();
        reader.floating(accounts.indexOf("Level"), 7.0);
        assertThat(reader.build().level()).isEqualTo(7);
    }

    @Test
    @DisplayName("MAP-2: enums are read by the name that .NET and Java clients write")
    void readsAnEnumName() {
        reader.text(accounts.indexOf("Status"), "Closed");

        assertThat(reader.build().status()).isSameAs(Status.Closed);
    }

    @Test
    @DisplayName("MAP-2: times are read with any number of digits, in any offset, without one")
    void readsTimes() {
        String[] forms = {
            "2024-02-29T12:30:00Z", "2024-02-29T12:30:00.0000000Z", "2024-02-29T14:30:00+02:00", "2024-02-29T12:30:00"
        };
        for (String form : forms) {
            fillWhatHasNoDefault();
            reader.text(accounts.indexOf("Opened"), form);

            assertThat(reader.build().opened()).as(form).isEqualTo(OffsetDateTime.parse("2024-02-29T12:30:00Z"));
        }
    }

    @Test
    @DisplayName("MAP-2: a TimeSpan is read in the text form of .NET")
    void readsATimeSpan() {
        reader.text(accounts.indexOf("Idle"), "1.02:03:04.5000000");

        assertThat(reader.build().idle()).isEqualTo(Duration.parse("P1DT2H3M4.5S"));
    }

    @Test
    @DisplayName("MAP-2: a UUID is read in upper case too, bytes from base64")
    void readsUuidAndBytes() {
        reader.text(accounts.indexOf("Owner"), "C9DA6455-213D-42C9-9A79-3E9149A57833");
        reader.text(accounts.indexOf("Photo"), "AAEC/w==");

        Account account = reader.build();

        assertThat(account.owner()).contains(UUID.fromString("c9da6455-213d-42c9-9a79-3e9149a57833"));
        assertThat(account.photo()).containsExactly(0, 1, 2, 255);
    }

    @Test
    void isUsedByManyThreadsAtOnce() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(1);
        try {
            var results = IntStream.range(0, 4)
                    .mapToObj(thread -> threads.submit(() -> {
                        start.await();
                        return readsOnlyItsOwn(thread);
                    }))
                    .toList();
            start.countDown();
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean readsOnlyItsOwn(int thread) {
        EntityType<Account> type = EntityType.of(Account.class);
        EntityReader<Account> own = type.newReader();
        boolean right = true;
        for (int i = 0; i < 2_000; i++) {
            own.rowKey(thread + "-" + i);
            own.floating(type.indexOf("Balance"), i);
            own.integer(type.indexOf("Visits"), thread);
            own.integer(type.indexOf("Level"), i);
            Account account = own.build();
            right &= account.id().equals(thread + "-" + i)
                    && account.visits() == thread
                    && account.level() == i
                    && account.balance() == i;
        }
        return right;
    }
}
