package io.stowline.service.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.service.CorsRule;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("ACCESS-3: CORS rules are checked against the limits of the service before anything is sent")
class CorsLimitsTest {

    private static final CorsRule RULE = rule(rule -> rule);

    private static CorsRule rule(UnaryOperator<CorsRule.Builder> more) {
        return more.apply(CorsRule.builder()
                        .allowedOrigins("https://app.example.com")
                        .allowedMethods("GET"))
                .build();
    }

    private static String[] names(int count, String suffix) {
        return IntStream.range(0, count).mapToObj(i -> "h" + i + suffix).toArray(String[]::new);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        rule(rule -> rule.allowedOrigins(names(64, ""))),
                        "CORS rule 2 has 65 allowedOrigins: 1 to 64 are allowed"),
                Arguments.of(
                        CorsRule.builder().allowedMethods("GET").build(), "CORS rule 2 has 0 allowedOrigins: 1 to 64"),
                Arguments.of(
                        rule(rule -> rule.allowedOrigins("x".repeat(257))),
                        "CORS rule 2, allowedOrigins has a value of 257 characters: 1 to 256 are allowed"),
                Arguments.of(
                        rule(rule -> rule.allowedOrigins("https://a.example/")),
                        "has the origin \"https://a.example/\": an origin ends with its host or port"),
                Arguments.of(
                        rule(rule -> rule.allowedOrigins("a.example,b.example")),
                        "has the origin \"a.example,b.example\": an origin is scheme, host and port"),
                Arguments.of(rule(rule -> rule.allowedOrigins("")), "a value of 0 characters"),
                Arguments.of(
                        CorsRule.builder().allowedOrigins("*").build(),
                        "has the allowedMethods \"\": the service knows"),
                Arguments.of(rule(rule -> rule.allowedMethods("*")), "has the allowedMethods \"GET,*\""),
                Arguments.of(rule(rule -> rule.allowedMethods("FOO")), "has the allowedMethods \"GET,FOO\""),
                Arguments.of(rule(rule -> rule.allowedMethods("put")), "has the allowedMethods \"GET,put\""),
                Arguments.of(
                        rule(rule -> rule.allowedHeaders(names(65, ""))),
                        "allowedHeaders has 65 headers and 0 prefixes: at most 64 and 2 are allowed"),
                Arguments.of(
                        rule(rule -> rule.exposedHeaders("a*", "b*", "c*")),
                        "exposedHeaders has 0 headers and 3 prefixes: at most 64 and 2 are allowed"),
                Arguments.of(
                        rule(rule -> rule.allowedHeaders("h".repeat(257))),
                        "CORS rule 2, allowedHeaders has a value of 257 characters"),
                Arguments.of(
                        rule(rule -> rule.allowedHeaders("a b")),
                        "allowedHeaders has \"a b\", which is neither the name of a header nor a prefix"),
                Arguments.of(rule(rule -> rule.allowedHeaders("a*b")), "\"a*b\", which is neither"),
                Arguments.of(
                        rule(rule -> rule.maxAge(Duration.ofSeconds(-1))),
                        "CORS rule 2 has the maxAge PT-1S: whole seconds are allowed, 0 to 2147483647"),
                Arguments.of(rule(rule -> rule.maxAge(Duration.ofMillis(1500))), "has the maxAge PT1.5S"),
                Arguments.of(rule(rule -> rule.maxAge(Duration.ofSeconds(1L << 31))), "has the maxAge PT"),
                Arguments.of(
                        rule(rule -> rule.allowedHeaders(names(8, "x".repeat(250)))),
                        "bytes: a service takes at most 2048, without tags"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    @DisplayName("ACCESS-3: a rule beyond a limit is named with its value and the limit")
    void beyondALimit(CorsRule rule, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CorsLimits.check(List.of(RULE, rule)))
                .withMessageContaining(message);
    }

