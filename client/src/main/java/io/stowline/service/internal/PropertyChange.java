package io.stowline.service.internal;

import io.stowline.error.internal.PrintableText;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.transport.StorageLimits;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A change of one property of a service, whose value is checked.
 *
 * @param verb the caller's verb
 * @param property the property, as an error names it
 * @param stored whether the properties that were read have the value
 * @param xml the body of the request with this property only
 */
record PropertyChange(String verb, String property, Predicate<ServiceInfo> stored, String xml) {

    private static final Pattern VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final String FIRST_VERSION = "2008-10-27";
    private static final Set<String> LOG_VERSIONS = Set.of("1.0", "2.0");

    static PropertyChange cors(List<CorsRule> rules) {
        CorsLimits.check(rules);
        return new PropertyChange(
                "setCorsRules",
                "CORS rules",
                info -> same(info.corsRules(), rules),
                ServicePropertiesXml.corsRules(rules));
    }

    /** The service gives the headers of a rule in another order than it got them. */
    private static boolean same(List<CorsRule> found, List<CorsRule> requested) {
        return found.size() == requested.size()
                && IntStream.range(0, found.size()).allMatch(i -> same(found.get(i), requested.get(i)));
    }

    private static boolean same(CorsRule found, CorsRule requested) {
        return Set.copyOf(found.allowedOrigins()).equals(Set.copyOf(requested.allowedOrigins()))
                && Set.copyOf(found.allowedMethods()).equals(Set.copyOf(requested.allowedMethods()))
                && headers(found.allowedHeaders()).equals(headers(requested.allowedHeaders()))
                && headers(found.exposedHeaders()).equals(headers(requested.exposedHeaders()))
                && found.maxAge().equals(requested.maxAge());
    }

    private static Set<String> headers(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    static PropertyChange softDelete(ServiceType service, SoftDelete softDelete) {
        String property = ofBlobs(service, "soft delete");
        int days = softDelete.days();
        checkDays(property, days);
        if (days == 0 && softDelete.permanentDelete()) {
            throw new IllegalArgumentException("permanentDelete is set for a soft delete that is off: it needs days");
        }
        return new PropertyChange(
                "setSoftDelete",
                property,
                info -> softDelete.equals(info.softDelete()),
                ServicePropertiesXml.softDelete(softDelete));
    }

    static PropertyChange staticWebsite(ServiceType service, StaticWebsite website) {
        String property = ofBlobs(service, "static website");
        String index = website.indexDocument();
        if (index != null && index.contains("/")) {
            throw new IllegalArgumentException("the indexDocument is \"" + PrintableText.of(index)
                    + "\": it is a name without \"/\", which the service looks for in each folder");
        }
        if (index != null && website.defaultIndexPath() != null) {
            throw new IllegalArgumentException("a static website has an indexDocument or a defaultIndexPath, not both");
        }
        if (!website.enabled() && !website.equals(StaticWebsite.off())) {
            throw new IllegalArgumentException("a static website that is off has no pages");
        }
        return new PropertyChange(
                "setStaticWebsite",
                property,
                info -> website.equals(info.staticWebsite()),
                ServicePropertiesXml.staticWebsite(website));
    }

    static PropertyChange defaultVersion(ServiceType service, String version) {
        String property = ofBlobs(service, "default version");
        if (!VERSION.matcher(version).matches() || version.compareTo(FIRST_VERSION) < 0) {
            throw new IllegalArgumentException("the default version is \"" + PrintableText.of(version)
                    + "\": a version is a date such as 2021-12-02, not before " + FIRST_VERSION);
        }
        return new PropertyChange(
                "setDefaultVersion",
                property,
                info -> version.equals(info.defaultVersion()),
                ServicePropertiesXml.defaultVersion(version));
    }

    static PropertyChange logging(AnalyticsLogging logging) {
        if (!LOG_VERSIONS.contains(logging.version())) {
            throw new IllegalArgumentException("the version of the logging is \"" + PrintableText.of(logging.version())
                    + "\": the service knows 1.0 and 2.0");
        }
        checkDays("logging", logging.retentionDays());
        return new PropertyChange(
                "setLogging", "logging", info -> logging.equals(info.logging()), ServicePropertiesXml.logging(logging));
    }

    static PropertyChange hourMetrics(AnalyticsMetrics metrics) {
        checkMetrics("hour metrics", metrics);
        return new PropertyChange(
                "setHourMetrics",
                "hour metrics",
                info -> Objects.equals(metrics, info.hourMetrics()),
                ServicePropertiesXml.metrics("HourMetrics", metrics));
    }

    static PropertyChange minuteMetrics(AnalyticsMetrics metrics) {
        checkMetrics("minute metrics", metrics);
        return new PropertyChange(
                "setMinuteMetrics",
                "minute metrics",
                info -> Objects.equals(metrics, info.minuteMetrics()),
                ServicePropertiesXml.metrics("MinuteMetrics", metrics));
    }

    private static void checkMetrics(String property, AnalyticsMetrics metrics) {
        checkDays(property, metrics.retentionDays());
        if (!metrics.enabled() && metrics.includeApis()) {
            throw new IllegalArgumentException("includeApis is set for " + property + " that are off");
        }
    }

    private static String ofBlobs(ServiceType service, String property) {
        if (service != ServiceType.BLOB) {
            throw new IllegalArgumentException(
                    "the " + property + " is a property of the service BLOB, not of " + service);
        }
        return property;
    }

    private static void checkDays(String property, int days) {
        if (days < 0 || days > StorageLimits.RETENTION_MAX_DAYS) {
            throw new IllegalArgumentException("the days of the " + property + " are " + days + ": 1 to "
                    + StorageLimits.RETENTION_MAX_DAYS + " are allowed, and 0 for off");
        }
    }
}
