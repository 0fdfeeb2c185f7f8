package io.stowline.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.ScanPolicy;
import io.stowline.table.WriterSettings;
import io.stowline.transport.ReadFrom;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

/** The bound properties, and their effects. */
class AccountPropertiesTest {

    private static final String[] ALL = {
        "stowline.connection-string=UseDevelopmentStorage=true",
        "stowline.allow-sas-over-http=true",
        "stowline.application-id=marathon/1",
        "stowline.connection-age=5m",
        "stowline.clock-tolerance=1s",
        "stowline.service-version=2019-07-07",
        "stowline.close-timeout=20s",
        "stowline.read-from=secondary-after-primary",
        "stowline.scans=refuse",
        "stowline.retry.backoff=interactive",
        "stowline.retry.retries=3",
        "stowline.retry.deadline=30s",
        "stowline.retry.attempt-timeout=9s",
        "stowline.retry.server-timeout=7s",
        "stowline.parallelism.start=4",
        "stowline.parallelism.min=2",
        "stowline.parallelism.max=32",
        "stowline.parallelism.window=2s",
        "stowline.quota.capacity=700",
        "stowline.quota.transient-cost=8",
        "stowline.quota.throttled-cost=4",
        "stowline.quota.refill-per-second=40",
        "stowline.rate-targets.preset=large-regions",
        "stowline.rate-targets.share=0.5",
        "stowline.rate-targets.ramp-over=5m",
        "stowline.cache.memory=16MB",
        "stowline.cache.max-in-memory=1MB",
        "stowline.create-missing=true",
        "stowline.health.timeout=3s",
        "stowline.writer.linger=10ms",
        "stowline.writer.buffer-items=500",
        "stowline.writer.buffer-size=8MB",
        "stowline.writer.submit-timeout=5s",
        "stowline.writer.delivery-timeout=1m",
        "stowline.writer.give-up-after=4m",
        "stowline.writer.close-timeout=30s",
        "stowline.writer.coalesce=true",
        "stowline.writer.stop-entity-on-failure=true",
        "stowline.writer.warn-at-exit=false"
    };

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(StowlineAutoConfiguration.class));

    @Test
    void bindsEachPropertyAndTheClientAcceptsThem() {
        runner.withPropertyValues(ALL).run(context -> {
            AccountProperties account = context.getBean(AccountProperties.class);

            assertThat(account.applicationId()).isEqualTo("marathon/1");
            assertThat(account.connectionAge()).isEqualTo(Duration.ofMinutes(5));
            assertThat(account.clockTolerance()).isEqualTo(Duration.ofSeconds(1));
            assertThat(account.serviceVersion()).isEqualTo("2019-07-07");
            assertThat(account.closeTimeout()).isEqualTo(Duration.ofSeconds(20));
            assertThat(account.readFrom()).isEqualTo(ReadFrom.SECONDARY_AFTER_PRIMARY);
            assertThat(account.scans()).isEqualTo(ScanPolicy.REFUSE);
            assertThat(account.allowSasOverHttp()).isTrue();
            assertThat(account.retry())
                    .isEqualTo(new AccountProperties.Retry(
                            BackoffPreset.INTERACTIVE,
                            3,
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(9),
                            Duration.ofSeconds(7)));
            assertThat(account.parallelism())
                    .isEqualTo(new AccountProperties.Parallelism(null, 4, 2, 32, Duration.ofSeconds(2)));
            assertThat(account.quota()).isEqualTo(new AccountProperties.Quota(700, 8, 4, 40));
            assertThat(account.rateTargets())
                    .isEqualTo(new AccountProperties.RateTargets(
                            RateTargetPreset.LARGE_REGIONS, 0.5, Duration.ofMinutes(5)));
            assertThat(account.cache())
                    .isEqualTo(new AccountProperties.Cache(
                            DataSize.ofMegabytes(16), DataSize.ofMegabytes(1), new AccountProperties.Disk(null, null)));
        });
    }

    @Test
    void writersTakeTheirDefaults() {
        runner.withPropertyValues(ALL).run(context -> {
            WriterSettings settings = context.getBean(WriterDefaults.class)
                    .apply(WriterSettings.builder())
                    .build();

            assertThat(settings.linger()).isEqualTo(Duration.ofMillis(10));
            assertThat(settings.bufferItems()).isEqualTo(500);
            assertThat(settings.bufferBytes()).isEqualTo(8 << 20);
            assertThat(settings.submitTimeout()).isEqualTo(Duration.ofSeconds(5));
            assertThat(settings.deliveryTimeout()).isEqualTo(Duration.ofMinutes(1));
            assertThat(settings.giveUpAfter()).isEqualTo(Duration.ofMinutes(4));
            assertThat(settings.closeTimeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(settings.coalesce()).isTrue();
            assertThat(settings.stopEntityOnFailure()).isTrue();
            assertThat(settings.warnAtExit()).isFalse();
        });
    }

    @Test
    void theApplicationsPropertiesBind() {
        runner.withPropertyValues(ALL)
                .withPropertyValues(
                        "stowline.journal.folder=journal",
                        "stowline.journal.fsync=true",
                        "stowline.journal.max-size=1GB",
                        "stowline.accounts.archive.connection-string=UseDevelopmentStorage=true",
                        "stowline.accounts.archive.retry.retries=1",
                        "stowline.create-missing=false")
                .run(context -> {
                    StowlineProperties properties = context.getBean(StowlineProperties.class);

                    assertThat(properties.health().timeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(properties.createMissing()).isFalse();
                    assertThat(properties.journal())
                            .isEqualTo(
                                    new StowlineProperties.Journal(Path.of("journal"), true, DataSize.ofGigabytes(1)));
                    assertThat(properties.accounts()).hasEntrySatisfying("archive", archive -> assertThat(
                                    archive.retry().retries())
                            .isEqualTo(1));
                });
    }

    @Test
    void theTextOfThePropertiesShowsNoSecret() {
        String secret = "c2VjcmV0c2VjcmV0";
        runner.withPropertyValues(
                        "stowline.account-name=acct",
                        "stowline.account-key=" + secret,
                        "stowline.accounts.archive.connection-string=AccountName=old;AccountKey=" + secret,
                        "stowline.accounts.other.endpoint=https://other.blob.core.windows.net",
                        "stowline.accounts.other.sas-token=sig=" + secret)
                .run(context -> assertThat(
                                context.getBean(AccountProperties.class).toString()
                                        + context.getBean(StowlineProperties.class)
                                        + context.getBean(StowlineConnectionDetails.class)
                                        + context.getBean("archiveStowline")
                                        + context.getBean("otherStowline"))
                        .contains("acct")
                        .doesNotContain(secret));
    }
}
