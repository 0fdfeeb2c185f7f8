package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.Cors;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The properties of services, which other tests share: each test leaves them as they were. */
class ServicePropertiesIT extends StorageTest {

    private static final String ORIGIN = "https://app.example.com";

    private static final CorsRule UPLOADS = CorsRule.builder()
            .allowedOrigins(ORIGIN)
            .allowedMethods("GET", "PUT")
            .allowedHeaders("content-type", "x-ms-*")
            .exposedHeaders("etag")
            .maxAge(Duration.ofMinutes(5))
            .build();

    /** Azurite's table service refuses a rule without headers, which the blob service takes. */
    private static final CorsRule READS = reads(CorsRule.builder()).build();

    private final Map<ServiceType, ServiceInfo> before = new EnumMap<>(ServiceType.class);

    private static CorsRule.Builder reads(CorsRule.Builder rule) {
        return rule.allowedOrigins("*")
                .allowedMethods("GET")
                .allowedHeaders("*")
                .exposedHeaders("*");
    }

    @BeforeEach
    void remember() {
        for (ServiceType service : ServiceType.values()) {
            before.put(service, storage.serviceProperties(service).info());
        }
    }

    @AfterEach
    void restore() {
        before.forEach((service, info) -> {
            storage.cors(service).set(info.corsRules());
            ServiceProperties properties = storage.serviceProperties(service);
            if (info.logging() != null) {
                properties.setLogging(info.logging());
            }
            if (info.hourMetrics() != null) {
                properties.setHourMetrics(info.hourMetrics());
            }
            if (info.minuteMetrics() != null) {
                properties.setMinuteMetrics(info.minuteMetrics());
            }
        });
        ServiceProperties blobs = storage.serviceProperties(ServiceType.BLOB);
        blobs.setSoftDelete(SoftDelete.off());
        blobs.setStaticWebsite(StaticWebsite.off());
    }

