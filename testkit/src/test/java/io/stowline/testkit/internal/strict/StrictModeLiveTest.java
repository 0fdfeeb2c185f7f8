package io.stowline.testkit.internal.strict;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verdicts of the strict proxy and of the plain emulator on each sample; the report has both, and only the former
 * is asserted.
 */
@TestInstance(Lifecycle.PER_CLASS)
class StrictModeLiveTest {

    private static final Clock CLOCK = Clock.systemUTC();
    private static final Path REPORT = Path.of("target", "strict-mode.md");

    private final StrictMode strict = StrictMode.on();
    private final StrictReport report = new StrictReport();
    private Azurite azurite;
    private FaultProxy proxy;
    private RawStorage plain;
    private RawStorage guarded;

    static List<StrictSample> samples() {
        return Samples.all(CLOCK);
    }

    @BeforeAll
    void start() throws Exception {
        azurite = Azurite.start();
        proxy = FaultProxy.builder().inFrontOf(azurite).strict(strict).start();
        plain = new RawStorage(this::endpoint, CLOCK);
        guarded = new RawStorage(proxy::endpoint, CLOCK);
        setUp();
    }

    private URI endpoint(StorageService service) {
        return switch (service) {
            case BLOB -> azurite.blobEndpoint();
            case QUEUE -> azurite.queueEndpoint();
            case TABLE -> azurite.tableEndpoint();
        };
    }

    private void setUp() throws Exception {
        for (StrictProbe probe : Samples.setup()) {
            assertThat(guarded.verdict(probe).status()).as(probe.toString()).isBetween(200, 299);
        }
    }

    @AfterAll
    void stop() throws Exception {
        proxy.close();
        azurite.close();
        report.write(REPORT);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesWhereTheEmulatorMayNot(StrictSample sample) throws Exception {
        StrictVerdict fromStrict = guarded.verdict(sample.breaks());
        StrictVerdict fromEmulator = plain.verdict(sample.breaks());
        restartWhenPoisoned();
        report.add(sample.rule(), fromEmulator);

        assertThat(fromStrict).isEqualTo(StrictVerdict.of(sample.rule()));
        assertThat(report.text()).contains(sample.rule().name());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void letsTheEmulatorRespondToWhatIsJustInside(StrictSample sample) throws Exception {
        Long before = strict.refusals().get(sample.rule());

        guarded.send(sample.passes());

        assertThat(strict.refusals().get(sample.rule())).isEqualTo(before);
    }

    /** Some of the samples leave the emulator unable to carry out any further transaction. */
    private void restartWhenPoisoned() throws Exception {
        if (!azurite.isHealthy()) {
            azurite.restart();
            setUp();
        }
    }
}
