package io.stowline.examples.marathon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RosterTest {

    @Test
    void makesUpTheSameRunnersEachTime() {
        List<Registration> runners = Roster.of(Race.NEW_YORK, 100);

        assertThat(runners).hasSize(100).isEqualTo(Roster.of(Race.NEW_YORK, 100));
        assertThat(runners)
                .extracting(Registration::bib)
                .doesNotHaveDuplicates()
                .contains(1, 100);
        assertThat(runners).extracting(Registration::race).containsOnly("2011 New York City Marathon__Full");
        assertThat(runners).extracting(Registration::key).doesNotHaveDuplicates();
    }

    @Test
    void keysBeginWithTheFamily() {
        assertThat(Registration.key("Van den Berg", "Ann", 42)).startsWith(Registration.family("Van den Berg"));
        assertThat(Registration.key("Berger", "Ann", 42)).doesNotStartWith(Registration.family("Berg"));
    }

    @Test
    void aRaceIsAPartitionOfItsMarathon() {
        assertThat(Race.ALL)
                .filteredOn(race -> race.key().startsWith(Race.prefix("2011 New York City Marathon")))
                .extracting(Race::kind)
                .containsExactly("Full", "Half");
    }
}
