package io.stowline.examples.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RingGrowthTest {

    @Test
    @Timeout(120)
    void noOrderIsLostWhileAnAccountJoins() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GrowthFindings findings;
        try (Azurite azurite = RingGrowth.emulator()) {
            findings = new RingGrowth(
                            RingGrowth.connectionStrings(azurite),
                            Duration.ofMillis(100),
                            Duration.ofSeconds(2),
                            new PrintStream(out, true, UTF_8))
                    .grow(new RingGrowth.Size(30, 3));
        }

        assertThat(findings.wrong()).isEmpty();
        assertThat(findings.orders()).isPositive();
        assertThat(findings.writesOfMove()).isPositive();
        assertThat(findings.moved()).isBetween(3, 20);
        assertThat(out.toString(UTF_8)).contains("atOld=0", "moving=0");
        assertThat(findings.lines()).anySatisfy(line -> assertThat(line).matches("  lost, twice or outdated +0"));
    }

    @Test
    void ordersThatAreWrongAreNamed() {
        TenantOrder one = new TenantOrder("t", "1", 10);
        TenantOrder two = new TenantOrder("t", "2", 20);

        assertThat(GrowthFindings.wrong(
                        List.of(one, one, new TenantOrder("t", "3", 30)),
                        Map.of(one.key(), one, two.key(), two, "t/3", new TenantOrder("t", "3", 31))))
                .containsExactly(
                        "order t/1 is there twice, or was never accepted",
                        "order t/3 has the amount 30 instead of 31",
                        "order t/2 is missing");
    }
}
