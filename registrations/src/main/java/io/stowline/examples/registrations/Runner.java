package io.stowline.examples.registrations;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * A runner in a race: an entity of the table, the JSON of the service and a row of an import.
 *
 * @param race the race, which is the partition
 * @param email the address of the runner, who registers once for a race
 * @param bib the number on the shirt, which one runner of a race has
 * @param name the whole name
 * @param age in years
 * @param country two letters
 */
record Runner(
        @PartitionKey @NotNull @Pattern(regexp = RaceSettings.NAME)
        String race,

        @RowKey
        @NotNull
        @Size(max = 200)
        @Pattern(regexp = "[a-z0-9._+-]+@[a-z0-9.-]+", message = "must be an address in lower case")
        String email,

        @Min(1) @Max(99_999) int bib,
        @NotBlank @Size(max = 100) String name,
        @Min(16) @Max(120) int age,

        @NotNull @Pattern(regexp = "[A-Z]{2}", message = "must be two capital letters")
        String country) {}
