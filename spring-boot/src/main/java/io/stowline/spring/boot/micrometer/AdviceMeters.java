package io.stowline.spring.boot.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The gauges {@code stowline.advice}: 1 for a practice with an open finding of a severity, else 0. Practices that no traffic shows have
 * none. Thread-safe.
 */
final class AdviceMeters implements MeterBinder {

    /** One export reads all gauges. */
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final Advisor advisor;
    private final Clock clock;
    private @Nullable AdviceReport report;
    private Instant read = Instant.MIN;

    AdviceMeters(Advisor advisor) {
        this.advisor = advisor;
        this.clock = advisor.settings().clock();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Practice practice : Practice.values()) {
            if (practice.kind() != Practice.Kind.GUIDE) {
                Arrays.stream(Severity.values())
                        .filter(Severity::isBroken)
                        .forEach(severity -> bind(registry, practice, severity));
            }
        }
    }

    private void bind(MeterRegistry registry, Practice practice, Severity severity) {
        Gauge.builder("stowline.advice", this, meters -> meters.isOpen(practice, severity) ? 1 : 0)
                .description("practices with an open finding")
                .tag("practice", practice.name())
                .tag("severity", severity.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private boolean isOpen(Practice practice, Severity severity) {
        Finding finding = present().of(practice);
        return finding.isOpen() && finding.severity() == severity;
    }

    private synchronized AdviceReport present() {
        Instant now = clock.instant();
        AdviceReport last = report;
        if (last == null || now.isAfter(read.plus(MAX_AGE)) || now.isBefore(read)) {
            last = advisor.report();
            report = last;
            read = now;
        }
        return last;
    }
}
