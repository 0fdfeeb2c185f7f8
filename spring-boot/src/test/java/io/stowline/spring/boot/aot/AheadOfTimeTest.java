package io.stowline.spring.boot.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.spring.boot.autoconfigure.AccountProperties;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.cache.StowlineCacheAutoConfiguration;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.listener.StowlineQueueListenerAutoConfiguration;
import io.stowline.spring.boot.lock.BlobLeaseLockRegistry;
import io.stowline.spring.boot.lock.StowlineLockAutoConfiguration;
import io.stowline.spring.boot.repository.TableRepository;
import io.stowline.spring.boot.resilience4j.StowlineResilience4jAutoConfiguration;
import io.stowline.spring.boot.resource.BlobResource;
import io.stowline.spring.boot.resource.BlobResources;
import io.stowline.spring.boot.resource.StowlineResourceAutoConfiguration;
import io.stowline.spring.boot.ring.StowlineRingAutoConfiguration;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.javapoet.ClassName;
import org.springframework.messaging.handler.annotation.SendTo;
import tools.jackson.databind.json.JsonMapper;

/** An application that is processed ahead of time, compiled, and run on the JVM against the emulator. */
@AzuriteTest
class AheadOfTimeTest {

    public record Address(String city) {}

    public record Runner(
            @PartitionKey String race,
            @RowKey String bib,
            String name,
            @Converted(ToCode.class) Currency prize,
            @Nested Optional<Place> from) {

        Runner(String race, String bib, String name) {
            this(race, bib, name, Currency.getInstance("EUR"), Optional.of(new Place("Kiel")));
        }
    }

    public static final class Place {

        private final String city;

        public Place(@Property("city") String city) {
            this.city = city;
        }

        public String city() {
            return city;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && place.city.equals(city);
        }

        @Override
        public int hashCode() {
            return city.hashCode();
        }
    }

    public static final class ToCode implements Converter<Currency, String> {

        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(Currency value) {
            return value.getCurrencyCode();
        }

        @Override
        public Currency restore(String stored) {
            return Currency.getInstance(stored);
        }
    }

    public sealed interface StaffRow permits Department {}

    @RowPrefix("D:")
    public record Department(
            @PartitionKey String name, @RowKey String key) implements StaffRow {}

    public record Parcel(String id) {}

    public record Receipt(String id) {}

    public record Order(String id, Address to) {}

    public record Tenant(@PartitionKey String name, @RowKey String key) {}

    public record Member(@PartitionKey String race, @RowKey String bib) {}

    public interface Members extends TableRepository<Member> {
        List<Member> findByRace(String race);

        default int number(String race) {
            return findByRace(race).size();
        }
    }

