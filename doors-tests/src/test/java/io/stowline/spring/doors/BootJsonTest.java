package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Instant;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName(
        "message bodies have the JSON of Spring Boot's own mapper, and differ from the library's as the guide says")
class BootJsonTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final ApplicationContextRunner boot = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JacksonAutoConfiguration.class,
                    StowlineJsonAutoConfiguration.class,
                    StowlineAutoConfiguration.class))
            .withBean(StowlineBuilderCustomizer.class, () -> builder -> builder.httpClient(memory.httpClient()))
            .withPropertyValues("stowline.connection-string=" + memory.connectionString());
    private final ApplicationContextRunner library = boot.withPropertyValues("stowline.queue.json=library");

    enum Size {
        SMALL;

        @Override
        public String toString() {
            return "a small one";
        }
    }

    record Order(String id, String remark, int pieces, Size size, Instant at) {}

    record Late(ZonedDateTime at) {}

    record Dated(OffsetDateTime at) {}

    record Monthly(Month month) {}

    record Units(ChronoUnit unit) {}

    record Place(Locale locale) {}

    record Marker() {}

    record Maybe(Optional<String> name) {}

    static final class Fields {
        private String hidden = "";

        static Fields of(String hidden) {
            Fields fields = new Fields();
            fields.hidden = hidden;
            return fields;
        }

        @Override
        public String toString() {
            return hidden;
        }
    }

    private <T> String sent(ApplicationContextRunner runner, Class<T> type, T body) {
        String[] text = new String[1];
        runner.run(context -> {
            Stowline storage = context.getBean(Stowline.class);
            storage.queue("bodies").createIfMissing();
            storage.queue("bodies", type).send(body);
            text[0] =
                    storage.queue("bodies").receive().map(ReceivedMessage::body).orElseThrow();
            storage.queue("bodies").clear();
        });
        return text[0];
    }

    private <T> ReceivedMessage<T> received(ApplicationContextRunner runner, Class<T> type, String text) {
        Object[] message = new Object[1];
        runner.run(context -> {
            Stowline storage = context.getBean(Stowline.class);
            MessageQueue<String> texts = storage.queue("bodies");
            texts.createIfMissing();
            texts.send(text);
            message[0] = storage.queue("bodies", type).receive().orElseThrow();
            texts.clear();
        });
        @SuppressWarnings("unchecked") // of the queue with this type
        ReceivedMessage<T> received = (ReceivedMessage<T>) message[0];
        return received;
    }

    @Test
    @DisplayName("null, missing and unknown properties")
    void properties() {
        Order order = new Order("1", null, 2, null, Instant.parse("2026-11-29T07:00:00Z"));

        assertThat(sent(boot, Order.class, order)).contains("\"remark\":null", "\"at\":\"2026-11-29T07:00:00Z\"");
        assertThat(sent(library, Order.class, order))
                .doesNotContain("remark")
                .contains("\"at\":\"2026-11-29T07:00:00Z\"");
        for (ApplicationContextRunner runner : new ApplicationContextRunner[] {boot, library}) {
            assertThat(received(runner, Order.class, sent(boot, Order.class, order))
                            .body())
                    .isEqualTo(order);
            assertThat(received(runner, Order.class, sent(library, Order.class, order))
                            .body())
                    .isEqualTo(order);
            assertThat(received(runner, Order.class, "{\"id\":\"1\",\"pieces\":2,\"more\":true}")
                            .body()
                            .pieces())
                    .isEqualTo(2);
        }
        assertThat(received(library, Order.class, "{\"id\":\"1\"}").body().pieces())
                .isZero();
        assertThat(received(boot, Order.class, "{\"id\":\"1\"}").isDecodable()).isFalse();
        assertThat(received(
                                boot.withPropertyValues(
                                        "spring.jackson.deserialization.fail-on-null-for-primitives=false"),
                                Order.class,
                                "{\"id\":\"1\"}")
                        .body()
                        .pieces())
                .isZero();
    }

    @Test
    @DisplayName("offsets and months")
    void times() {
        Dated dated = new Dated(OffsetDateTime.of(2026, 11, 29, 3, 0, 0, 0, ZoneOffset.ofHours(2)));
        assertThat(received(library, Dated.class, sent(library, Dated.class, dated))
                        .body())
                .isEqualTo(dated);
        assertThat(received(boot, Dated.class, sent(library, Dated.class, dated))
                        .body()
                        .at())
                .isEqualTo(dated.at().withOffsetSameInstant(ZoneOffset.UTC));
        assertThat(sent(library, Monthly.class, new Monthly(Month.MAY))).isEqualTo("{\"month\":\"MAY\"}");
        assertThat(sent(boot, Monthly.class, new Monthly(Month.MAY))).isEqualTo("{\"month\":5}");
        assertThat(received(library, Monthly.class, "{\"month\":5}").body().month())
                .isEqualTo(Month.MAY);
        assertThat(received(library, Monthly.class, "{\"month\":12}").body().month())
                .isEqualTo(Month.DECEMBER);
        assertThat(received(boot, Monthly.class, "{\"month\":\"MAY\"}").body().month())
                .isEqualTo(Month.MAY);
    }

    @Test
    @DisplayName("units and locales")
    void textForms() {
        Units units = new Units(ChronoUnit.DAYS);
        assertThat(received(library, Units.class, sent(boot, Units.class, units))
                        .isDecodable())
                .isFalse();
        assertThat(received(boot, Units.class, sent(library, Units.class, units))
                        .isDecodable())
                .isFalse();
        Place place = new Place(Locale.forLanguageTag("zh-Hant-TW"));
        assertThat(received(boot, Place.class, sent(boot, Place.class, place)).body())
                .isEqualTo(place);
        assertThat(received(boot, Place.class, sent(library, Place.class, place))
                        .body())
                .isNotEqualTo(place);
        assertThat(received(library, Place.class, sent(boot, Place.class, place))
                        .body())
                .isNotEqualTo(place);
        assertThat(received(library, Place.class, sent(library, Place.class, place))
                        .body())
                .isEqualTo(place);
    }

    @Test
    @DisplayName("enums with a text, zones, optional values and fields")
    void values() {
        Order order = new Order("1", null, 2, Size.SMALL, null);
        Late late = new Late(ZonedDateTime.of(2026, 11, 29, 8, 0, 0, 0, ZoneId.of("Europe/Berlin")));

        assertThat(sent(library, Order.class, order)).contains("\"size\":\"SMALL\"");
        assertThat(sent(boot, Order.class, order)).contains("\"size\":\"a small one\"");
        assertThat(sent(library, Late.class, late)).contains("+01:00[Europe/Berlin]");
        assertThat(sent(boot, Late.class, late)).contains("+01:00\"");
        assertThat(received(boot, Late.class, sent(boot, Late.class, late))
                        .body()
                        .at())
                .isEqualTo(late.at().withZoneSameInstant(ZoneOffset.UTC));
        assertThat(sent(boot, Maybe.class, new Maybe(Optional.of("Ann")))).contains("\"name\":\"Ann\"");
        assertThat(sent(library, Fields.class, Fields.of("x"))).isEqualTo("{\"hidden\":\"x\"}");
        boot.run(context -> assertThatIllegalArgumentException()
                .isThrownBy(() -> context.getBean(Stowline.class)
                        .queue("bodies", Fields.class)
                        .send(Fields.of("x")))
                .withMessageEndingWith(
                        "cannot be written as JSON: tools.jackson.databind.exc.InvalidDefinitionException"));
        assertThat(sent(boot, Marker.class, new Marker())).isEqualTo("{}");
    }
}
