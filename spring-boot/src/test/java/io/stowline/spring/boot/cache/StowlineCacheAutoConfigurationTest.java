package io.stowline.spring.boot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.CacheErrorHandler;
import org.springframework.cache.interceptor.LoggingCacheErrorHandler;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The cache manager as a bean, of two accounts. */
class StowlineCacheAutoConfigurationTest {

    record Price(String itemName, long cents) {}

    private final AccountsInMemory accounts = new AccountsInMemory();
    private final MemoryStorage main = accounts.main;

    private final ApplicationContextRunner runner = accounts.runner(
                    StowlineJsonAutoConfiguration.class, StowlineCacheAutoConfiguration.class)
            .withPropertyValues("stowline.create-missing=true");

    private final ApplicationContextRunner withoutMapper = runner.withPropertyValues(
            "stowline.spring-cache.table=caches",
            "stowline.spring-cache.time-to-live=10m",
            "stowline.spring-cache.caches.prices.type=" + Price.class.getName());

    private final ApplicationContextRunner caching =
            withoutMapper.withBean("mapper", JsonMapper.class, JsonMapper::shared);

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Shop {

        static class Prices {

            private final AtomicInteger reads = new AtomicInteger();

            /** A method, since the proxy of the bean has no values of fields. */
            public int reads() {
                return reads.get();
            }

            @Cacheable("prices")
            public Price price(String item, int number) {
                reads.incrementAndGet();
                return new Price(item, number);
            }

            @Cacheable(cacheNames = "prices", sync = true)
            public Price synced(String item) {
                reads.incrementAndGet();
                return new Price(item, 1);
            }
        }

        @Bean
        Prices prices() {
            return new Prices();
        }
    }

    @Test
    void thereIsNoneWithoutATable() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CacheManager.class));
    }

    @Test
    void anotherCacheThatIsChosenStays() {
        caching.withPropertyValues("spring.cache.type=none")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CacheManager.class));
        caching.withBean(ConcurrentMapCacheManager.class, ConcurrentMapCacheManager::new)
                .run(context -> assertThat(context).hasSingleBean(CacheManager.class));
    }

    @Test
    void cachesTheResultsOfMethods() {
        caching.withUserConfiguration(Shop.class).run(context -> {
            Shop.Prices prices = context.getBean(Shop.Prices.class);

            assertThat(prices.price("shirt", 1)).isEqualTo(new Price("shirt", 1));
            assertThat(prices.price("shirt", 1)).isEqualTo(new Price("shirt", 1));
            assertThat(prices.price("shirt", 2)).isEqualTo(new Price("shirt", 2));
            assertThat(prices.synced("cap")).isEqualTo(prices.synced("cap"));
            assertThat(prices.reads()).isEqualTo(3);
            assertThat(main.requests()).first().asString().startsWith("POST /Tables");
        });
    }

    @Test
    void applicationsShareTheirCaches() {
        caching.withUserConfiguration(Shop.class)
                .run(one -> caching.withUserConfiguration(Shop.class).run(other -> {
                    one.getBean(Shop.Prices.class).price("shirt", 1);
                    other.getBean(Shop.Prices.class).price("shirt", 1);
                    assertThat(other.getBean(Shop.Prices.class).reads()).isZero();
                    other.getBean(CacheManager.class).getCache("prices").evict(new SimpleKey("shirt", 1));
                    one.getBean(Shop.Prices.class).price("shirt", 1);
                    assertThat(one.getBean(Shop.Prices.class).reads()).isEqualTo(2);
                }));
    }

    @Test
    void aFurtherAccountHasTheTable() {
        caching.withPropertyValues("stowline.spring-cache.account=archive")
                .withUserConfiguration(Shop.class)
                .run(context -> {
                    context.getBean(Shop.Prices.class).price("shirt", 1);
                    assertThat(accounts.archive.requests()).anyMatch(request -> request.contains("/caches("));
                    assertThat(main.requests()).noneMatch(request -> request.contains("/caches"));
                });
    }

    @Test
    void theMapperOfTheApplicationWritesTheValues() {
        withoutMapper
                .withBean(JsonMapper.class, () -> JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .build())
                .run(context -> {
                    Cache cache = context.getBean(CacheManager.class).getCache("prices");
                    cache.put("a", new Price("shirt", 1));
                    assertThat(cache.get("a", Price.class)).isEqualTo(new Price("shirt", 1));
                    assertThat(context.getBean("stowline", Stowline.class)
                                    .table("caches")
                                    .query()
                                    .list())
                            .singleElement()
                            .satisfies(row -> assertThat(row.get("Value0", byte[].class))
                                    .asString()
                                    .contains("item_name"));
                });
    }

    @Test
    void withoutJacksonTheMapperIsNamedWhereItIsNeeded() {
        FilteredClassLoader absent = new FilteredClassLoader(JsonMapper.class);
        runner.withClassLoader(absent).run(context -> assertThat(context).hasNotFailed());
        withoutMapper.withClassLoader(absent).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("tools.jackson.databind.json.JsonMapper", "spring-boot-starter-jackson"));
    }

    @Test
    void anUnreachableStorageFailsACallUnlessAHandlerLogsIt() {
        main.refuseNext("GET", "/caches(", 403, "AuthorizationFailure");
        caching.withUserConfiguration(Shop.class).run(context -> assertThat(
                        catchThrowable(() -> context.getBean(Shop.Prices.class).price("shirt", 1)))
                .isInstanceOf(StorageException.class));

        main.refuseNext("GET", "/caches(", 403, "AuthorizationFailure");
        main.refuseNext("PUT", "/caches(", 403, "AuthorizationFailure");
        caching.withUserConfiguration(Shop.class, Tolerant.class)
                .run(context -> assertThat(context.getBean(Shop.Prices.class).price("shirt", 1))
                        .isEqualTo(new Price("shirt", 1)));
    }

    /** A failed put loses the value that was loaded, so that Spring calls the method once more. */
    @Test
    void aHandlerServesLoadsByOneThread() {
        main.refuseNext("PUT", "/caches(", 403, "AuthorizationFailure");
        caching.withUserConfiguration(Shop.class, Tolerant.class).run(context -> {
            Shop.Prices prices = context.getBean(Shop.Prices.class);

            assertThat(prices.synced("shirt")).isEqualTo(new Price("shirt", 1));
            assertThat(prices.reads()).isEqualTo(2);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Tolerant implements CachingConfigurer {

        @Override
        public CacheErrorHandler errorHandler() {
            return new LoggingCacheErrorHandler(true);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        account=other                  | stowline.spring-cache.account             | which is not configured; the accounts are [archive, stowline]
        table=no table                 | stowline.spring-cache.table               | table name
        caches.users.time-to-live=1m   | stowline.spring-cache.caches.users.type   | one class
        caches.prices.time-to-live=0s  | stowline.spring-cache.caches.prices       | timeToLive must be more than zero
        caches.prices.freshness=-1s    | stowline.spring-cache.caches.prices       | it is not negative
        """)
    void aWrongPropertyIsNamed(String property, String named, String reason) {
        caching.withPropertyValues("stowline.spring-cache." + property).run(context -> assertThat(
                        FailureAnalyses.first(context.getStartupFailure()).getDescription())
                .contains("'" + named + "'", reason));
    }

    @Test
    void thePartsOfKeysAreReflectedOn() {
        RuntimeHints hints = new RuntimeHints();
        new StowlineCacheAutoConfiguration.SimpleKeyHints().registerHints(hints, null);

        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(SimpleKey.class, "params"))
                .accepts(hints);
    }
}
