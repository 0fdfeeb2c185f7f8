package io.stowline.examples.registrations;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.registrations.RaceSettings.Rules;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.RequestHold;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The service as a program, started and stopped over a storage that stays. */
class ShutdownTest {

    private static final int RUNNERS = 300;
    private static final Duration AT_MOST = Duration.ofMinutes(2);

    @RegisterExtension
    static final FaultProxyExtension STORAGE = FaultProxyExtension.shared();

    private final String race = "race-of-the-last-hour";

    @Test
    void requestsInFlightEndBeforeTheService(FaultProxy proxy) throws Exception {
        ConfigurableApplicationContext service = start();
        int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        RestTestClient client = RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + port)
                .build();
        client.put()
                .uri("/races/{race}", race)
                .body(new Rules(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"), 1_000))
                .exchange()
                .expectStatus()
                .isOk();
        RequestHold hold = new RequestHold();
        proxy.when(requests().path("**$batch**").nth(1)).holdBefore(hold);
        CompletableFuture<ImportReport> report = CompletableFuture.supplyAsync(() -> upload(port));
        hold.awaitArrived(AT_MOST);

        CompletableFuture<Void> end = CompletableFuture.runAsync(service::close);
        Awaitility.await().atMost(AT_MOST).until(() -> refuses(port));
        hold.release();

        assertThat(report.get(AT_MOST.toSeconds(), TimeUnit.SECONDS))
                .returns(ImportState.COMPLETE, ImportReport::state)
                .returns((long) RUNNERS, ImportReport::written);
        end.get(AT_MOST.toSeconds(), TimeUnit.SECONDS);
        try (Stowline storage = Stowline.connect(STORAGE.storage().connectionString())) {
            assertThat(new Runners(storage.table("runners", Runner.class))
                            .table()
                            .query()
                            .partition(race)
                            .count())
                    .isEqualTo(RUNNERS);
        }
    }

    @Test
    void readinessFollowsTheStorageWhereTheGroupHasIt(FaultProxy proxy) {
        try (ConfigurableApplicationContext service =
                start("--management.endpoint.health.group.readiness.include=readinessState,stowline")) {
            String readiness = "http://localhost:"
                    + service.getEnvironment().getRequiredProperty("local.server.port")
                    + "/actuator/health/readiness";
            RestTestClient client = RestTestClient.bindToServer().build();

            client.get().uri(readiness).exchange().expectStatus().isOk();
            proxy.refuse();
            client.get().uri(readiness).exchange().expectStatus().isEqualTo(503);
            proxy.accept();
            client.get().uri(readiness).exchange().expectStatus().isOk();
        }
    }

    private static ConfigurableApplicationContext start(String... more) {
        SpringApplication application = new SpringApplication(RegistrationsApplication.class);
        application.setDefaultProperties(java.util.Map.of(
                "server.port", "0",
                "stowline.connection-string", STORAGE.storage().connectionString(),
                "stowline.create-missing", "true",
                // The usual 30 s may be over on a busy machine, and the service then ends without its requests.
                "spring.lifecycle.timeout-per-shutdown-phase", "10m"));
        return application.run(more);
    }

    private ImportReport upload(int port) {
        try {
            return new ImportClient(port)
                    .upload(TestRunners.rows(race, 1, RUNNERS))
                    .report();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean refuses(int port) {
        try (Socket socket = new Socket("localhost", port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
