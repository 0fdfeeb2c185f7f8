package io.stowline.testkit.internal.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class StrictRulesTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T10:00:00Z"), ZoneOffset.UTC);

    private final List<StrictRule> refused = new ArrayList<>();
    private final List<SentRequest> passed = new ArrayList<>();
    private StrictStage stage;

    static List<StrictSample> samples() {
        return Samples.all(CLOCK);
    }

    @BeforeEach
    void setUp() throws IOException {
        stage = new StrictStage(Rulebook.without(Set.of()), CLOCK, refused::add);
        for (StrictProbe probe : Samples.setup()) {
            send(stage, probe);
        }
        assertThat(refused).isEmpty();
        passed.clear();
    }

    @Test
    void everyRuleHasASample() {
        assertThat(samples().stream().map(StrictSample::rule)).containsExactlyInAnyOrder(StrictRule.values());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesWhatBreaksTheRule(StrictSample sample) throws IOException {
        StubResponse response = send(stage, sample.breaks());

        assertThat(refused).containsExactly(sample.rule());
        assertThat(passed).isEmpty();
        assertThat(StrictVerdict.of(response)).isEqualTo(StrictVerdict.of(sample.rule()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void letsPassWhatIsJustInside(StrictSample sample) throws IOException {
        StubResponse response = send(stage, sample.passes());

        assertThat(refused).isEmpty();
        assertThat(passed).hasSize(1);
        assertThat(response.status()).isEqualTo(201);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void letsPassWhatARuleOutOfForceWouldRefuse(StrictSample sample) throws IOException {
        StrictStage lenient = new StrictStage(Rulebook.without(EnumSet.allOf(StrictRule.class)), CLOCK, refused::add);

        send(lenient, sample.breaks());

        assertThat(refused).isEmpty();
        assertThat(passed).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesNothingTwiceDifferently(StrictSample sample) throws IOException {
        StrictStage others = new StrictStage(Rulebook.without(Set.of(sample.rule())), CLOCK, refused::add);

        send(others, sample.breaks());

        assertThat(refused).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void isDocumented(StrictRule rule) {
        assertThat(Path.of("..", "docs", "strict-mode.md"))
                .content()
                .contains("| `" + rule.name() + "` | ")
                .contains(rule.refuses() + " | " + rule.status() + " " + rule.code()
                        + (rule.isCodeKnown() ? " | " : " * | "));
    }

    @ParameterizedTest
    @EnumSource
    void namesWhatItRefusesAndWhere(StrictRule rule) {
        assertThat(rule.refuses()).isNotBlank();
        assertThat(rule.source()).isNotBlank();
        assertThat(rule.code()).matches("[A-Za-z0-9]+");
        assertThat(rule.services()).isNotEmpty();
        assertThat(rule.status()).isBetween(400, 501);
    }

    @Test
    void letsPassWhatIsForNoService() throws IOException {
        SentRequest request =
                Samples.all(CLOCK).get(0).breaks().toRequest(CLOCK.instant()).withService(null);

        stage.response(request, this::accept);

        assertThat(passed).hasSize(1);
    }

    @Test
    void respondsWithTheDateOfTheServicesClockAndTheIdsOfTheRequest() throws IOException {
        StrictProbe probe = sample(StrictRule.DATE_SKEW).breaks().header("x-ms-client-request-id", "mine");

        StubResponse response = send(stage, probe);

        assertThat(response.header("Date")).isEqualTo("Sat, 21 Nov 2026 10:00:00 GMT");
        assertThat(response.header("x-ms-client-request-id")).isEqualTo("mine");
        assertThat(response.header("x-ms-request-id")).isNotBlank();
        assertThat(response.text()).contains("<Code>AuthenticationFailed</Code>");
    }

    @Test
    void tellsWhichParameterIsOutOfRange() throws IOException {
        StubResponse response = send(stage, sample(StrictRule.MESSAGE_COUNT).breaks());

        assertThat(response.text())
                .contains("<QueryParameterName>numofmessages</QueryParameterName>")
                .contains("<MinimumAllowed>1</MinimumAllowed>")
                .contains("<MaximumAllowed>32</MaximumAllowed>");
    }

    @Test
    void respondsAHeadWithoutABody() throws IOException {
        StrictProbe head = new StrictProbe(
                sample(StrictRule.DATE_SKEW).breaks().service(),
                "HEAD",
                "/strict",
                sample(StrictRule.DATE_SKEW).breaks().headers(),
                new byte[0],
                StrictProbe.Authorization.KEY);

        StubResponse response = send(stage, head);

        assertThat(response.bodyLength()).isZero();
        assertThat(response.header("x-ms-error-code")).isEqualTo("AuthenticationFailed");
    }

    private static StrictSample sample(StrictRule rule) {
        return samples().stream()
                .filter(sample -> sample.rule() == rule)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sample of " + rule));
    }

    private StubResponse send(StrictStage to, StrictProbe probe) throws IOException {
        return to.response(probe.toRequest(CLOCK.instant()), this::accept);
    }

    private StubResponse accept(SentRequest request) {
        passed.add(request);
        return StubResponse.of(201);
    }
}
