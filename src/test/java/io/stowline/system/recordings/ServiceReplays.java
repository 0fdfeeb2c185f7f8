package io.stowline.system.recordings;

import io.stowline.Stowline;
import io.stowline.outcome.WriteResult;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verbs of the properties of a service that can meet the recorded responses of all services. */
final class ServiceReplays {

    private static final String RETENTION = "RetentionPolicy";

    private ServiceReplays() {}

    static ReplayPlan of(ServiceRecording recording, ServiceType service) {
        String comp = recording.target().parameter("comp");
        if (!"properties".equals(comp) || !"service".equals(recording.target().parameter("restype"))) {
            return ReplayPlan.refused(
                    service.name().toLowerCase(Locale.ROOT) + "s: no verb for " + comp + " of the service");
        }
        return recording.method().equals("PUT") ? setting(recording, service) : reading(recording, service);
    }

    private static ReplayPlan reading(ServiceRecording recording, ServiceType service) {
        VerbOutcome info = VerbOutcome.refusal(recording);
        VerbOutcome rules = info;
        if (!recording.isError()) {
            ServiceInfo expected = info(XmlTree.of(recording.response().body()));
            info = VerbOutcome.of(expected);
            rules = VerbOutcome.of(expected.corsRules());
        }
        return ReplayPlan.of(
                Replay.of(
                                recording,
                                "ServiceProperties.info",
                                c -> c.serviceProperties(service).info(),
                                info)
                        .sending(0, recording),
                Replay.of(recording, "Cors.rules", c -> c.cors(service).rules(), rules)
                        .sending(0, recording));
    }

    /** A refused value may be one that the client does not send; any other set meets its refusal. */
    private static ReplayPlan setting(ServiceRecording recording, ServiceType service) {
        XmlTree sent = recording.requestBody().length == 0 ? null : XmlTree.of(recording.requestBody());
        XmlTree property =
                sent == null || recording.isError() || sent.children().size() != 1
                        ? null
                        : sent.children().get(0);
        Function<Stowline, WriteResult> call =
                property == null ? null : call(service, property.name(), info(Objects.requireNonNull(sent)));
        Replay replay = Replay.of(
                        recording,
                        call == null
                                ? "Cors.clear"
                                : "set " + Objects.requireNonNull(property).name(),
                        storage -> {
                            (call == null ? storage.cors(service).clear() : call.apply(storage)).outcome();
                            return null;
                        },
                        recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING)
                .sending(0, recording);
        return ReplayPlan.of(
                call == null
                        ? replay
                        : replay.checking(requests -> {
                            Map<String, String> own =
                                    texts(XmlTree.of(requests.get(0).body()));
                            return own.equals(texts(Objects.requireNonNull(sent)))
                                    ? null
                                    : "sent " + own + " instead of " + texts(sent);
                        }));
    }

    private static @Nullable Function<Stowline, WriteResult> call(
            ServiceType service, String property, ServiceInfo value) {
        return switch (property) {
            case "Cors" ->
                storage -> storage.cors(service)
                        .set(value.corsRules().stream()
                                .map(ServiceReplays::ofBrowsers)
                                .toList());
            case "DeleteRetentionPolicy" ->
                of(service, p -> p.setSoftDelete(Objects.requireNonNull(value.softDelete())));
            case "StaticWebsite" -> of(service, p -> p.setStaticWebsite(Objects.requireNonNull(value.staticWebsite())));
            case "DefaultServiceVersion" ->
                of(service, p -> p.setDefaultVersion(Objects.requireNonNull(value.defaultVersion())));
            case "Logging" -> of(service, p -> p.setLogging(Objects.requireNonNull(value.logging())));
            case "HourMetrics" -> of(service, p -> p.setHourMetrics(Objects.requireNonNull(value.hourMetrics())));
            case "MinuteMetrics" -> of(service, p -> p.setMinuteMetrics(Objects.requireNonNull(value.minuteMetrics())));
            default -> null;
        };
    }

    private static Function<Stowline, WriteResult> of(
            ServiceType service, Function<ServiceProperties, WriteResult> call) {
        return storage -> call.apply(storage.serviceProperties(service));
    }

