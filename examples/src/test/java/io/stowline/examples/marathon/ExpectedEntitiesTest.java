package io.stowline.examples.marathon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedEntitiesTest {

    private final ExpectedEntities book = ExpectedEntities.of(List.of(Race.NEW_YORK), 50);

    @Test
    void keepsItsRunnersInTheOrderOfTheirKeys() {
        assertThat(book.of(Race.NEW_YORK))
                .hasSize(50)
                .extracting(Registration::key)
                .isSorted();
    }

    @Test
    void changesAndRemoves() {
        book.change(book.bib(Race.NEW_YORK, 7).aged(99));
        book.remove(book.bib(Race.NEW_YORK, 8));

        assertThat(book.size()).isEqualTo(49);
        assertThat(book.bib(Race.NEW_YORK, 7).age()).isEqualTo(99);
        assertThat(book.where(runner -> runner.bib() == 8)).isEmpty();
    }
}
