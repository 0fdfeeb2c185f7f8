package io.stowline.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheRead;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ResponseCacheTest {

    private static final CacheKey KEY = new CacheKey("scope", "resource", "");
    private static final Freshness MINUTE = Freshness.fresh(Duration.ofMinutes(1));
    private static final int LARGE = 10_000_000;

    @TempDir
    private Path folder;

    private int loads;

    private Loader sized(int bytes) {
        return conditions -> {
            loads++;
            if (conditions.any()) {
                return Mono.just(Loader.LoadResult.notModified(Map.of()));
            }
            Flux<ByteBuffer> body = Flux.range(0, bytes / 1000).map(n -> ByteBuffer.wrap(new byte[1000]));
            return Mono.just(Loader.LoadResult.found(Map.of("ETag", "\"1\""), bytes, body));
        };
    }

    private static Mono<CachedResponse> read(ResponseCache cache, Freshness freshness, Loader loader) {
        return CacheEngine.of(cache).read(new CacheRead(KEY, freshness, loader, CacheableResponse::isUnavailable));
    }

    private static String see(ResponseCache cache, Loader loader) {
        CachedResponse response =
                Objects.requireNonNull(read(cache, MINUTE, loader).block(Duration.ofSeconds(30)));
        byte[] bytes = Objects.requireNonNull(response.bytes().block(Duration.ofSeconds(30)));
        return response.outcome() + " " + bytes.length;
    }

    @Test
    @DisplayName("CACHE-5: large responses go to a real disk, and a later process asks about them once and gives them")
    void largeResponsesOutliveTheCache() {
        try (ResponseCache cache = ResponseCache.builder().disk(folder, 1 << 30).build()) {
            assertThat(see(cache, sized(LARGE))).isEqualTo("MISS " + LARGE);
            assertThat(see(cache, sized(LARGE))).isEqualTo("HIT " + LARGE);
            cache.invalidate("resource");
            assertThat(see(cache, sized(LARGE))).isEqualTo("REVALIDATED " + LARGE);
            assertThat(see(cache, sized(LARGE))).isEqualTo("HIT " + LARGE);
        }
        assertThat(loads).isEqualTo(2);
        try (ResponseCache cache = ResponseCache.builder().disk(folder, 1 << 30).build()) {
            assertThat(see(cache, sized(LARGE))).isEqualTo("REVALIDATED " + LARGE);
            assertThat(see(cache, sized(LARGE))).isEqualTo("HIT " + LARGE);
            cache.invalidateAll("res");
            assertThat(see(cache, sized(LARGE)))
                    .as("it is removed in the background, and asked about until then")
                    .isIn("MISS " + LARGE, "REVALIDATED " + LARGE);
            assertThat(loads).isEqualTo(4);
        }
    }

    @Test
    @DisplayName("CACHE-5: a folder is one cache's at a time, and a second cache works without it")
    void aFolderIsOneCachesAtATime() {
        try (ResponseCache first = ResponseCache.builder().disk(folder, 1 << 20).build()) {
            try (ResponseCache second =
                    ResponseCache.builder().memory(4_000).disk(folder, 1 << 20).build()) {
                assertThat(CacheEngine.of(second).count(CacheCounter.FAULTS)).isOne();
                see(second, sized(1000));
                assertThat(see(second, sized(1000))).isEqualTo("MISS 1000");
            }
            assertThat(see(first, sized(1000))).isEqualTo("MISS 1000");
        }
        try (ResponseCache third = ResponseCache.builder().disk(folder, 1 << 20).build()) {
            assertThat(CacheEngine.of(third).count(CacheCounter.FAULTS)).isZero();
        }
    }

    @Test
    @DisplayName("CACHE-5: the folder of the application and its files stay as they are; the cache has a subfolder")
    void theFolderOfTheApplicationStaysAsItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("owner"), "mine");
        FileTime before = Files.getLastModifiedTime(file);
        Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxrwxrwx");
        Files.setPosixFilePermissions(folder, open);
        ResponseCache.builder().disk(folder, 1 << 20).build().close();

        assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(open);
        assertThat(file).hasContent("mine");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("owner", "stowline-cache");
        assertThat(Files.getPosixFilePermissions(folder.resolve("stowline-cache")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    @DisplayName("CACHE-5: a folder that is removed, or replaced by a file, while it is in use costs no failure and no"
            + " second request")
    void aFolderThatVanishesFailsNothing() throws IOException {
        Path own = folder.resolve("stowline-cache");
        try (ResponseCache cache =
                ResponseCache.builder().memory(100_000).disk(folder, 1 << 30).build()) {
            assertThat(see(cache, sized(LARGE))).isEqualTo("MISS " + LARGE);
            removeAll(own);
            assertThat(see(cache, sized(LARGE))).isEqualTo("MISS " + LARGE);
            assertThat(loads).isEqualTo(2);
            Files.writeString(own, "a file of another program");
            assertThat(see(cache, sized(LARGE))).isEqualTo("MISS " + LARGE);
            assertThat(loads).isEqualTo(3);
            assertThat(see(cache, sized(1_000))).isEqualTo("MISS 1000");
            assertThat(CacheEngine.of(cache).count(CacheCounter.FAULTS)).isPositive();
        }
        assertThat(own).hasContent("a file of another program");
        Files.delete(own);
        try (ResponseCache cache =
                ResponseCache.builder().memory(100_000).disk(folder, 1 << 30).build()) {
            assertThat(see(cache, sized(LARGE))).isEqualTo("MISS " + LARGE);
            assertThat(see(cache, sized(LARGE))).isEqualTo("HIT " + LARGE);
        }
    }

    private static void removeAll(Path own) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(own)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(own);
    }

    @Test
    @DisplayName("CACHE-5: a folder that cannot be used switches the tier off and fails nothing")
    void aFolderThatCannotBeUsedFailsNothing() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");
        try (ResponseCache cache = ResponseCache.builder().disk(file, 1 << 20).build()) {
            assertThat(see(cache, sized(1000))).isEqualTo("MISS 1000");
            assertThat(see(cache, sized(1000))).isEqualTo("HIT 1000");
            assertThat(CacheEngine.of(cache).count(CacheCounter.FAULTS)).isOne();
        }
        assertThat(file).hasContent("no folder");
    }

    @Test
    void boundsAreSet() {
        try (ResponseCache none = ResponseCache.builder().memory(0).build();
                ResponseCache small = ResponseCache.builder().maxInMemory(5000).build()) {
            see(none, sized(1000));
            assertThat(see(none, sized(1000))).isEqualTo("MISS 1000");
            see(small, sized(1000));
            assertThat(see(small, sized(1000))).isEqualTo("HIT 1000");
            small.invalidate("resource", Duration.ofSeconds(30));
            small.invalidateAll("resource", Duration.ofSeconds(30));
            see(small, sized(6000));
            assertThat(small.reads(CacheOutcome.HIT)).isEqualTo(1);
        }
    }

    @Test
    void badBoundsAreRefused() {
        ResponseCache.Builder builder = ResponseCache.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.memory(-1))
                .withMessageContaining("memory is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxInMemory(-1))
                .withMessageContaining("maxInMemory is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.disk(folder, 0))
                .withMessageContaining("disk is 0 bytes; the least is 1");
        try (ResponseCache cache = builder.build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cache.invalidate("resource", Duration.ofSeconds(-1)))
                    .withMessageContaining("horizon is PT-1S");
        }
    }

    @Test
    void badFindingsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Loader.LoadResult.found(304, Map.of(), 0, Flux.empty()))
                .withMessageContaining("304");
        assertThatIllegalArgumentException().isThrownBy(() -> Loader.LoadResult.found(Map.of(), -2, Flux.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> Loader.LoadResult.absent(500, Map.of(), new byte[0]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MINUTE.staleIfError(Duration.ofSeconds(-1)))
                .withMessageContaining("staleIfError is PT-1S");
    }

    @Test
    @DisplayName("CACHE-3: an IOException, also as a cause, says that the service cannot be asked")
    void ioFailuresAreStoodInFor() {
        Freshness freshness = Freshness.revalidated().staleIfError(Duration.ofMinutes(1));
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        try (ResponseCache cache = ResponseCache.builder().timer(time).build()) {
            see(cache, sized(1000));
            for (Exception failure : new Exception[] {
                new IOException("reset"), new IllegalStateException(new UncheckedIOException(new IOException()))
            }) {
                CachedResponse response = read(cache, freshness, conditions -> Mono.error(failure))
                        .block();
                assertThat(Objects.requireNonNull(response).outcome()).isEqualTo(CacheOutcome.STALE);
                time.advanceTimeBy(Duration.ofSeconds(5));
            }
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> read(cache, freshness, conditions -> Mono.error(new IllegalStateException("no")))
                            .block());
        }
    }

    @Test
    void metersTellWhatTheCacheHasDone() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (ResponseCache cache = ResponseCache.builder().build()) {
            new ResponseCacheMeters(cache, "config", Tags.of("app", "a")).bindTo(registry);
            see(cache, sized(1000));
            see(cache, sized(1000));

            assertThat(registry.get("stowline.cache.reads")
                            .tags("cache", "config", "app", "a", "outcome", "hit")
                            .functionCounter()
                            .count())
                    .isOne();
            assertThat(registry.get("cache.gets")
                            .tag("result", "miss")
                            .functionCounter()
                            .count())
                    .isOne();
            assertThat(registry.get("cache.size").gauge().value()).isOne();
            assertThat(registry.get("cache.puts").functionCounter().count()).isOne();
            assertThat(registry.get("stowline.cache.memory").gauge().value()).isGreaterThan(1000);
            assertThat(registry.get("stowline.cache.faults").functionCounter().count())
                    .isZero();
            assertThat(registry.get("stowline.cache.failed.revalidations")
                            .functionCounter()
                            .count())
                    .isZero();
        }
    }
}
