package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.CachedContainer;
import io.stowline.caching.Freshness;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A whole application, started against the emulator. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class StowlineApplicationTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    record Order(String id, int amount) {}

    private static ConfigurableApplicationContext start(
            Class<?> application, TestStorage storage, String... properties) {
        return new SpringApplicationBuilder(application)
                .properties("stowline.connection-string=" + storage.connectionString(), "stowline.create-missing=true")
                .properties(properties)
                .run();
    }

    @Test
    void storesQueuesAndCaches(TestStorage storage) {
        try (ConfigurableApplicationContext context = start(Application.class, storage)) {
            Table<Runner> runners = context.getBean(Application.Service.class).runners();
            MessageQueue<Order> orders =
                    context.getBean(Application.Service.class).orders();
            BlobContainer photos = context.getBean(BlobContainer.class);

            runners.insertOrReplace(new Runner("2026", "1", "Ann"));
            orders.send(new Order("o1", 2));
            photos.upload("picture".getBytes(StandardCharsets.UTF_8), "1.jpg", o -> o.overwrite());
            CachedContainer cached = photos.cached(Freshness.fresh(Duration.ofMinutes(1)));

            assertThat(runners.find("2026", "1"))
                    .hasValueSatisfying(found -> assertThat(found.value()).isEqualTo(new Runner("2026", "1", "Ann")));
            assertThat(orders.receive())
                    .hasValueSatisfying(message -> assertThat(message.body()).isEqualTo(new Order("o1", 2)));
            assertThat(cached.download("1.jpg").value())
                    .hasValueSatisfying(bytes -> assertThat(bytes).asString().isEqualTo("picture"));
        }
    }

    @Test
    void saysWhichResourcesItCreatesAndWhichExist(TestStorage storage, CapturedOutput output) {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            client.table("SaysFirst").createIfMissing();
            client.table("SaysSecond").dropIfExists();
        }
        try (ConfigurableApplicationContext context = start(Two.class, storage)) {
            assertThat(context.getBean("SaysSecondTable", Table.class).exists()).isTrue();
        }
        assertThat(output)
                .contains("The table 'SaysFirst' of account 'devstoreaccount1' exists")
                .contains("The table 'SaysSecond' of account 'devstoreaccount1' was missing and is created");
    }

    @Test
    void createsNothingUnlessItIsSet(TestStorage storage) {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            client.table("SaysThird").dropIfExists();
        }
        try (ConfigurableApplicationContext context = start(Third.class, storage, "stowline.create-missing=false")) {
            assertThat(context.getBean("SaysThirdTable", Table.class).exists()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("callbacks run on virtual threads where the JVM has them and Spring Boot has them on")
    void virtualThreads(boolean on, TestStorage storage) {
        try (ConfigurableApplicationContext context =
                start(Application.class, storage, "spring.threads.virtual.enabled=" + on)) {
            Thread callback = context.getBean(Stowline.class)
                    .reactive()
                    .queue("orders")
                    .exists()
                    .map(exists -> Thread.currentThread())
                    .block();

            assertThat(callback.getName().startsWith("stowline-callbacks-"))
                    .isEqualTo(on && Runtime.version().feature() >= 21);
        }
    }

    @Test
    void beansThatStopOrAreDestroyedCanStillWrite(TestStorage storage, @TempDir Path folder) {
        try (ConfigurableApplicationContext context =
                start(Closing.class, storage, "stowline.journal.folder=" + folder.resolve("journal"))) {
            assertThat(context.getBean(Closing.Late.class)).isNotNull();
        }

        assertThat(Closing.EVENTS).containsExactly("stopped", "destroyed");
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            assertThat(client.table("closing", Runner.class)
                            .query()
                            .partition("2026")
                            .list())
                    .extracting(Runner::bib)
                    .containsExactly("buffered", "destroyed", "stopped");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Application.Storage.class, Application.Service.class})
    static class Application {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("registrations", Runner.class);
                queue("orders", Order.class);
                container("photos");
            }
        }

        record Service(Table<Runner> runners, MessageQueue<Order> orders) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Two.Storage.class)
    static class Two {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("SaysFirst", Runner.class);
                table("SaysSecond", Runner.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Third.Storage.class)
    static class Third {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("SaysThird", Runner.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Closing.Storage.class)
    static class Closing {

        static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("closing", Runner.class);
            }
        }

        @Bean
        Late late(Table<Runner> runners) {
            return new Late(runners);
        }

        /** Makes a writer that lingers for longer than the test: closing the client sends its items. */
        @Bean(destroyMethod = "")
        TableWriter<Runner> writer(Table<Runner> runners, io.stowline.journal.Journal journal) {
            TableWriter<Runner> writer =
                    runners.writer(io.stowline.table.WriterJournal.of(journal), w -> w.linger(Duration.ofHours(1)));
            writer.insertOrReplace(new Runner("2026", "buffered", "Ann"));
            return writer;
        }

        static final class Late implements SmartLifecycle, DisposableBean {

            private final Table<Runner> runners;
            private volatile boolean running;

            Late(Table<Runner> runners) {
                this.runners = runners;
            }

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                runners.insertOrReplace(new Runner("2026", "stopped", "Bob"));
                EVENTS.add("stopped");
                running = false;
            }

            @Override
            public boolean isRunning() {
                return running;
            }

            @Override
            public void destroy() {
                runners.insertOrReplace(new Runner("2026", "destroyed", "Cy"));
                EVENTS.add("destroyed");
            }
        }
    }
}