    @Test
    @DisplayName("ACCESS-3: a sixth rule is refused with the number of rules")
    void sixRules() {
        CorsLimits.check(Collections.nCopies(5, RULE));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CorsLimits.check(Collections.nCopies(6, RULE)))
                .withMessageStartingWith("6 CORS rules are too many: a service has at most 5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x|begins with its scheme",
                "www.a.example|begins with its scheme",
                "//a.example|begins with its scheme",
                "https://x?y|ends with its host or port",
                "https://x#y|ends with its host or port",
                "https://a.example/photos|ends with its host or port",
                "https://a.example\\b|ends with its host or port",
                "https://user:secret@a.example|without a user",
                "https://App.Example|lower case, and the service compares them exactly: https://app.example",
                "HTTPS://app.example|lower case",
                "https://x:99999|a port is 1 to 65535",
                "https://x:0|a port is 1 to 65535",
                "https://x:08080|a port is 1 to 65535",
                "https://x:|a port is 1 to 65535",
                "https://x:80:80|a port is 1 to 65535",
                "https://x:8o|a port is 1 to 65535",
                "https://x:443|leave out the port of the scheme: https://x",
                "http://x:80|leave out the port of the scheme: http://x",
                "a<b>|begins with its scheme",
                "https://a<b>|a host has letters",
                "https://|a host has letters",
                "https://.a|a host has letters",
                "https://a..b|a host has letters",
                "https://a%20b|a host has letters",
                "https://[::1|no brackets but those of an IPv6 address",
                "https://[g]|no brackets but those of an IPv6 address",
                "https://1.2.3|an IPv4 address",
                "https://1.2.3.256|an IPv4 address",
                "https://01.2.3.4|an IPv4 address",
                "https://*|a wildcard stands for all origins",
                "https://a*.example|a wildcard stands for all origins",
                "https://*.*.example|a wildcard stands for all origins",
                "*.example|begins with its scheme",
                "App://x|a scheme has small letters",
                "1a://x|a scheme has small letters",
                "app://|a host has letters",
                "app://x:99999|a port is 1 to 65535"
            })
    @DisplayName("ACCESS-3: an origin that no browser sends is refused with its value and the reason")
    void matchesNothing(String origin, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CorsLimits.check(List.of(rule(rule -> rule.allowedOrigins(origin)))))
                .withMessageContaining("CORS rule 1 has the origin \"" + origin + "\": ")
                .withMessageContaining(reason);
    }

    @Test
    @DisplayName("the size counts the values of all rules, their commas and their seconds, and no tags")
    void exactSize() {
        // 23 bytes of origin, 3 of method, 4 of 3600 seconds.
        CorsRule filled = rule(rule -> rule.allowedHeaders(names(8, "x".repeat(238))));
        int size = 23 + 3 + 4 + 8 * 240 + 7;
        CorsRule rest = rule(rule -> rule.allowedHeaders("h".repeat(2048 - size - 30)));

        assertThatCode(() -> CorsLimits.check(List.of(filled, rest))).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CorsLimits.check(
                        List.of(filled, rule(rule -> rule.allowedHeaders("h".repeat(2048 - size - 29))))))
                .withMessageContaining("the CORS rules have 2049 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "null",
                "http://*.example.com",
                "https://a.example:8443",
                "http://[::1]:3000",
                "http://localhost:8080",
                "https://127.0.0.1:1",
                "https://a_b.example.:65535",
                "https://xn--mnchen-3ya.example",
                "https://*.a.example:8443",
                "chrome-extension://abcdefghijklmnop",
                "capacitor://localhost",
                "https://-x.example",
                "file://"
            })
    @DisplayName("origins of every form that the service knows are accepted")
    void origins(String origin) {
        assertThatCode(() -> CorsLimits.check(List.of(rule(rule -> rule.allowedOrigins(origin)
                        .allowedMethods("DELETE", "HEAD", "MERGE", "OPTIONS", "PATCH", "POST", "PUT")
                        .allowedHeaders("*", "x-ms-*", "x-other-*", "content-type")
                        .exposedHeaders(names(64, ""))
                        .maxAge(Duration.ZERO)))))
                .doesNotThrowAnyException();
    }
}
