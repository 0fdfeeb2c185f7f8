package io.stowline.spring.boot.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.table.Entity;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("message bodies have the JSON of the application's mapper")
class StowlineJsonAutoConfigurationTest {

    private final ApplicationContextRunner runner = new AccountsInMemory()
            .runner(StowlineJsonAutoConfiguration.class)
            .withPropertyValues("stowline.create-missing=true")
            .withUserConfiguration(Application.class);

    private static JsonMapper snakeCase() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();
    }

    enum Size {
        SMALL,
        LARGE
    }

    record ShirtOrder(
            String runnerName,
            Size shirtSize,
            int pieces,
            @Nullable String remark,
            Instant orderedAt,
            LocalDate day,
            Duration patience) {}

    private static final ShirtOrder ORDER = new ShirtOrder(
            "Ann",
            Size.LARGE,
            2,
            null,
            Instant.parse("2026-11-29T07:00:00.5Z"),
            LocalDate.of(2026, 11, 29),
            Duration.ofSeconds(90));

    @Configuration(proxyBeanMethods = false)
    @Import(Storage.class)
    static class Application {}

    static class Storage extends StowlineBeans {
        @Override
        protected void declare() {
            queue("orders", ShirtOrder.class);
            queue("events", ShirtOrder.class, (events, client) -> events.withEnvelope(e -> e));
            account("archive").queue("orders", ShirtOrder.class);
        }
    }

    @SuppressWarnings("unchecked") // declared so
    private static MessageQueue<ShirtOrder> queue(ApplicationContext context, String bean) {
        return context.getBean(bean, MessageQueue.class);
    }

    /** The text of the message that this queue sends. */
    private static String sent(ApplicationContext context, String bean) {
        MessageQueue<ShirtOrder> queue = queue(context, bean);
        queue.send(ORDER);
        Stowline client = context.getBean(bean.startsWith("archive") ? "archiveStowline" : "stowline", Stowline.class);
        String text =
                client.queue(queue.name()).receive().map(ReceivedMessage::body).orElseThrow();
        queue.clear();
        return text;
    }

    @Test
    @DisplayName("declared queues, envelopes, queues by name and outboxes of all accounts have it")
    void everywhere() {
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .run(context -> {
                    assertThat(sent(context, "ordersQueue")).contains("\"runner_name\":\"Ann\"", "\"remark\":null");
                    assertThat(sent(context, "archiveOrdersQueue")).contains("\"runner_name\":\"Ann\"");
                    assertThat(sent(context, "eventsQueue"))
                            .contains("\"data\":{", "\"runner_name\":\"Ann\"", "\"application/json\"");

                    Stowline client = context.getBean("stowline", Stowline.class);
                    client.queue("orders", ShirtOrder.class).send(ORDER);
                    assertThat(queue(context, "ordersQueue").receive())
                            .hasValueSatisfying(
                                    message -> assertThat(message.body()).isEqualTo(ORDER));
                    queue(context, "ordersQueue").clear();

                    client.table("runners").create();
                    client.table("runners")
                            .transaction("2026")
                            .insert(Entity.builder("2026", "1").build())
                            .send(queue(context, "ordersQueue"), ORDER)
                            .commit();
                    assertThat(client.queue("orders").receive())
                            .hasValueSatisfying(
                                    message -> assertThat(message.body()).contains("\"runner_name\":\"Ann\""));
                });
    }

    @Test
    @DisplayName("a property keeps the library's mapping, for all accounts or for one")
    void library() {
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withPropertyValues("stowline.queue.json=library")
                .run(context -> {
                    assertThat(sent(context, "ordersQueue"))
                            .contains("\"runnerName\":\"Ann\"")
                            .doesNotContain("remark");
                    assertThat(sent(context, "archiveOrdersQueue")).contains("\"runnerName\":\"Ann\"");
                });
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withPropertyValues("stowline.accounts.archive.queue.json=library")
                .run(context -> {
                    assertThat(sent(context, "ordersQueue")).contains("\"runner_name\":\"Ann\"");
                    assertThat(sent(context, "archiveOrdersQueue")).contains("\"runnerName\":\"Ann\"");
                });
    }

    @Test
    @DisplayName("a customizer or a serializer of the application goes before it")
    void replaced() {
        JsonSerializer own = new MapperSerializer(JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .build());
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withBean(StowlineBuilderCustomizer.class, () -> builder -> builder.messageSerializer(own))
                .run(context -> assertThat(sent(context, "ordersQueue")).contains("\"runner-name\""));
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withBean(JsonSerializer.class, () -> own)
                .run(context -> assertThat(sent(context, "ordersQueue")).contains("\"runner-name\""));
    }

    @Test
    @DisplayName("without a mapper, or with several, the library's mapping stays")
    void noMapper() {
        runner.run(context -> assertThat(sent(context, "ordersQueue")).contains("\"runnerName\""));
        runner.withBean("one", JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withBean("other", JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .run(context -> assertThat(sent(context, "ordersQueue")).contains("\"runnerName\""));
        runner.withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .run(context -> assertThat(sent(context, "ordersQueue")).contains("\"runnerName\""));
    }

    @Test
    @DisplayName("a mapper that is required and missing is named, and so is another value")
    void required() {
        runner.withPropertyValues("stowline.queue.json=boot")
                .withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(StowlineConfigurationException.class)
                        .hasMessage(
                                "The property 'stowline.queue.json' is 'boot', which is refused: there is no single bean"
                                        + " of type tools.jackson.databind.json.JsonMapper: add spring-boot-starter-jackson,"
                                        + " mark one of several as primary, or set 'library'."));
        runner.withBean(JsonMapper.class, StowlineJsonAutoConfigurationTest::snakeCase)
                .withPropertyValues("stowline.accounts.archive.queue.json=gson")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage(
                                "The property 'stowline.accounts.archive.queue.json' is 'gson', which is refused: it is"
                                        + " 'boot' or 'library'."));
    }

    @Test
    @DisplayName("messages in flight are read by either mapping: dates, nulls and unknown properties")
    void inFlight() {
        JsonMapper plain = JsonMapper.builder().build();
        runner.withBean(JsonMapper.class, () -> plain).run(byBoot -> {
            queue(byBoot, "ordersQueue").send(ORDER);
            runner.withPropertyValues("stowline.queue.json=library").run(byLibrary -> {
                assertThat(queue(byLibrary, "ordersQueue").receive())
                        .hasValueSatisfying(
                                message -> assertThat(message.body()).isEqualTo(ORDER));
                queue(byLibrary, "ordersQueue").clear();
                queue(byLibrary, "ordersQueue").send(ORDER);
            });
            assertThat(queue(byBoot, "ordersQueue").receive())
                    .hasValueSatisfying(message -> assertThat(message.body()).isEqualTo(ORDER));

            MessageQueue<String> texts =
                    byBoot.getBean("stowline", Stowline.class).queue("orders");
            texts.clear();
            texts.send("{\"runnerName\":\"Bob\",\"pieces\":1,\"later\":true}");
            assertThat(queue(byBoot, "ordersQueue").receive())
                    .hasValueSatisfying(
                            message -> assertThat(message.body().runnerName()).isEqualTo("Bob"));
            texts.clear();
            texts.send("{\"runnerName\":\"secret\"}");
            List<ReceivedMessage<ShirtOrder>> without =
                    queue(byBoot, "ordersQueue").receive(1);
            assertThat(without).singleElement().satisfies(message -> assertThat(message.failure())
                    .hasValueSatisfying(failure -> assertThat(failure)
                            .hasMessageContaining(MismatchedInputException.class.getName())
                            .hasMessageNotContaining("secret")));
        });
    }
}
