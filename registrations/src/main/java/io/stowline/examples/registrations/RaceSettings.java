package io.stowline.examples.registrations;

import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;

/**
 * The settings of a race as an entity.
 *
 * @param race the name of the race in addresses, such as {@code nyc-2026}
 * @param part which settings these are; there is one kind only
 * @param rules what the service checks
 */
record RaceSettings(
        @PartitionKey String race,
        @RowKey String part,
        @Nested Rules rules) {

    static final String NAME = "[a-z0-9-]{1,60}";
    static final String RULES = "rules";

    static RaceSettings of(String race, Rules rules) {
        return new RaceSettings(race, RULES, rules);
    }

    /**
     * The rules of a race.
     *
     * @param opens when registration begins
     * @param closes when it ends
     * @param capacity the highest bib
     */
    record Rules(
            @NotNull Instant opens,
            @NotNull Instant closes,
            @Min(1) @Max(99_999) int capacity) {

        boolean openAt(Instant now) {
            return !now.isBefore(opens) && now.isBefore(closes);
        }
    }
}
