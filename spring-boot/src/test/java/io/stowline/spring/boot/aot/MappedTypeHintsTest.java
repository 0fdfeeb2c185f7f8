package io.stowline.spring.boot.aot;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.Converted;
import io.stowline.projection.Converter;
import io.stowline.projection.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;

class MappedTypeHintsTest {

    record Page(int number) {}

    record Book(Page page, String title) {
        Book(@Nested Page page, @Converted(Title.class) String title) {
            this.page = page;
            this.title = title;
        }
    }

    /** Made by the mapping. */
    public static final class Title implements Converter<String, String> {
        @Override
        public Class<String> storedType() {
            return String.class;
        }

        @Override
        public String store(String value) {
            return value;
        }

        @Override
        public String restore(String stored) {
            return stored;
        }
    }

    @Test
    void registersWhatTheParametersOfARecordsConstructorName() {
        RuntimeHints hints = new RuntimeHints();

        new MappedTypeHints(hints.reflection()).register(Book.class);

        assertThat(hints.reflection().typeHints().map(hint -> hint.getType()))
                .containsExactlyInAnyOrder(
                        TypeReference.of(Book.class), TypeReference.of(Page.class), TypeReference.of(Title.class));
    }
}