    @ParameterizedTest
    @EnumSource(ServiceType.class)
    @DisplayName("ACCESS-3: CORS rules are set, read in their order and removed, by both faces")
    void corsRules(ServiceType service) {
        Cors cors = storage.cors(service);

        WriteResult set = cors.set(List.of(UPLOADS, READS));

        assertThat(set.outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(cors.rules()).containsExactly(UPLOADS, READS);
        assertThat(cors.reactive().rules().block()).containsExactly(UPLOADS, READS);
        assertThat(cors.reactive().set(ServicePropertiesIT::reads).block().outcome())
                .isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(cors.rules()).containsExactly(READS);
        cors.clear();
        assertThat(cors.rules()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ServiceType.class)
    @DisplayName("ACCESS-3: a browser's preflight gets 200 for what a rule allows, 403 for what none allows, and 400"
            + " without a method")
    void preflight(ServiceType service) throws Exception {
        storage.cors(service).set(List.of(UPLOADS));

        HttpResponse<String> allowed = preflight(service, ORIGIN, "PUT", "x-ms-blob-type,content-type");
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin")).contains(ORIGIN);
        assertThat(allowed.headers().firstValue("Access-Control-Max-Age")).contains("300");
        assertThat(preflight(service, "https://other.example.com", "PUT", null).statusCode())
                .isEqualTo(403);
        assertThat(preflight(service, ORIGIN, "DELETE", null).statusCode()).isEqualTo(403);
        assertThat(preflight(service, ORIGIN, "PUT", "authorization").statusCode())
                .isEqualTo(403);
        assertThat(preflight(service, ORIGIN, null, null).statusCode()).isEqualTo(400);

        storage.cors(service).clear();
        assertThat(preflight(service, ORIGIN, "PUT", null).statusCode()).isEqualTo(403);
    }

    private HttpResponse<String> preflight(
            ServiceType service, String origin, @Nullable String method, @Nullable String headers)
            throws IOException, InterruptedException {
        URI root = Objects.requireNonNull(storage.endpoints().get(service.name().toLowerCase(Locale.ROOT)));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + "/photos/a.jpg"))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", origin);
        if (method != null) {
            request.header("Access-Control-Request-Method", method);
        }
        if (headers != null) {
            request.header("Access-Control-Request-Headers", headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource(ServiceType.class)
    @DisplayName("ACCESS-3: setting one property leaves all others as they are")
    void othersStay(ServiceType service) {
        ServiceProperties properties = storage.serviceProperties(service);
        AnalyticsLogging logging = new AnalyticsLogging("1.0", true, false, true, 3);
        AnalyticsMetrics hours = AnalyticsMetrics.all(7);
        AnalyticsMetrics minutes = new AnalyticsMetrics(true, false, 2);

        storage.cors(service).set(List.of(UPLOADS));
        properties.setLogging(logging);
        properties.setHourMetrics(hours);
        properties.reactive().setMinuteMetrics(minutes).block();

        ServiceInfo info = properties.info();
        assertThat(info.corsRules()).containsExactly(UPLOADS);
        assertThat(info.logging()).isEqualTo(logging);
        assertThat(info.hourMetrics()).isEqualTo(hours);
        assertThat(info.minuteMetrics()).isEqualTo(minutes);
        ServiceInfo old = Objects.requireNonNull(before.get(service));
        assertThat(info.softDelete()).isEqualTo(old.softDelete());
        assertThat(info.staticWebsite()).isEqualTo(old.staticWebsite());
        assertThat(info.defaultVersion()).isEqualTo(old.defaultVersion());
        assertThat(properties.reactive().info().block()).isEqualTo(info);
    }

    @Test
    @DisplayName("ACCESS-3: soft delete, website and default version of blobs are set one by one")
    void ofBlobs() {
        ServiceProperties blobs = storage.serviceProperties(ServiceType.BLOB);
        storage.cors(ServiceType.BLOB).set(List.of(READS));
        StaticWebsite website = StaticWebsite.of("index.html").withErrorDocument("errors/404.html");

        blobs.setSoftDelete(SoftDelete.days(7));
        blobs.setStaticWebsite(website);
        blobs.setDefaultVersion("2021-12-02");

        ServiceInfo info = blobs.info();
        assertThat(info.softDelete()).isEqualTo(SoftDelete.days(7));
        assertThat(info.staticWebsite()).isEqualTo(website);
        assertThat(info.defaultVersion()).isEqualTo("2021-12-02");
        assertThat(info.corsRules()).containsExactly(READS);
        blobs.setSoftDelete(SoftDelete.off());
        blobs.setStaticWebsite(StaticWebsite.off());
        assertThat(blobs.info().softDelete()).isEqualTo(SoftDelete.off());
        assertThat(blobs.info().staticWebsite().enabled()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.serviceProperties(ServiceType.QUEUE).setSoftDelete(SoftDelete.days(7)))
                .withMessageContaining("QUEUE");
    }

    @ParameterizedTest
    @EnumSource(ServiceType.class)
    @DisplayName("OUTCOME-8, ACCESS-3: rules whose responses are all lost are read back and RECOVERED")
    void lostResponses(ServiceType service) {
        Cors cors = storage.cors(service);
        cors.clear();
        FaultRule lost = proxy().when(
                        requests().method("PUT").query("comp", "properties").times(5))
                .loseResponse();

        WriteResult set = cors.set(List.of(UPLOADS));

        assertThat(lost.hits()).isEqualTo(5);
        assertThat(set.outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(set.evidence()).isEqualTo(Evidence.CONTENT);
        assertThat(set.mayHaveRepeated()).isTrue();
        assertThat(cors.rules()).containsExactly(UPLOADS);
        assertThat(cors.clear().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    @DisplayName("ACCESS-3: rules beyond a limit are refused before anything is sent")
    void beyondLimits() {
        int sent = puts().size();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.cors(ServiceType.BLOB).set(Collections.nCopies(6, READS)))
                .withMessageContaining("at most 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.cors(ServiceType.BLOB)
                        .reactive()
                        .set(rule -> rule.allowedOrigins("*").allowedMethods("FOO"))
                        .block())
                .withMessageContaining("FOO");
        assertThat(puts()).hasSize(sent);
    }

    private static List<RecordedExchange> puts() {
        return proxy().recorded(requests().method("PUT").query("comp", "properties"));
    }
}