    /** Generated classes are in our packages, and reach what is package-private there. */
    @Test
    @CompileWithForkedClassLoader
    void theGeneratedApplicationStoresReadsAndListens(TestStorage storage) {
        TestGenerationContext generation = process(storage);

        TestCompiler.forSystem().with(generation).compile(compiled -> {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                initialize(context, compiled, storage);
                Application.Faces faces = context.getBean(Application.Faces.class);
                faces.table().createIfMissing();
                faces.table().insertOrReplace(new Runner("2026", "1", "Ann"));

                assertThat(faces.reactive().find("2026", "1").block().value())
                        .isEqualTo(new Runner("2026", "1", "Ann"));
                context.getBean("stowline", io.stowline.Stowline.class)
                        .queue("aheadoftime-parcels", Parcel.class)
                        .send(new Parcel("p1"));
                assertThat(context.getBean(Application.Listener.class).handled.join())
                        .isEqualTo(new Parcel("p1"));
                assertThat(context.getResource("azure-blob://nowhere/a.txt"))
                        .isInstanceOf(BlobResource.class)
                        .matches(resource -> !resource.exists());
                assertThat(context.getBean(BlobResources.class).find("azure-blob://nowhere/*"))
                        .isEmpty();
                Members members = context.getBean(Members.class);
                members.table().createIfMissing();
                members.insertOrReplace(new Member("2026", "1"));
                assertThat(members.number("2026")).isOne();
                Cache texts = context.getBean(CacheManager.class).getCache("texts");
                texts.put(new SimpleKey("a", 1), "text");
                assertThat(texts.get(new SimpleKey("a", 1), String.class)).isEqualTo("text");
                assertThat(context.getBean(BlobLeaseLockRegistry.class)
                                .obtain("aheadoftime")
                                .tryLock())
                        .isTrue();
                assertThat(context.getBean(LockProvider.class)
                                .lock(new LockConfiguration(
                                        Instant.now(), "aheadoftime", Duration.ofMinutes(1), Duration.ZERO)))
                        .isPresent();
                assertThat(context.getBean(ConcurrentMetadataStore.class).putIfAbsent("aheadoftime", "1"))
                        .isNull();
                assertThat(context.getBean(StowlineRing.class).client("archive"))
                        .isSameAs(context.getBean("archiveStowline"));
                assertThat(context.getBean(CircuitBreakerRegistry.class)
                                .circuitBreaker("stowline-table")
                                .getMetrics()
                                .getNumberOfSuccessfulCalls())
                        .isPositive();
                assertThat(context.getBean(RetryRegistry.class)
                                .retry("stowline-table")
                                .getMetrics()
                                .getNumberOfTotalCalls())
                        .isPositive();
                assertThat(context.getBean("archiveStowline", io.stowline.Stowline.class)
                                .table("aheadoftime")
                                .exists())
                        .isTrue();
            }
        });
    }

    @Test
    void mappedTypesAreReflectedOn(TestStorage storage) {
        RuntimeHints hints = process(storage).getRuntimeHints();

        assertThat(RuntimeHintsPredicates.reflection().onType(Runner.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(Runner.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Order.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Address.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Parcel.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Receipt.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(Department.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Application.Listener.class, "handle"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Tenant.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(Member.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Members.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Members.class, "findByRace"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(TableRepository.class, "find"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(ToCode.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(Place.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Place.class, "city"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(Place.class, "city"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(AheadOfTimeTest.class))
                .rejects(hints);
    }

    /** The import of configuration is found by name, and binds properties before there is a bean. */
    @Test
    void theImportOfConfigurationIsReflectedOn(TestStorage storage) {
        RuntimeHints hints = process(storage).getRuntimeHints();

        assertThat(List.of("BlobConfigDataLocationResolver", "BlobConfigDataLoader"))
                .allSatisfy(name -> assertThat(RuntimeHintsPredicates.reflection()
                                .onType(TypeReference.of("io.stowline.spring.boot.resource." + name))
                                .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                        .accepts(hints));
        assertThat(List.of(AccountProperties.class, AccountProperties.Retry.class))
                .allSatisfy(properties -> assertThat(properties.getDeclaredConstructors())
                        .anySatisfy(constructor -> assertThat(
                                        RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
                                .accepts(hints)));
    }

    private static TestGenerationContext process(TestStorage storage) {
        TestGenerationContext generation = new TestGenerationContext(ClassName.get(AheadOfTimeTest.class));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment().getPropertySources().addFirst(properties(storage));
            context.register(Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();
        return generation;
    }

    private static void initialize(GenericApplicationContext context, Compiled compiled, TestStorage storage) {
        context.getEnvironment().getPropertySources().addFirst(properties(storage));
        @SuppressWarnings("unchecked")
        ApplicationContextInitializer<GenericApplicationContext> initializer =
                compiled.getInstance(ApplicationContextInitializer.class);
        initializer.initialize(context);
        context.refresh();
    }

    private static MapPropertySource properties(TestStorage storage) {
        return new MapPropertySource(
                "test",
                Map.of(
                        "stowline.create-missing",
                        "true",
                        "stowline.connection-string",
                        storage.connectionString(),
                        "stowline.accounts.archive.connection-string",
                        storage.connectionString(),
                        "stowline.ring.accounts",
                        "archive",
                        "stowline.spring-cache.table",
                        "aheadoftimecaches",
                        "stowline.spring-cache.caches.texts.type",
                        "java.lang.String",
                        "stowline.locks.container",
                        "aheadoftime-locks",
                        "stowline.shedlock.table",
                        "aheadoftimestate",
                        "stowline.metadata.table",
                        "aheadoftimestate"));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        StowlineAutoConfiguration.class,
        StowlineResilience4jAutoConfiguration.class,
        StowlineLockAutoConfiguration.class,
        StowlineResourceAutoConfiguration.class,
        StowlineRingAutoConfiguration.class,
        StowlineJsonAutoConfiguration.class,
        StowlineCacheAutoConfiguration.class,
        StowlineQueueListenerAutoConfiguration.class
    })
    @Import(Application.Storage.class)
    public static class Application {

        @Bean
        RetryRegistry retries() {
            return RetryRegistry.ofDefaults();
        }

        @Bean
        CircuitBreakerRegistry breakers() {
            CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
            breakers.circuitBreaker("stowline-table");
            return breakers;
        }

        public static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("aheadoftime", Runner.class);
                table("aheadoftimestaff", StaffRow.class);
                queue("orders", Order.class);
                repository("aheadoftimemembers", Members.class);
            }
        }

        public static class Listener {

            final CompletableFuture<Parcel> handled = new CompletableFuture<>();

            @StowlineQueueListener(queue = "aheadoftime-parcels", poisonOn = IllegalStateException.class)
            @SendTo("aheadoftime-receipts")
            List<Receipt> handle(Parcel parcel) {
                handled.complete(parcel);
                return List.of(new Receipt(parcel.id()));
            }
        }

        @Bean
        RingTable<Tenant> tenants(StowlineRing ring) {
            return ring.table("aheadoftimetenants", Tenant.class);
        }

        @Bean
        JsonMapper mapper() {
            return JsonMapper.shared();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }

        public record Faces(Table<Runner> table, ReactiveTable<Runner> reactive) {}

        @Bean
        Faces faces(Table<Runner> table, @Qualifier("aheadoftime") ReactiveTable<Runner> reactive) {
            return new Faces(table, reactive);
        }
    }
}
