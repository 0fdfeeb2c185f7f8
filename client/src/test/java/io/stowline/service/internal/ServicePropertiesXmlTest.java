package io.stowline.service.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ServicePropertiesXmlTest {

    @Property(tries = 200)
    @Label("ACCESS-3: rules come back as they were written")
    void rulesComeBackAsTheyWereWritten(@ForAll("rules") List<CorsRule> rules) throws IOException {
        assertThat(read(ServicePropertiesXml.corsRules(rules)).corsRules()).isEqualTo(rules);
    }

    @Property(tries = 200)
    @Label("ACCESS-3: rules with another order of headers are the requested ones")
    void rulesInAnotherOrderOfHeadersAreTheSame(@ForAll("rulesOfBrowsers") List<CorsRule> rules) throws IOException {
        List<CorsRule> reversed = rules.stream()
                .map(rule -> new CorsRule(
                        rule.allowedOrigins(),
                        rule.allowedMethods(),
                        reversed(rule.allowedHeaders()),
                        reversed(rule.exposedHeaders()),
                        rule.maxAge()))
                .toList();

        assertThat(PropertyChange.cors(rules).stored().test(read(ServicePropertiesXml.corsRules(reversed))))
                .isTrue();
    }

    @Property(tries = 100)
    @Label("ACCESS-3: a response that is cut is never read as no rules")
    void aCutResponseIsNoneAtAll(@ForAll("rules") List<CorsRule> rules, @ForAll double part) {
        String whole = ServicePropertiesXml.corsRules(rules);
        String cut = whole.substring(0, (int) ((whole.length() - 1) * Math.abs(part % 1)));

        assertThatThrownBy(() -> read(cut)).isInstanceOf(Exception.class);
    }

    private static ServiceInfo read(String xml) throws IOException {
        return ServicePropertiesXml.read(xml.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> reversed(List<String> names) {
        return names.stream()
                .sorted((a, b) -> Objects.compare(b, a, String::compareTo))
                .toList();
    }

    @Provide
    Arbitrary<List<CorsRule>> rules() {
        return rules(Arbitraries.of("*", "https://a.example", "http://b.example:81", "a&b", "<x>", "c'\"d]]>"));
    }

    @Provide
    Arbitrary<List<CorsRule>> rulesOfBrowsers() {
        return rules(Arbitraries.of("*", "https://a.example", "http://b.example:81", "null"));
    }

    private static Arbitrary<List<CorsRule>> rules(Arbitrary<String> origin) {
        Arbitrary<String> method = Arbitraries.of("GET", "PUT", "MERGE", "DELETE");
        Arbitrary<String> header = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('-', '&')
                .ofMinLength(1)
                .ofMaxLength(9);
        return Combinators.combine(
                        origin.list().ofMinSize(1).ofMaxSize(3).uniqueElements(),
                        method.list().ofMinSize(1).ofMaxSize(3).uniqueElements(),
                        header.list().ofMaxSize(4).uniqueElements(),
                        header.list().ofMaxSize(4).uniqueElements(),
                        Arbitraries.integers().between(0, Integer.MAX_VALUE).map(Duration::ofSeconds))
                .as(CorsRule::new)
                .list()
                .ofMaxSize(5);
    }
}
