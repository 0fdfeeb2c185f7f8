package io.stowline.examples.registrations;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of imports.
 *
 * @param parallel how many imports run at a time
 * @param progressRows how many rows lie between two progress events
 * @param rowsInFlight how many rows of one import wait for their results
 * @param shownProblems how many rows that were not written a report names; it counts all
 */
@Validated
@ConfigurationProperties("registrations.import")
record ImportSettings(
        @DefaultValue("4") @Min(1) int parallel,
        @DefaultValue("1000") @Min(1) int progressRows,
        @DefaultValue("1000") @Min(1) @Max(10_000) int rowsInFlight,
        @DefaultValue("1000") @Min(0) int shownProblems) {}
