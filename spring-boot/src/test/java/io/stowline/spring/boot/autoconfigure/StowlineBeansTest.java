package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class StowlineBeansTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    record Order(String id, int amount) {}

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StowlineAutoConfiguration.class))
            .withPropertyValues(
                    "stowline.connection-string=UseDevelopmentStorage=true",
                    "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true");

    @Test
    void injectsByGenericTypeByNameAndByQualifier() {
        runner.withUserConfiguration(Application.class)
                .run(context -> assertThat(context.getBean(Application.Names.class))
                        .isEqualTo(new Application.Names(
                                "registrations", "registrations", "orders", "orders", "photos", "photos", "log")));
    }

    @Test
    void aResourceOfAFurtherAccountHasItsNameInFront() {
        runner.withUserConfiguration(Application.class)
                .run(context -> assertThat(context.getBean("archiveRegistrationsTable", Table.class)
                                .name())
                        .isEqualTo("registrations"));
    }

    @Test
    void aTypeAloneFindsTheResourcesOfTheMainAccountOnly() {
        runner.withUserConfiguration(SameTypeTwice.class)
                .run(context ->
                        assertThat(context.getBean("byType", String.class)).isEqualTo("registrations photos"));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(SameTypeTwice.Storage.class)
    static class SameTypeTwice {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("registrations", Runner.class);
                container("photos");
                account("archive").table("olds", Runner.class);
                account("archive").container("oldphotos");
            }
        }

        @Bean
        String byType(
                Table<Runner> runners, BlobContainer photos, @Qualifier("archiveOlds") ReactiveTable<Runner> olds) {
            assertThat(olds.name()).isEqualTo("olds");
            return runners.name() + " " + photos.name();
        }
    }

    @Test
    @SuppressWarnings("unchecked") // the bean is of the declared type
    void aQueueWithEnvelopesIsDeclaredAsAView() {
        runner.withPropertyValues("stowline.connection-string=" + Enveloped.MEMORY.connectionString())
                .withUserConfiguration(Enveloped.class)
                .run(context -> {
                    MessageQueue<Order> orders = context.getBean("ordersQueue", MessageQueue.class);
                    ReactiveMessageQueue<Order> reactive =
                            context.getBean("reactiveOrdersQueue", ReactiveMessageQueue.class);
                    orders.create();
                    orders.send(new Order("1", 1));
                    reactive.send(new Order("2", 2)).block();

                    assertThat(context.getBean(Stowline.class).queue("orders").peek(2))
                            .allSatisfy(message -> assertThat(message.body()).contains("\"type\":\"order\""));
                    assertThat(orders.receive(2))
                            .extracting(ReceivedMessage::body)
                            .containsExactly(new Order("1", 1), new Order("2", 2));
                });
    }

    @Test
    void aViewOfAnotherQueueIsRefused() {
        runner.withUserConfiguration(OtherQueue.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage("view must return a view of the queue orders, not of others"));
    }

    @Test
    void tellsWhatIsDeclared() {
        runner.withUserConfiguration(Application.class).run(context -> assertThat(
                        context.getBean(DeclaredResources.class).resources())
                .extracting(DeclaredResource::beanName)
                .containsExactly(
                        "registrationsTable",
                        "logTable",
                        "ordersQueue",
                        "photosContainer",
                        "archiveRegistrationsTable",
                        "texts"));
    }

    @Test
    void aTableAndAQueueMayHaveTheNameOfAComponent() {
        runner.withBean("orders", String.class, () -> "a component")
                .withUserConfiguration(SameName.class)
                .run(context -> assertThat(context).hasBean("ordersTable").hasBean("ordersQueue"));
    }

    @Test
    void refusesTwoResourcesUnderOneBeanName() {
        runner.withUserConfiguration(Twice.class).run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> {
                    throw context.getStartupFailure();
                })
                .withMessageContaining("a table and a queue as bean 'orders'"));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.Storage.class)
    static class Application {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("registrations", Runner.class, m -> m.zeroForMissing());
                table("log");
                queue("orders", Order.class);
                container("photos");
                account("archive").table("registrations", Runner.class);
                queue("registrations").beanName("texts");
            }
        }

        record Names(
                String table,
                String reactiveTable,
                String queue,
                String reactiveQueue,
                String container,
                String reactiveContainer,
                String entities) {}

        @Bean
        Names names(
                @Qualifier("registrations") Table<Runner> registrations,
                @Qualifier("registrations") ReactiveTable<Runner> reactiveTable,
                MessageQueue<Order> queue,
                ReactiveMessageQueue<Order> reactiveQueue,
                BlobContainer container,
                @Qualifier("photos") ReactiveBlobContainer reactiveContainer,
                Table<Entity> entities) {
            return new Names(
                    registrations.name(),
                    reactiveTable.name(),
                    queue.name(),
                    reactiveQueue.name(),
                    container.name(),
                    reactiveContainer.name(),
                    entities.name());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(SameName.Storage.class)
    static class SameName {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("orders", Runner.class);
                queue("orders", Order.class);
            }
        }

        @Bean
        List<String> names(@Qualifier("orders") Table<Runner> table, @Qualifier("orders") MessageQueue<Order> queue) {
            return List.of(table.name(), queue.name());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Twice.Storage.class)
    static class Twice {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                table("runners", Runner.class).beanName("orders");
                queue("orders", Order.class).beanName("orders");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Enveloped.Storage.class)
    static class Enveloped {

        private static final MemoryStorage MEMORY = MemoryStorage.create();

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                queue(
                        "orders",
                        Order.class,
                        (orders, client) ->
                                orders.withEnvelope(e -> e.type("order").claimCheck(client.container("bodies"))));
            }
        }

        @Bean
        static StowlineBuilderCustomizer inMemory() {
            return builder -> builder.httpClient(MEMORY.httpClient());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OtherQueue.Storage.class)
    static class OtherQueue {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                queue("orders", Order.class, (orders, client) -> client.queue("others", Order.class));
            }
        }
    }
}
