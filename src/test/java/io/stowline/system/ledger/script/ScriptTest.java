package io.stowline.system.ledger.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClientBuilder;
import io.stowline.testkit.SentRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScriptTest {

    private static final String NOWHERE =
            "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/a";

    private static OperationScript script(long seed) {
        CompetingWriter rival = new CompetingWriter(new TableClientBuilder()
                .connectionString(NOWHERE)
                .tableName("t")
                .buildClient());
        DelayedDelivery later = new DelayedDelivery(
                HttpClient.newHttpClient(), service -> URI.create("http://127.0.0.1:1"), Duration.ofSeconds(1));
        return new OperationScript(seed, Weather.ROUGH, new Clock(), later, rival);
    }

    private static List<String> faults(long seed) {
        OperationScript script = script(seed);
        List<String> faults = new ArrayList<>();
        for (int step = 0; step < 20; step++) {
            script.begin(step, List.of());
            for (int attempt = 0; attempt < 5; attempt++) {
                String id = step + "-" + attempt;
                faults.add(String.valueOf(script.decide(
                        SentRequest.of("GET", "/a/t", Map.of("x-ms-client-request-id", id), new byte[0]))));
            }
        }
        return faults;
    }

    @Test
    void aSeedBringsTheSameFaultsAgain() {
        assertThat(faults(7))
                .isEqualTo(faults(7))
                .isNotEqualTo(faults(8))
                .contains("null", "lose", "gateway 404 before", "gateway page before");
    }

    @Test
    void aRequestIsDecidedAboutOnce() {
        OperationScript script = script(1);
        script.begin(0, List.of());
        SentRequest request = SentRequest.of("GET", "/a/t", Map.of("x-ms-client-request-id", "1"), new byte[0]);

        assertThat(script.decide(request)).isEqualTo(script.decide(request));
        assertThat(script.arrivals()).hasSize(1);
    }

    @Test
    void aLaterAttemptBelongsToItsFirstStep() {
        OperationScript script = script(1);
        script.begin(0, List.of());
        script.decide(SentRequest.of("GET", "/a/t", Map.of("x-ms-client-request-id", "1"), new byte[0]));
        script.begin(1, List.of());
        script.decide(SentRequest.of("GET", "/a/t", Map.of("x-ms-client-request-id", "1"), new byte[0]));

        assertThat(script.arrivals()).extracting(OperationScript.Arrival::step).containsExactly(0, 0);
    }
}
