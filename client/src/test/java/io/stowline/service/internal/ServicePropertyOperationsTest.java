package io.stowline.service.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServicePropertyOperationsTest {

    private static final String URL = Bench.ROOT + "/?restype=service&comp=properties&timeout=30";
    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?><StorageServiceProperties>";
    private static final String TAIL = "</StorageServiceProperties>";
    private static final String OFF = "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";

    /** As the blob service gave it in 2019, with another order of headers than they were set in. */
    private static final String RECORDED = "\uFEFF" + HEAD
            + "<Logging><Version>1.0</Version><Read>true</Read><Write>true</Write><Delete>false</Delete>"
            + "<RetentionPolicy><Enabled>true</Enabled><Days>5</Days></RetentionPolicy></Logging>"
            + "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
            + "<RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy></HourMetrics>"
            + "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>" + OFF + "</MinuteMetrics>"
            + "<Cors><CorsRule><AllowedMethods>GET</AllowedMethods><AllowedOrigins>www.xyz.com</AllowedOrigins><AllowedHeaders"
            + " /><ExposedHeaders"
            + " /><MaxAgeInSeconds>0</MaxAgeInSeconds></CorsRule><CorsRule><AllowedMethods>GET,PUT</AllowedMethods><AllowedOrigins>www.xyz.com,"
            + " www.ab.com</AllowedOrigins>"
            + "<AllowedHeaders>x-ms-meta-xyz,x-ms-meta-foo,x-ms-meta-data*,x-ms-meta-target*</AllowedHeaders>"
            + "<ExposedHeaders>x-ms-meta-abc,x-ms-meta-data*</ExposedHeaders><MaxAgeInSeconds>500</MaxAgeInSeconds>"
            + "</CorsRule></Cors><Later><RetentionPolicy><Enabled>true</Enabled></RetentionPolicy></Later>"
            + "<DeleteRetentionPolicy><Enabled>true</Enabled><Days>2</Days></DeleteRetentionPolicy>"
            + "<StaticWebsite><Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>"
            + "<ErrorDocument404Path>errors/error/404error.html</ErrorDocument404Path><Later><a/></Later></StaticWebsite>"
            + "<DefaultServiceVersion>2014-02-14</DefaultServiceVersion>" + TAIL;

    /** Without a scheme these origins would not be set. */
    private static final String STORED = RECORDED.replace("www.", "https://www.");

    private static final List<CorsRule> RULES = List.of(
            CorsRule.builder()
                    .allowedOrigins("https://www.xyz.com")
                    .allowedMethods("GET")
                    .maxAge(Duration.ZERO)
                    .build(),
            CorsRule.builder()
                    .allowedOrigins("https://www.xyz.com", "https://www.ab.com")
                    .allowedMethods("GET", "PUT")
                    .allowedHeaders("x-ms-meta-data*", "x-ms-meta-target*", "x-ms-meta-xyz", "x-ms-meta-foo")
                    .exposedHeaders("x-ms-meta-data*", "x-ms-meta-abc")
                    .maxAge(Duration.ofSeconds(500))
                    .build());

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final ServicePropertyOperations operations = new ServicePropertyOperations(
            ServiceType.BLOB, bench.pipeline(), URI.create(Bench.ROOT), RetrySettings.defaults());

    private Outcome<WriteResult> setRules() {
        return bench.start(operations.set(PropertyChange.cors(RULES)));
    }

    /** The last attempts end without a response, and the deadline leaves time for the read-back. */
    private void allLost() {
        for (int i = 0; i <= RetrySettings.defaults().retries(); i++) {
            wire.breaks(new IOException("connection reset"));
        }
    }

    @Test
    @DisplayName("all properties are read as the service gives them, and elements of later versions are passed over")
    void readsAll() {
        wire.responds(200, RECORDED);

        ServiceInfo info = bench.start(operations.read("serviceInfo")).value();

        assertThat(wire.last().method()).isEqualTo("GET");
        assertThat(wire.last().url()).isEqualTo(URL);
        assertThat(info.corsRules())
                .hasSize(2)
                .first()
                .isEqualTo(new CorsRule(
                        List.of("www.xyz.com"),
                        RULES.get(0).allowedMethods(),
                        RULES.get(0).allowedHeaders(),
                        RULES.get(0).exposedHeaders(),
                        RULES.get(0).maxAge()));
        assertThat(info.corsRules().get(1).allowedOrigins()).containsExactly("www.xyz.com", "www.ab.com");
        assertThat(info.logging()).isEqualTo(new AnalyticsLogging("1.0", true, true, false, 5));
        assertThat(info.hourMetrics()).isEqualTo(AnalyticsMetrics.all(7));
        assertThat(info.minuteMetrics()).isEqualTo(AnalyticsMetrics.off());
        assertThat(info.defaultVersion()).isEqualTo("2014-02-14");
        assertThat(info.softDelete()).isEqualTo(SoftDelete.days(2));
        assertThat(info.staticWebsite())
                .isEqualTo(StaticWebsite.of("index.html").withErrorDocument("errors/error/404error.html"));
    }

    @Test
    @DisplayName("a service without CORS and without properties of blobs has an empty list and nothing else")
    void readsFew() {
        wire.responds(200, HEAD + "<Cors />" + TAIL);

        assertThat(bench.start(operations.read("serviceInfo")).value())
                .isEqualTo(new ServiceInfo(List.of(), null, null, null, null, null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>welcome</html>",
                HEAD + "<Cors><CorsRule><AllowedMethods>GET",
                HEAD + "<Cors><CorsRule><MaxAgeInSeconds>soon</MaxAgeInSeconds></CorsRule></Cors>" + TAIL,
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>" + HEAD
                        + "<DefaultServiceVersion>&b;</DefaultServiceVersion>" + TAIL
            })
    @DisplayName("a response that is cut, or no properties, is requested again and never shown as no rules")
    void unreadable(String body) {
        wire.responds(200, body).otherwise(200, body);
        Outcome<ServiceInfo> info = bench.start(operations.read("corsRules"));
        bench.pass(Duration.ofMinutes(2));

        assertThat(info.error()).isInstanceOf(ProtocolException.class).hasMessageContaining("corsRules");
        assertThat(wire.sent()).hasSizeGreaterThan(1);
    }

    static Stream<Arguments> changes() {
        String days = "<Enabled>true</Enabled><Days>7</Days>";
        return Stream.of(
                change(service -> PropertyChange.cors(List.of()), "<Cors/>"),
                change(
                        service -> PropertyChange.cors(RULES.subList(0, 1)),
                        "<Cors><CorsRule><AllowedOrigins>https://www.xyz.com</AllowedOrigins>"
                                + "<AllowedMethods>GET</AllowedMethods>"
                                + "<MaxAgeInSeconds>0</MaxAgeInSeconds><ExposedHeaders></ExposedHeaders>"
                                + "<AllowedHeaders></AllowedHeaders></CorsRule></Cors>"),
                change(
                        service -> PropertyChange.softDelete(service, SoftDelete.days(7)),
                        "<DeleteRetentionPolicy>" + days + "</DeleteRetentionPolicy>"),
                change(
                        service -> PropertyChange.softDelete(service, new SoftDelete(7, true)),
                        "<DeleteRetentionPolicy>" + days
                                + "<AllowPermanentDelete>true</AllowPermanentDelete></DeleteRetentionPolicy>"),
                change(
                        service -> PropertyChange.softDelete(service, SoftDelete.off()),
                        "<DeleteRetentionPolicy><Enabled>false</Enabled></DeleteRetentionPolicy>"),
                change(
                        service -> PropertyChange.staticWebsite(
                                service, StaticWebsite.of("index.html").withErrorDocument("errors/404.html")),
                        "<StaticWebsite><Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>"
                                + "<ErrorDocument404Path>errors/404.html</ErrorDocument404Path></StaticWebsite>"),
                change(
                        service -> PropertyChange.staticWebsite(service, StaticWebsite.off()),
                        "<StaticWebsite><Enabled>false</Enabled></StaticWebsite>"),
                change(
                        service -> PropertyChange.staticWebsite(
                                service, new StaticWebsite(true, null, null, "app/index.html")),
                        "<StaticWebsite><Enabled>true</Enabled><DefaultIndexDocumentPath>app/index.html"
                                + "</DefaultIndexDocumentPath></StaticWebsite>"),
                change(
                        service -> PropertyChange.defaultVersion(service, "2021-12-02"),
                        "<DefaultServiceVersion>2021-12-02</DefaultServiceVersion>"),
                change(
                        service -> PropertyChange.logging(new AnalyticsLogging("2.0", true, false, true, 7)),
                        "<Logging><Version>2.0</Version><Delete>true</Delete><Read>true</Read><Write>false</Write>"
                                + "<RetentionPolicy>" + days + "</RetentionPolicy></Logging>"),
                change(
                        service -> PropertyChange.logging(AnalyticsLogging.off()),
                        "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read><Write>false</Write>"
                                + OFF + "</Logging>"),
                change(
                        service -> PropertyChange.hourMetrics(AnalyticsMetrics.all(7)),
                        "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
                                + "<RetentionPolicy>" + days + "</RetentionPolicy></HourMetrics>"),
                change(
                        service -> PropertyChange.minuteMetrics(AnalyticsMetrics.off()),
                        "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>" + OFF + "</MinuteMetrics>"));
    }

    private static Arguments change(Function<ServiceType, PropertyChange> change, String element) {
        return Arguments.of(change.apply(ServiceType.BLOB), element);
    }

    @ParameterizedTest
    @MethodSource("changes")
    @DisplayName(
            "ACCESS-3: a set sends one property only, so that the service keeps all others, and knows it when it is"
                    + " read")
    void setsOneProperty(PropertyChange change, String element) {
        String body = HEAD.replace('"', '\'') + element + TAIL;
        wire.responds(202, "").responds(200, HEAD + element + TAIL);

        WriteResult result = bench.start(operations.set(change)).value();

        assertThat(result.outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(result.mayHaveRepeated()).isFalse();
        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().url()).isEqualTo(URL);
        assertThat(wire.last().header("Content-Type")).isEqualTo("application/xml");
        assertThat(wire.last().body().replace('"', '\'')).isEqualTo(body);
        assertThat(change.stored()
                        .test(bench.start(operations.read("serviceInfo")).value()))
                .isTrue();
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                wrong(
                        PropertyChange::softDelete,
                        SoftDelete.days(366),
                        "the days of the soft delete are 366: 1 to 365"),
                wrong(PropertyChange::softDelete, SoftDelete.days(-1), "the days of the soft delete are -1"),
                wrong(PropertyChange::softDelete, new SoftDelete(0, true), "permanentDelete"),
                wrong(PropertyChange::staticWebsite, StaticWebsite.of("a/b.html"), "the indexDocument is \"a/b.html\""),
                wrong(PropertyChange::staticWebsite, new StaticWebsite(true, "a", null, "b"), "not both"),
                wrong(PropertyChange::staticWebsite, new StaticWebsite(false, "a", null, null), "has no pages"),
                wrong(PropertyChange::defaultVersion, "latest", "the default version is \"latest\""),
                wrong(PropertyChange::defaultVersion, "2008-01-01", "not before 2008-10-27"),
                wrong(
                        (s, v) -> PropertyChange.logging(v),
                        AnalyticsLogging.all(400),
                        "the days of the logging are 400"),
                wrong(
                        (s, v) -> PropertyChange.logging(v),
                        new AnalyticsLogging("3.0", true, true, true, 0),
                        "the version of the logging is \"3.0\""),
                wrong(
                        (s, v) -> PropertyChange.hourMetrics(v),
                        AnalyticsMetrics.all(366),
                        "the days of the hour metrics are 366"),
                wrong(
                        (s, v) -> PropertyChange.minuteMetrics(v),
                        new AnalyticsMetrics(false, true, 0),
                        "includeApis is set for minute metrics that are off"));
    }

    private static <T> Arguments wrong(BiFunction<ServiceType, T, PropertyChange> change, T value, String message) {
        Supplier<PropertyChange> call = () -> change.apply(ServiceType.BLOB, value);
        return Arguments.of(call, message);
    }

    @ParameterizedTest
    @MethodSource("refused")
    @DisplayName("ACCESS-3: a value beyond a limit is named with the limit")
    void beyondALimit(Supplier<PropertyChange> call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call::get).withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TABLE", "QUEUE"})
    @DisplayName("a property of blobs is refused for another service by name")
    void ofBlobsOnly(ServiceType service) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyChange.staticWebsite(service, StaticWebsite.off()))
                .withMessage("the static website is a property of the service BLOB, not of " + service);
    }

    @Test
    @DisplayName("OUTCOME-0: a set is sent again after a lost response, and its result says so")
    void setAgain() {
        wire.breaks(new IOException("connection reset")).responds(202, "");
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofSeconds(5));

        assertThat(set.value().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(set.value().mayHaveRepeated()).isTrue();
    }

    @Test
    @DisplayName(
            "OUTCOME-8: rules that are found as they were to be are RECOVERED by their content, in whatever order of"
                    + " headers")
    void recovered() {
        allLost();
        wire.responds(200, STORED);
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofMinutes(2));

        assertThat(set.value().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(set.value().evidence()).isEqualTo(Evidence.CONTENT);
        assertThat(set.value().mayHaveRepeated()).isTrue();
        assertThat(wire.last().method()).isEqualTo("GET");
    }

    @Test
    @DisplayName("OUTCOME-0: other rules are read a second time after the horizon, by which a late attempt has arrived")
    void recoveredLater() {
        allLost();
        wire.responds(200, HEAD + "<Cors />" + TAIL).responds(200, STORED);
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofMinutes(3));

        assertThat(set.value().outcome()).isEqualTo(WriteOutcome.RECOVERED);
    }

    @Test
    @DisplayName("OUTCOME-0: rules that stay others make the outcome unknown, and the next call works")
    void unknown() {
        allLost();
        wire.otherwise(200, HEAD + "<Cors />" + TAIL);
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofMinutes(3));

        assertThat(set.error())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("setCorsRules", "blob service");
        assertThat(bench.start(operations.read("corsRules")).value().corsRules())
                .isEmpty();
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-0: a read-back that is refused leaves the outcome unknown")
    void blind() {
        allLost();
        wire.otherwise(403, "<?xml version=\"1.0\"?><Error><Code>AuthorizationFailure</Code></Error>");
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofMinutes(3));

        assertThat(set.error()).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("OUTCOME-0: a page of a gateway with a success status proves nothing")
    void gateway() {
        for (int i = 0; i <= RetrySettings.defaults().retries(); i++) {
            wire.respondsAsGateway(200, "<html>welcome</html>");
        }
        wire.otherwise(200, HEAD + "<Cors />" + TAIL);
        Outcome<WriteResult> set = setRules();
        bench.pass(Duration.ofMinutes(3));

        assertThat(set.error()).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("a refusal of the service is the caller's, at once")
    void refusal() {
        String body = "<?xml version=\"1.0\"?><Error><Code>InvalidXmlDocument</Code><Message>no</Message></Error>";
        wire.responds(400, body).responds(403, body.replace("InvalidXmlDocument", "AuthorizationPermissionMismatch"));

        assertThat(setRules().error())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("InvalidXmlDocument");
        assertThat(setRules().error()).isInstanceOf(AuthenticationException.class);
        assertThat(wire.sent()).hasSize(2);
    }
}
