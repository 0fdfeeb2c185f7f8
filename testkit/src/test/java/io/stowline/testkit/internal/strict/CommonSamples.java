package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.wire.HttpDate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The samples of the rules that several services share. */
final class CommonSamples {

    private CommonSamples() {}

    static List<StrictSample> all(Clock clock) {
        return List.of(
                new StrictSample(StrictRule.CORS_RULES, cors(6, "GET", "x-a"), cors(5, "GET", "x-a")),
                new StrictSample(
                        StrictRule.CORS_SIZE, cors(5, "GET", headers(2, 201)), cors(5, "GET", headers(2, 200))),
                new StrictSample(
                        StrictRule.CORS_LENGTH, cors(1, "GET", "h".repeat(257)), cors(1, "GET", "h".repeat(256))),
                new StrictSample(
                        StrictRule.CORS_HEADERS, cors(1, "GET", headers(65, 3)), cors(1, "GET", headers(64, 3))),
                new StrictSample(StrictRule.CORS_METHOD, cors(1, "FOO", "x-a"), cors(1, "GET,MERGE", "x-a")),
                new StrictSample(StrictRule.RETENTION_DAYS, retention(366), retention(365)),
                new StrictSample(
                        StrictRule.STATIC_WEBSITE,
                        properties(
                                "<StaticWebsite><Enabled>false</Enabled><IndexDocument>a</IndexDocument></StaticWebsite>"),
                        properties("<StaticWebsite><Enabled>false</Enabled></StaticWebsite>")),
                new StrictSample(StrictRule.ACCESS_POLICIES, policies(6, "p"), policies(5, "p")),
                new StrictSample(StrictRule.ACCESS_POLICY_ID, policies(1, "p".repeat(64)), policies(1, "p".repeat(63))),
                new StrictSample(
                        StrictRule.DATE_SKEW,
                        dated(clock, Duration.ofMinutes(-15).minusSeconds(1)),
                        dated(clock, Duration.ofMinutes(15))),
                new StrictSample(StrictRule.DATE_MISSING, read().header("x-ms-date", ""), read()),
                new StrictSample(StrictRule.VERSION_MISSING, read().withoutHeader("x-ms-version"), read()));
    }

    private static StrictProbe read() {
        return StrictProbe.queue("GET", "/" + QueueSamples.QUEUE + "?comp=metadata");
    }

    private static StrictProbe dated(Clock clock, Duration ahead) {
        Instant date = clock.instant().plus(ahead);
        return read().header("x-ms-date", HttpDate.format(date));
    }

    private static String headers(int count, int length) {
        return IntStream.range(0, count).mapToObj(i -> "h".repeat(length)).collect(Collectors.joining(","));
    }

    private static StrictProbe cors(int rules, String methods, String headers) {
        return properties("<Cors>"
                + ("<CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>" + methods
                                + "</AllowedMethods><AllowedHeaders>" + headers
                                + "</AllowedHeaders><ExposedHeaders>x-b</ExposedHeaders>"
                                + "<MaxAgeInSeconds>5</MaxAgeInSeconds></CorsRule>")
                        .repeat(rules)
                + "</Cors>");
    }

    private static StrictProbe retention(int days) {
        return properties(
                "<DeleteRetentionPolicy><Enabled>true</Enabled><Days>" + days + "</Days></DeleteRetentionPolicy>");
    }

    private static StrictProbe properties(String xml) {
        return StrictProbe.blob("PUT", "/?restype=service&comp=properties")
                .body("application/xml", "<StorageServiceProperties>" + xml + "</StorageServiceProperties>");
    }

    private static StrictProbe policies(int count, String id) {
        return StrictProbe.queue("PUT", "/" + QueueSamples.QUEUE + "?comp=acl")
                .body(
                        "application/xml",
                        "<SignedIdentifiers>"
                                + IntStream.range(0, count)
                                        .mapToObj(i -> "<SignedIdentifier><Id>" + id + i
                                                + "</Id><AccessPolicy><Permission>r</Permission></AccessPolicy>"
                                                + "</SignedIdentifier>")
                                        .collect(Collectors.joining())
                                + "</SignedIdentifiers>");
    }
}