    /** The SDKs' samples name hosts as origins, which no browser sends and our client refuses. */
    private static CorsRule ofBrowsers(CorsRule rule) {
        return new CorsRule(
                rule.allowedOrigins().stream().map(ServiceReplays::ofBrowser).toList(),
                rule.allowedMethods(),
                rule.allowedHeaders(),
                rule.exposedHeaders(),
                rule.maxAge());
    }

    private static String ofBrowser(String origin) {
        return origin.equals("*") || origin.contains("://") ? origin : "https://" + origin.strip();
    }

    private static Map<String, String> texts(XmlTree tree) {
        Map<String, String> texts = new TreeMap<>();
        texts("", tree, texts);
        return texts;
    }

    private static void texts(String path, XmlTree tree, Map<String, String> texts) {
        int number = 0;
        for (XmlTree child : tree.children()) {
            String name = path + "/" + child.name() + (child.name().equals("CorsRule") ? number++ : "");
            if (child.children().isEmpty()) {
                texts.put(name, text(child));
            } else {
                texts(name, child, texts);
            }
        }
    }

    private static String text(XmlTree element) {
        if (element.name().equals("AllowedOrigins")) {
            return Stream.of(element.text().split(",", -1))
                    .map(ServiceReplays::ofBrowser)
                    .collect(Collectors.joining(","));
        }
        return element.text().matches("True|False") ? element.text().toLowerCase(Locale.ROOT) : element.text();
    }

    private static ServiceInfo info(XmlTree root) {
        XmlTree cors = root.child("Cors");
        return new ServiceInfo(
                cors == null
                        ? List.of()
                        : cors.children("CorsRule").stream()
                                .map(ServiceReplays::rule)
                                .toList(),
                logging(root.child("Logging")),
                metrics(root.child("HourMetrics")),
                metrics(root.child("MinuteMetrics")),
                root.text("DefaultServiceVersion"),
                softDelete(root.child("DeleteRetentionPolicy")),
                website(root.child("StaticWebsite")));
    }

    private static CorsRule rule(XmlTree rule) {
        return new CorsRule(
                list(rule.text("AllowedOrigins")),
                list(rule.text("AllowedMethods")),
                list(rule.text("AllowedHeaders")),
                list(rule.text("ExposedHeaders")),
                Duration.ofSeconds(Integer.parseInt(Objects.requireNonNull(rule.text("MaxAgeInSeconds")))));
    }

    private static List<String> list(@Nullable String text) {
        return text == null ? List.of() : Stream.of(text.split(",")).toList();
    }

    private static boolean on(XmlTree element, String name) {
        return "true".equalsIgnoreCase(element.text(name));
    }

    private static int daysOf(@Nullable XmlTree policy) {
        return policy != null && on(policy, "Enabled")
                ? Integer.parseInt(Objects.requireNonNull(policy.text("Days")))
                : 0;
    }

    private static @Nullable AnalyticsLogging logging(@Nullable XmlTree logging) {
        return logging == null
                ? null
                : new AnalyticsLogging(
                        Objects.requireNonNull(logging.text("Version")),
                        on(logging, "Read"),
                        on(logging, "Write"),
                        on(logging, "Delete"),
                        daysOf(logging.child(RETENTION)));
    }

    private static @Nullable AnalyticsMetrics metrics(@Nullable XmlTree metrics) {
        return metrics == null
                ? null
                : new AnalyticsMetrics(
                        on(metrics, "Enabled"), on(metrics, "IncludeAPIs"), daysOf(metrics.child(RETENTION)));
    }

    private static @Nullable SoftDelete softDelete(@Nullable XmlTree policy) {
        return policy == null ? null : new SoftDelete(daysOf(policy), on(policy, "AllowPermanentDelete"));
    }

    private static @Nullable StaticWebsite website(@Nullable XmlTree website) {
        return website == null
                ? null
                : new StaticWebsite(
                        on(website, "Enabled"),
                        website.text("IndexDocument"),
                        website.text("ErrorDocument404Path"),
                        website.text("DefaultIndexDocumentPath"));
    }
}
