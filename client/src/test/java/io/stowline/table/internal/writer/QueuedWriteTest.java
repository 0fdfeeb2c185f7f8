package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueuedWriteTest {

    private final QueuedWrite.Descriptor descriptor = new QueuedWrite.Descriptor();

    private static QueuedWrite item(EntityVerb verb, String rowKey) {
        return new QueuedWrite(
                Operations.client(null), Operations.operation(verb, "p", rowKey, "text"), new WriteCounters());
    }

    @Test
    @DisplayName("BATCH-4: within a partition the row key is the entity, whatever is done to it")
    void entityIsTheRow() {
        assertThat(descriptor.entity(item(EntityVerb.INSERT, "r")))
                .isEqualTo(descriptor.entity(item(EntityVerb.DELETE, "r")));
        assertThat(descriptor.entity(item(EntityVerb.INSERT, "r")))
                .isNotEqualTo(descriptor.entity(item(EntityVerb.INSERT, "R")));
    }

    @ParameterizedTest
    @DisplayName("BATCH-4: only a replacing upsert stands for an earlier upsert")
    @CsvSource({
        "INSERT_OR_REPLACE, INSERT_OR_REPLACE, true",
        "INSERT_OR_MERGE, INSERT_OR_REPLACE, true",
        "INSERT_OR_REPLACE, INSERT_OR_MERGE, false",
        "INSERT_OR_MERGE, INSERT_OR_MERGE, false",
        "INSERT, INSERT_OR_REPLACE, false",
        "REPLACE, INSERT_OR_REPLACE, false",
        "DELETE, INSERT_OR_REPLACE, false",
        "INSERT_OR_REPLACE, REPLACE, false",
        "INSERT_OR_REPLACE, DELETE, false"
    })
    void coalesces(EntityVerb earlier, EntityVerb later, boolean together) {
        QueuedWrite last = item(later, "r");

        assertThat(descriptor.coalesce(item(earlier, "r"), last)).isSameAs(together ? last : null);
    }

    @Test
    @DisplayName("BATCH-9: a leftover tells what it was")
    void tellsWhatItIs() {
        assertThat(item(EntityVerb.INSERT_OR_MERGE, "r")).hasToString("insertOrMerge notes(p, r)");
    }

    @Test
    @DisplayName("BATCH-6: table names are the same in any case, keys are not")
    void laneKeys() {
        assertThat(LaneKey.of("Notes", "p")).isEqualTo(LaneKey.of("nOTES", "p"));
        assertThat(LaneKey.of("notes", "p")).isNotEqualTo(LaneKey.of("notes", "P"));
    }
}
