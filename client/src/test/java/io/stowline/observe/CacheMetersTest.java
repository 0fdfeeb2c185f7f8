package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.caching.Freshness;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheRead;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.observe.SharedMeters.CacheMeters;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CacheMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CacheMeters meters = new CacheMeters();
    private final ResponseCache cache = ResponseCache.builder().build();

    private double gets(String name, String result) {
        return registry.get("cache.gets")
                .tags("cache", name, "result", result)
                .functionCounter()
                .count();
    }

    private static void read(ResponseCache from) {
        CacheEngine.of(from)
                .read(new CacheRead(
                        new CacheKey("me", "thing", ""),
                        Freshness.fresh(Duration.ofHours(1)),
                        known -> Mono.just(Loader.LoadResult.found(
                                Map.of("ETag", "\"1\""), 1, Flux.just(ByteBuffer.wrap(new byte[1])))),
                        failure -> false))
                .block(Duration.ofSeconds(20))
                .close();
    }

    @Test
    void readsAreCountedAsThoseOfAnyCache() {
        meters.open(registry, "acct", cache);
        read(cache);
        read(cache);

        assertThat(gets("stowline.acct", "hit")).isEqualTo(1);
        assertThat(gets("stowline.acct", "miss")).isEqualTo(1);
        assertThat(registry.get("stowline.cache.reads")
                        .tag("outcome", "hit")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void twoClientsOfOneAccountAreReportedApart() {
        ResponseCache second = ResponseCache.builder().build();
        meters.open(registry, "acct", cache);
        meters.open(registry, "acct", second);
        read(second);

        assertThat(gets("stowline.acct", "miss")).isZero();
        assertThat(gets("stowline.acct.2", "miss")).isEqualTo(1);
    }

    @Test
    void theMetersGoWithTheirCache() {
        ResponseCache second = ResponseCache.builder().build();
        meters.open(registry, "acct", cache);
        meters.open(registry, "acct", second);
        meters.close(registry, cache);

        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().getTag("cache")).isEqualTo("stowline.acct.2"));
    }
}
