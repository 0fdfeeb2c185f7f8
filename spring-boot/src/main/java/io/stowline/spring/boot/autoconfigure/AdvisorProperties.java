package io.stowline.spring.boot.autoconfigure;

import io.stowline.advisor.Practice;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.format.annotation.DateTimeFormat;

/**
 * The properties of the advisor.
 *
 * <p>Immutable and thread-safe.
 *
 * @param enabled Whether an advisor listens to all clients, if stowline-advisor is on the class path.
 * @param window Time that a report covers.
 * @param minSamples Number of events from which a judgement is made.
 * @param showKeys Whether reports and logs show keys and names of blobs, in place of their hashes.
 * @param suppress Practices whose findings are suppressed, such as T5, each with a reason and, if wanted, a last day.
 */
@ConfigurationProperties(AccountProperties.PREFIX + ".advisor")
record AdvisorProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("5m") Duration window,
        @DefaultValue("100") int minSamples,
        @DefaultValue("false") boolean showKeys,
        @DefaultValue Map<Practice, SuppressedPractice> suppress) {

    AdvisorProperties {
        suppress = Map.copyOf(suppress);
    }

    /**
     * The suppression of a practice.
     *
     * @param reason Reason for readers of the report.
     * @param until Last day of the suppression, in UTC.
     */
    record SuppressedPractice(
            @Nullable String reason,

            @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) @Nullable
            LocalDate until) {}
}
