package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.CachedContainer;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.table.CachedTable;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveCachedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.TestStorage;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** The savings of the cache, counted on the wire. */
@AzuriteTest
@Timeout(180)
class CacheShowIT {

    private static final int VERSIONS = 3;
    private static final int READS = VERSIONS * 34 * Integer.getInteger("stowline.explore", 1);
    private static final int OF_THE_WHOLE = VERSIONS * 2;
    private static final int LARGE = 50_000_000;
    private static final int MAX_PIECES = 100;
    private static final long MAX_OF_A_HEAD = 2_000;
    private static final String BLOB = "large";
    private static final int READERS = 10_000;
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private FaultProxy proxy;
    private Stowline reading;
    private Stowline writing;

    @BeforeEach
    void connect(TestStorage account) {
        assumeThat(account.isEmulator()).as("a proxy can look into the traffic").isTrue();
        proxy = FaultProxy.builder().inFrontOf(account).recordedExchanges(1).start();
        reading = client();
        writing = Stowline.connect(account.connectionString());
    }

    private Stowline client() {
        return Stowline.builder()
                .connectionString(proxy.storage().connectionString())
                .cache(cache -> cache.disk(folder.resolve("cache"), 1L << 30))
                .build();
    }

    @AfterEach
    void close() {
        if (proxy != null) {
            reading.close();
            writing.close();
            proxy.close();
        }
    }

    private static byte[] content(int version) {
        byte[] content = new byte[LARGE];
        new Random(version).nextBytes(content);
        return content;
    }

    private static long checksum(byte[] content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        return checksum.getValue();
    }

    // The whole is checked and given out again at each read, which takes a while; so most reads are of the facts.
    @Test
    @DisplayName("CACHE-1, CACHE-5: a hundred reads of a blob of 50 MB that changes twice are three transfers")
    void aHundredReadsOfALargeBlob() {
        BlobContainer shelf = writing.container("c" + UUID.randomUUID());
        shelf.create();
        CachedContainer cached = reading.container(shelf.name()).cached(Freshness.revalidated());
        Map<CacheOutcome, Integer> outcomes = new EnumMap<>(CacheOutcome.class);
        for (int version = 0; version < VERSIONS; version++) {
            byte[] content = content(version);
            long checksum = checksum(content);
            String etag = shelf.upload(content, BLOB, settings -> settings.overwrite())
                    .etag();
            for (int read = 0; read < OF_THE_WHOLE / VERSIONS; read++) {
                outcomes.merge(whole(cached, checksum), 1, Integer::sum);
            }
            for (int read = OF_THE_WHOLE / VERSIONS; read < READS / VERSIONS; read++) {
                assertThat(cached.info(BLOB).get().etag()).isEqualTo(etag);
            }
        }
        TrafficStats traffic = proxy.traffic(StorageService.BLOB);
        shelf.drop();

        assertThat(outcomes)
                .containsEntry(CacheOutcome.MISS, 1)
                .containsEntry(CacheOutcome.REFRESHED, VERSIONS - 1)
                .containsEntry(CacheOutcome.REVALIDATED, OF_THE_WHOLE - VERSIONS);
        assertThat(traffic.requests()).isBetween((long) READS - VERSIONS, (long) READS + MAX_PIECES);
        assertThat(traffic.bytesOut())
                .isBetween((long) VERSIONS * LARGE, (long) VERSIONS * LARGE + READS * MAX_OF_A_HEAD);
    }

    private static CacheOutcome whole(CachedContainer cached, long checksum) {
        CheckedOutputStream target = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
        CacheOutcome outcome = cached.downloadTo(BLOB, target).outcome();
        assertThat(target.getChecksum().getValue()).isEqualTo(checksum);
        return outcome;
    }

    @Test
    @DisplayName("CACHE-5: after a restart a blob of 50 MB is one conditional request, and comes from the disk")
    void aRestartTransfersNothing() {
        BlobContainer shelf = writing.container("c" + UUID.randomUUID());
        shelf.create();
        byte[] content = content(0);
        shelf.upload(content, BLOB);
        long checksum = checksum(content);
        assertThat(whole(reading.container(shelf.name()).cached(Freshness.fresh(LONG)), checksum))
                .isEqualTo(CacheOutcome.MISS);
        reading.close();
        TrafficStats before = proxy.traffic(StorageService.BLOB);
        reading = client();
        CacheOutcome outcome = whole(reading.container(shelf.name()).cached(Freshness.fresh(LONG)), checksum);
        TrafficStats after = proxy.traffic(StorageService.BLOB);
        RecordedExchange last = proxy.recorded().get(0);
        shelf.drop();

        assertThat(outcome).isEqualTo(CacheOutcome.REVALIDATED);
        assertThat(after.requests() - before.requests()).isOne();
        assertThat(after.bytesOut() - before.bytesOut()).isLessThan(MAX_OF_A_HEAD);
        assertThat(last.response())
                .hasValueSatisfying(reported -> assertThat(reported.status()).isEqualTo(304));
    }

    @Test
    @DisplayName("CACHE-2: ten thousand readers of one cold key are one request")
    void tenThousandReadersAreOneRequest() {
        Table<Entity> table = writing.table("t" + UUID.randomUUID().toString().replace("-", ""));
        table.create();
        table.insert(Entity.builder("p", "r").set("visits", 42L).build());
        ReactiveCachedTable<Entity> cached =
                reading.table(table.name()).reactive().cached(Freshness.fresh(LONG));
        List<CachedRead<StoredEntity<Entity>>> reads = Flux.range(0, READERS)
                .flatMap(reader -> cached.find("p", "r"), READERS)
                .collectList()
                .block(LONG);
        table.drop();

        assertThat(reads)
                .hasSize(READERS)
                .allSatisfy(read -> assertThat(read.get().value().get("visits")).isEqualTo(42L))
                .filteredOn(read -> read.outcome() == CacheOutcome.MISS)
                .hasSize(1);
        assertThat(proxy.traffic(StorageService.TABLE).requests()).isOne();
    }

    @Test
    @DisplayName(
            "A8 CACHE-3: past the window a reader gets the old version at once, while a request fetches the new one")
    void aStaleReadWaitsForNoRequest() {
        Table<Entity> table = writing.table("t" + UUID.randomUUID().toString().replace("-", ""));
        table.create();
        table.insert(Entity.builder("p", "r").set("visits", 1L).build());
        CachedTable<Entity> cached =
                reading.table(table.name()).cached(Freshness.revalidated().staleWhileRevalidating(LONG));
        assertThat(cached.find("p", "r").outcome()).isEqualTo(CacheOutcome.MISS);
        table.insertOrReplace(Entity.builder("p", "r").set("visits", 2L).build());

        RequestHold hold = new RequestHold();
        FaultRule rule = proxy.when(RequestMatch.requests().method("GET").path("**" + table.name() + "**"))
                .holdBefore(hold);
        CachedRead<StoredEntity<Entity>> old = cached.find("p", "r");
        hold.awaitArrived(LONG);
        hold.release();
        rule.remove();
        CachedRead<StoredEntity<Entity>> read = old;
        while (read.get().value().get("visits").equals(1L)) {
            read = cached.find("p", "r");
        }
        table.drop();

        assertThat(old.outcome()).isEqualTo(CacheOutcome.STALE);
        assertThat(old.get().value().get("visits")).isEqualTo(1L);
        assertThat(read.outcome()).isEqualTo(CacheOutcome.STALE);
        assertThat(read.get().value().get("visits")).isEqualTo(2L);
    }
}
