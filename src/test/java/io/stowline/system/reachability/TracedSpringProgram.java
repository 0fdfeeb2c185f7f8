package io.stowline.system.reachability;

import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.listener.StowlineQueueListenerAutoConfiguration;
import io.stowline.spring.boot.repository.TableRepository;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Path;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.nativex.FileNativeConfigurationWriter;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

/** An application of Spring that is processed ahead of time, which writes its hints, and that then runs. */
public final class TracedSpringProgram {

    record Place(String city) {}

    static final class ToCode implements Converter<Currency, String> {

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

    record Runner(
            @PartitionKey String race,
            @RowKey String bib,
            @Nested Place from,
            @Converted(ToCode.class) Currency prize) {}

    record Member(@PartitionKey String club, @RowKey String name, int age) {}

    interface Members extends TableRepository<Member> {
        List<Member> findByClub(String club);

        default int number(String club) {
            return findByClub(club).size();
        }
    }

    record Line(String article, int pieces) {}

    record Parcel(String id, List<Line> lines) {}

    private TracedSpringProgram() {}

    /**
     * Processes it into a folder, and runs it.
     *
     * @param arguments the folder
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        MemoryStorage memory = MemoryStorage.create();
        Application.memory = memory;
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(TracedSpringProgram.class)),
                new FileSystemGeneratedFiles(folder.resolve("generated")));
        try (AnnotationConfigApplicationContext context = context(memory)) {
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();
        new FileNativeConfigurationWriter(folder.resolve("hints"), "app", "app").write(generation.getRuntimeHints());

        ReflectionTrace.begin();
        System.setProperty("org.graalvm.nativeimage.imagecode", "agent");
        try (AnnotationConfigApplicationContext context = context(memory)) {
            context.refresh();
            run(context);
        }
    }

    private static AnnotationConfigApplicationContext context(MemoryStorage memory) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "stowline.create-missing",
                                "true",
                                "stowline.connection-string",
                                memory.connectionString())));
        context.register(Application.class);
        return context;
    }

    private static void run(AnnotationConfigApplicationContext context) throws Exception {
        Application.Runners runners = context.getBean(Application.Runners.class);
        runners.table().createIfMissing();
        runners.table().insert(new Runner("2026", "1", new Place("Kiel"), Currency.getInstance("EUR")));
        System.out.println(runners.table().find("2026", "1").orElseThrow().value());
        Members members = context.getBean(Members.class);
        members.table().createIfMissing();
        members.insertOrReplace(new Member("a", "Ann", 41));
        System.out.println(members.number("a"));
        runners.parcels().send(new Parcel("1", List.of(new Line("pen", 2))));
        System.out.println(context.getBean(Application.Listener.class).handled.get(1, TimeUnit.MINUTES));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class})
    @Import(Application.Storage.class)
    static class Application {

        private static MemoryStorage memory = MemoryStorage.create();

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("runners", Runner.class);
                queue("parcels", Parcel.class);
                repository("members", Members.class);
            }
        }

        static class Listener {

            private final CompletableFuture<Parcel> handled = new CompletableFuture<>();

            @StowlineQueueListener(queue = "parcels")
            void handle(Parcel parcel) {
                handled.complete(parcel);
            }
        }

        record Runners(Table<Runner> table, MessageQueue<Parcel> parcels) {}

        @Bean
        StowlineBuilderCustomizer inMemory() {
            return builder -> builder.httpClient(memory.httpClient());
        }

        @Bean
        Runners faces(Table<Runner> runners, MessageQueue<Parcel> parcels) {
            return new Runners(runners, parcels);
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }
}
