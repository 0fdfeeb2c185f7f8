package io.stowline.system.recordings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import io.stowline.Stowline;
import io.stowline.error.ProtocolException;
import io.stowline.retry.Backoff;
import io.stowline.system.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses that the real services gave to other clients, and the verbs that can meet them. */
@Timeout(300)
@DisplayName("recorded responses of the real services")
class RecordingsIT {

    private static final String PROPERTY = "stowline.recordings";
    private static final String ACCOUNT = "storagename";
    private static final String KEY = "cmVjb3JkZWQ=";
    private static final String SAS =
            "sv=2020-12-06&ss=bqt&srt=sco&sp=rwdlacup&se=2099-01-01T00%3A00%3A00Z&sig=a%2Bb%2Fc%3D";
    /** The replays of which one has a shared access signature in place of the key. */
    private static final int SAS_TURN = 5;
    /**
     * The least percentage of recordings with a verb, of each service; a change of the plans that loses more is
     * noticed.
     */
    private static final int MIN_PERCENT = 80;

    /** Statuses that prove something where the service gives them. */
    private static final Set<Integer> PROOFS = Set.of(404, 409, 412);

    private static List<ServiceRecording> recordings = List.of();

    private final SignatureCheck signatures = new SignatureCheck(ACCOUNT, KEY, SAS);
    private ReplayServer server;
    private Stowline withKey;
    private Stowline withSas;

    @BeforeAll
    static void read() throws IOException {
        Path folder = Project.root()
                .resolve(System.getProperty(PROPERTY, "../shared/recordings"))
                .normalize();
        assumeTrue(
                Files.isDirectory(folder),
                () -> "there are no recordings in " + folder + "; -D" + PROPERTY + "=FOLDER names another folder");
        recordings = RecordingArchive.in(folder);
    }

    @BeforeEach
    void connect() throws IOException {
        server = new ReplayServer();
        withKey = client().credential(new AzureNamedKeyCredential(ACCOUNT, KEY)).build();
        withSas = client().credential(new AzureSasCredential(SAS))
                .allowSasOverHttp()
                .build();
    }

    private Stowline.Builder client() {
        String endpoint = server.endpoint(ACCOUNT);
        return Stowline.builder()
                .tableEndpoint(endpoint)
                .queueEndpoint(endpoint)
                .blobEndpoint(endpoint)
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(1));
    }

    @AfterEach
    void close() throws IOException {
        withKey.close();
        withSas.close();
        server.close();
    }

    @Test
    @DisplayName("WORLD-4: each response of a service carries its request id")
    void identifyThemselves() {
        assertThat(recordings)
                .isNotEmpty()
                .allMatch(recording -> recording.response().headers().contains(CannedResponse.REQUEST_ID));
    }

    @Test
    @DisplayName("RETRY-3: values, exceptions, codes, ids, continuations, signatures and retries are as expected")
    void replay() throws IOException {
        ReplayReport report = new ReplayReport();
        for (ServiceRecording recording : recordings) {
            ReplayPlan plan = plan(recording);
            report.add(recording, plan);
            for (Replay replay : plan.replays()) {
                report.ran(recording, replay, differences(recording, replay, report.replays() % SAS_TURN == 0));
            }
        }

        System.out.print(report.summary());
        Path file = Files.createDirectories(Project.root().resolve("src/test/target"))
                .resolve("recordings.txt");
        Files.writeString(file, report.summary());
        assertThat(report.differences()).isEmpty();
        assertThat(report.percentReplayed())
                .allSatisfy(
                        (service, percent) -> assertThat(percent).as(service).isGreaterThanOrEqualTo(MIN_PERCENT));
    }

    @Test
    @DisplayName("WORLD-4: the same statuses with a gateway's page prove nothing to a read")
    void gateways() {
        List<String> decided = new ArrayList<>();
        int reads = 0;
        for (ServiceRecording recording : recordings) {
            boolean refusedRead = PROOFS.contains(recording.status())
                    && (recording.method().equals("GET") || recording.method().equals("HEAD"));
            for (Replay replay : refusedRead ? plan(recording).replays() : List.<Replay>of()) {
                reads++;
                server.play(replay.throughGateway());
                VerbOutcome actual = VerbOutcome.of(() -> replay.call().apply(withKey), id -> {});
                if (!(actual instanceof VerbOutcome.Failure failure && failure.type() == ProtocolException.class)) {
                    decided.add(replay.verb() + " of " + recording + ": " + actual);
                }
            }
        }

        assertThat(reads).isPositive();
        assertThat(decided).isEmpty();
    }

    private static ReplayPlan plan(ServiceRecording recording) {
        return switch (recording.service()) {
            case "table" -> TableReplays.of(recording);
            case "queue" -> QueueReplays.of(recording);
            case "blob" -> BlobReplays.of(recording);
            default -> throw new IllegalArgumentException(recording + " is of no service");
        };
    }

    private List<String> differences(ServiceRecording recording, Replay replay, boolean sas) {
        server.play(replay);
        List<String> failed = new ArrayList<>();
        VerbOutcome actual = VerbOutcome.of(() -> replay.call().apply(sas ? withSas : withKey), failed::add);
        List<WireRequest> requests = server.requests();
        List<WireRequest> all =
                Stream.concat(requests.stream(), server.looks().stream()).toList();
        List<String> wrong = new ArrayList<>();
        if (!replay.expected().matches(actual)) {
            wrong.add("expected " + replay.expected() + "\n     but was " + actual);
        }
        if (requests.size() != replay.script().size()) {
            wrong.add(replay.script().size() + " responses for " + requests);
        }
        String wire =
                requests.size() < replay.script().size() ? null : replay.wire().apply(requests);
        if (wire != null) {
            wrong.add(wire);
        }
        for (String id : failed) {
            if (all.stream().noneMatch(sent -> id.equals(sent.headers().value("x-ms-client-request-id")))) {
                wrong.add("the failure names the client request id " + id + " of no request");
            }
        }
        for (WireRequest request : all) {
            wrong.addAll(signatures.against(recording.service(), request, sas));
        }
        return wrong;
    }
}
