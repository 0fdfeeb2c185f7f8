package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.observe.MicrometerListener;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RingMetersTest {

    @Test
    @DisplayName("RING-2: meters are those of each account, and their sum is that of the ring")
    void metersAreOfEachAccount() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        List<MemoryStorage> accounts =
                IntStream.range(0, 3).mapToObj(i -> MemoryStorage.create()).toList();
        try (StowlineRing ring = StowlineRing.of(r -> {
            r.listener(MicrometerListener.of(ObservationRegistry.create(), meters));
            for (int i = 0; i < accounts.size(); i++) {
                MemoryStorage account = accounts.get(i);
                r.account(
                        "a" + i,
                        client -> client.connectionString(account.connectionString())
                                .httpClient(account.httpClient()),
                        a -> a);
            }
            return r;
        })) {
            RingTable<Entity> table = ring.table("rows", Entity.class);
            table.createIfMissing();
            IntStream.range(0, 30)
                    .forEach(i -> table.insert(Entity.builder("p" + i, "r").build()));

            assertThat(meters.find("stowline.permits.limit").gauges())
                    .extracting(gauge -> gauge.getId().getTag("account"))
                    .containsExactlyInAnyOrderElementsOf(ring.accounts().stream()
                            .map(account -> ring.client(account.name()).accountName())
                            .toList());
            assertThat(meters.find("stowline.permits.limit").gauges().stream()
                            .mapToDouble(Gauge::value)
                            .sum())
                    .isEqualTo(ring.stats().total().permitLimit());
        }
        assertThat(meters.find("stowline.permits.limit").gauges()).isEmpty();
    }
}
